internal import ArgumentParser
internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

struct DoctorCommand: EnergyCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "What is wrong with an installation, and how to mend it.",
        discussion: """
            Looks at this client's file and keys, and from here at every service: its addresses, keys, health, clock and \
            version; then at what they store, the sources, the venues and what this client may read. It changes nothing, works while \
            services are away, and ends after a few times --timeout at most.

            The exit status is 1 when something failed. Warnings are no failure.

            EXAMPLES
              energyctl doctor
              energyctl doctor --client charger.yaml --timeout 2s
              energyctl doctor --json | jq '.findings[] | select(.level != "ok")'
            """)
    @OptionGroup var place: KeyFolderOption
    @OptionGroup var list: ListOptions
    @OptionGroup var options: GlobalOptions

    /// As every command, but for a configuration that cannot be used: that is a finding.
    mutating func run() async throws {
        let output = ProcessOutput()
        let environment = ProcessInfo.processInfo.environment
        let findings: [Finding]
        if let context = try? CommandContext.live(options, output: output),
            let installation = try? ClientFile(options, environment)
        {
            findings = await examine(context, installation, environment)
        } else {
            findings =
                examination(environment, at: SystemWallClock().now).findings(try? ClientFile(options, environment)) + [
                    .skipped("services", "services", "not looked at: where they are is not known")
                ]
        }
        let style = output.style(environment)
        guard !report(findings, to: output, style) else { return }
        throw ExitCode(CommandFailure.Exit.failure.rawValue)
    }

    func perform(in context: CommandContext) async throws(CommandFailure) {
        let environment = ProcessInfo.processInfo.environment
        let installation = try ClientFile(options, environment)
        let findings = await examine(context, installation, environment)
        guard report(findings, to: context.output, context.style) else { throw CommandFailure(.failure, "") }
    }

    /// - Returns: whether nothing failed.
    private func report(_ findings: [Finding], to output: any CommandOutput, _ style: Style) -> Bool {
        let document = DoctorDocument(findings, version: SoftwareVersion.current)
        if list.csv {
            output.csv(document.findings)
        } else if options.json {
            output.line(JSONText.document(document))
        } else {
            DoctorView.lines(findings, style).forEach(output.line)
        }
        return !findings.contains { $0.level == .failure }
    }

    private func examination(_ environment: [String: String], at now: Timestamp) -> ConfigurationExamination {
        var folder = try? place.folder(environment)
        // Most machines have no keys of an installation, and that is well.
        let isNamed = place.keys != nil || environment["GRIDTIDE_KEYS"] != nil
        if let path = folder?.accessPath, !isNamed, !FileManager.default.fileExists(atPath: path) { folder = nil }
        return ConfigurationExamination(options: options, environment: environment, keyFolder: folder, now: now)
    }

    private func examine(
        _ context: CommandContext, _ installation: ClientFile, _ environment: [String: String]
    ) async -> [Finding] {
        let configuration = examination(environment, at: context.wallClock.now).findings(installation)
        let offset = (try? CommandContext.clockOffset(environment[CommandContext.clockOffsetKey])) ?? 0
        let results = await withTaskGroup(of: (ServiceKind, ServiceExamination.Result).self) { group in
            for service in ServiceKind.allCases {
                let examination = ServiceExamination(
                    context: context, service: service, hasKeys: installation.keys != nil, clockOffset: offset)
                group.addTask { (service, await examination.examine()) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let answering = Set(results.filter(\.value.isAnswering).keys)
        let stores = await StoreExamination(context: context, answering: answering).findings()
        var pages: [Finding] = []
        if installation.endpoints == Endpoints() {
            pages.append(await DashboardExamination(milliseconds: 1_000).finding())
        }
        let home = await HomeExamination(context: context, answering: answering).findings()
        return configuration + ServiceKind.allCases.flatMap { results[$0]?.findings ?? [] } + pages + stores + home
    }
}
