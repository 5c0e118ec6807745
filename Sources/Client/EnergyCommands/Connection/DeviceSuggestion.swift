internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// A request about one device.
protocol NamesDevice {
    var deviceID: String { get }
}

extension GoalDraft: NamesDevice {}
extension RulesDraft: NamesDevice {}
extension OverrideRequest: NamesDevice {}
extension DeviceReference: NamesDevice {}
extension DeviceRemoval: NamesDevice {}

enum DeviceSuggestion {
    /// - Returns: `Did you mean 'car-1'? ` where one of those known is near; else nothing.
    static func text(_ device: String, among known: some Sequence<String>) -> String {
        guard let near = NearMiss.nearest(to: device, in: Array(known)) else { return "" }
        return "Did you mean '\(TerminalText.safe(near))'? "
    }
}

extension CommandContext {
    /// The failure, and which device that the scheduler does know was meant.
    func naming(_ deviceID: String, _ failure: CommandFailure) async -> CommandFailure {
        guard let connection = try? connection(.schedule),
            let list = try? await connection.call(Methods.listDevices, VenueFilter(venueID: nil), timeout: timeout)
        else { return failure }
        let known = list.devices.map(\.device.id)
        guard !known.contains(deviceID), case let near = DeviceSuggestion.text(deviceID, among: known), !near.isEmpty
        else { return failure }
        return CommandFailure(
            failure.exit, "\(failure.message.asSentence) \(near)".trimmingCharacters(in: .whitespaces))
    }
}
