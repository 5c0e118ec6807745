/// What a snippet leaves to its app: a function around statements, and the app's own values, helpers and members. Nothing
/// of EnergyKit is in it.
struct Scaffolding {
    /// The snippet in its place, its text unchanged.
    let snippetFile: String
    let appFile: String

    /// - Parameter hasInitializer: gives the snippet's class the initialiser that it leaves out, before its last brace.
    init(_ code: String, hasInitializer: Bool = false) {
        let isFile = Self.standsByItself(code)
        // Also in front of a snippet that shows no import.
        let head = "import EnergyKit\n"
        if !isFile {
            snippetFile = head + "func snippet() async throws {\n\(code)\n}\n"
        } else if hasInitializer, let brace = code.lastIndex(of: "}") {
            snippetFile = head + code[..<brace] + "    init() { fatalError() }\n" + code[brace...]
        } else {
            snippetFile = head + code
        }
        let names = isFile ? Self.declaredNames(code) : []
        let query = code.contains("energyInsights(") ? "ElectricityInsightQuery" : "ElectricityGuidance.Query"
        var app = head + "var query: \(query) { fatalError() }\n"
        for (name, text) in Self.helpers where !names.contains(name) { app += text + "\n" }
        for (type, members) in Self.members where names.contains(type) {
            app += "extension \(type) {\n"
            for (name, text) in members where !names.contains(name) { app += "    \(text)\n" }
            app += "}\n"
        }
        appFile = app
    }

    /// Imports, and classes with a macro, cannot stand in a function.
    private static func standsByItself(_ code: String) -> Bool {
        code.split(separator: "\n").contains { $0.hasPrefix("import ") || $0.hasPrefix("@") }
    }

    /// Of the file and of its types, not of functions.
    private static func declaredNames(_ code: String) -> Set<String> {
        let declaration = #/^ {0,4}(?:(?:@Observable|final|private|fileprivate) )*(?:func|var|let|class|struct) (\w+)/#
        let names = code.split(separator: "\n").compactMap { $0.firstMatch(of: declaration)?.output.1 }
        return Set(names.map(String.init))
    }

    private static let helpers: [(String, String)] = [
        ("processGuidanceValues", "func processGuidanceValues(_ values: [ElectricityGuidance.Value]) {}"),
        ("processGuidance", "func processGuidance(_ guidance: ElectricityGuidance) {}"),
        ("updateUI", "func updateUI(_ guidance: ElectricityGuidance) {}"),
        ("startCharging", "func startCharging() {}\nfunc startCharging(followingGuidanceToken: UUID) {}"),
        ("showUnsupportedRegionMessage", "func showUnsupportedRegionMessage() {}"),
        ("showGuidanceUnavailableMessage", "func showGuidanceUnavailableMessage() {}"),
        ("showNoVenueMessage", "func showNoVenueMessage() {}"),
        ("showPermissionDeniedMessage", "func showPermissionDeniedMessage() {}"),
        ("retryLater", "func retryLater() {}"),
        ("backOff", "func backOff() {}"),
        ("showNoVenueSetup", "func showNoVenueSetup() {}"),
        ("venueID", "var venueID: UUID { fatalError() }"),
        ("venue", "var venue: EnergyVenue { fatalError() }"),
        ("service", "var service: ElectricityGuidance.Service { fatalError() }"),
        (
            "guidanceStream",
            "var guidanceStream: some AsyncSequence<ElectricityGuidance, any Error> "
                + "{ service.guidance(using: .init(suggestedAction: .shift), at: venueID) }"
        ),
        ("beginEvent", "var beginEvent: ElectricVehicleLoadEvent { fatalError() }"),
        ("activeEvent", "var activeEvent: ElectricVehicleLoadEvent { fatalError() }"),
        ("endEvent", "var endEvent: ElectricVehicleLoadEvent { fatalError() }"),
        ("currentGuidance", "var currentGuidance: ElectricityGuidance { fatalError() }"),
        ("device", "var device: ElectricalLoadDevice { fatalError() }"),
        ("session", "var session: ElectricVehicleLoadEvent.Session { fatalError() }"),
        (
            "performanceMetrics",
            "var performanceMetrics: ElectricVehicleLoadEvent.ElectricalMeasurement.PerformanceMetrics "
                + "{ fatalError() }"
        ),
        ("allEvents", "var allEvents: [any ElectricalLoadEventProtocol] { fatalError() }"),
        ("vehicleIdentifier", "var vehicleIdentifier: String { fatalError() }"),
        ("records", "var records: [ElectricityInsightRecord<Measurement<UnitEnergy>>] { fatalError() }"),
        ("batteryCapacity", "var batteryCapacity: Double { fatalError() }"),
        ("stateOfCharge", "var stateOfCharge: Double { fatalError() }"),
        ("desiredStateOfCharge", "var desiredStateOfCharge: Double { fatalError() }"),
        ("chargingPower", "var chargingPower: Double { fatalError() }"),
        (
            "VehicleConfiguration",
            """
            struct VehicleConfiguration {
                struct State { var stateOfCharge = 0.0, cummulativeEnergy = 0.0, timestamp = Date.now }
                struct Properties { var chargingPower = 0.0, vehicleID = "" }
                var state = State(), properties = Properties()
            }
            """
        ),
    ]

    private static let members: [(String, [(String, String)])] = [
        (
            "EnergyVenueManager",
            [
                ("venue", "var venue: EnergyVenue { fatalError() }"),
                ("guidance", "var guidance: ElectricityGuidance? { get { nil } set {} }"),
                (
                    "streamGuidance",
                    "func streamGuidance(venueID: UUID, update: (_ guidance: ElectricityGuidance) -> Void) "
                        + "async throws {}"
                ),
                (
                    "createInsightsQuery",
                    "func createInsightsQuery(on date: Date) -> ElectricityInsightQuery { fatalError() }"
                ),
                ("dayInterval", "func dayInterval(date: Date) -> DateInterval { fatalError() }"),
            ]
        ),
        (
            "ElectricVehicleController",
            [
                ("configuration", "var configuration: VehicleConfiguration { fatalError() }"),
                ("session", "var session: ElectricVehicleLoadEvent.Session? { get { nil } set {} }"),
                ("currentGuidance", "var currentGuidance: ElectricityGuidance { fatalError() }"),
                ("isFollowingGuidance", "var isFollowingGuidance: Bool { true }"),
                ("events", "var events: [ElectricVehicleLoadEvent] { get { [] } set {} }"),
                ("beginSession", "func beginSession() {}"),
                ("updateSession", "func updateSession() {}"),
                ("endSession", "func endSession() {}"),
                (
                    "chargingMeasurement",
                    "func chargingMeasurement() -> ElectricVehicleLoadEvent.ElectricalMeasurement { fatalError() }"
                ),
            ]
        ),
    ]
}
