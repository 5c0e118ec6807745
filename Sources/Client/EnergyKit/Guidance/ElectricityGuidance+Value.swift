public import Foundation

extension ElectricityGuidance {
    /// One rated interval.
    public struct Value: Codable, Sendable {
        public let interval: DateInterval
        /// 0 is the best time to use electricity, 1 the worst, within the guidance's interval.
        public let rating: Double

        public init(interval: DateInterval, rating: Double) {
            self.interval = interval
            self.rating = rating
        }
    }
}
