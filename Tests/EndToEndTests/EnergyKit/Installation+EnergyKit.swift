import EnergyKit

extension Installation {
    /// As a program finds the services.
    var energyKit: EnergyKitConfiguration {
        get throws {
            if let clientFile { return try EnergyKitConfiguration(contentsOfFile: clientFile) }
            return try EnergyKitConfiguration(endpoints: endpoints)
        }
    }
}
