internal import ArgumentParser
internal import EnergyStore

/// Of commands about the files of services on this machine.
struct StateOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder with the services' state directories, or the one of a single service.", valueName: "dir"),
        completion: .directory)
    var state: String

    func validate() throws { try Self.check(state) }

    /// Of a variable that is not set nothing is left, and nothing would be the folder that one is in.
    static func check(_ state: String) throws {
        guard !state.isEmpty else { throw ValidationError("--state is empty. Say which folder.") }
    }
}

/// Of commands that may be about some services only.
struct ServicesOption: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Only this one; may be said several times.", valueName: "name"),
        completion: .list(StoredService.allCases.map(\.rawValue)),
        transform: { name in
            guard let service = StoredService(rawValue: name) else {
                let names = StoredService.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("'\(name)' is no service that stores something. Say one of \(names).")
            }
            return service
        })
    var service: [StoredService] = []
}
