internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

/// Looks at what this client was told: its file, its environment, and the keys that lie on this machine.
struct ConfigurationExamination {
    let options: GlobalOptions
    let environment: [String: String]
    let keyFolder: KeyFolder?
    let now: Timestamp

    static let subject = "configuration"

    /// - Parameter installation: `nil` where it cannot be read.
    func findings(_ installation: ClientFile?) -> [Finding] {
        var findings = file(installation)
        findings += endpoints(installation)
        findings += clock()
        if let keys = installation?.keys { findings += unkeyed(keys) }
        if let keyFolder {
            findings += KeyFolderExamination(folder: keyFolder, client: installation, now: now).findings()
        }
        return findings
    }

    /// Where the client's file is, and who says so; `nil` where there is none.
    private var path: (path: String, said: String)? {
        if let path = options.client, !path.isEmpty { return (path, "--client") }
        if let path = environment[ClientFile.environmentKey], !path.isEmpty { return (path, ClientFile.environmentKey) }
        let hasEndpoints = !(options.endpoints ?? environment[Endpoints.environmentKey] ?? "").isEmpty
        guard !hasEndpoints, let path = ClientFile.standardPath(environment),
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        return (path, "the standard place")
    }

    private func file(_ installation: ClientFile?) -> [Finding] {
        let check = "client file"
        guard let (path, said) = path else {
            return [.ok(Self.subject, check, "none: services are asked without keys")]
        }
        do throws(KeyFileError) {
            let content = try PrivateFile.read(path)
            do throws(KeyFileError) { try content.requireIntegrity() } catch {
                return [.warning(Self.subject, check, error.description, "Who changes it sends you to other services.")]
            }
        } catch {
            return [.failure(Self.subject, check, error.description, Self.rewrite)]
        }
        do throws(ClientFileError) { _ = try ClientFile(path: path) } catch {
            return [.failure(Self.subject, check, error.message, Self.rewrite)]
        }
        guard let installation else { return [] }
        let keys = installation.keys == nil ? "no keys" : "a key, which only its owner can read"
        let venues = installation.venues.map { ", for \($0.count) venue\($0.count == 1 ? "" : "s")" } ?? ""
        return [.ok(Self.subject, check, "\(path) (\(said)) has \(keys)\(venues)")]
    }

    private static let rewrite =
        "Mend the file, or write it anew where the keys are: energyctl keys bundle NAME. Without keys, endpoints are enough."

    private func endpoints(_ installation: ClientFile?) -> [Finding] {
        let said =
            options.endpoints.map { ($0, "--endpoints") }
            ?? environment[Endpoints.environmentKey].map { ($0, Endpoints.environmentKey) }
        if let (text, origin) = said, !text.isEmpty {
            do throws(CommandFailure) { _ = try Endpoints(option: text) } catch {
                return [
                    .failure(
                        Self.subject, "endpoints", "\(origin): \(error.message)",
                        "Say for example \(origin == "--endpoints" ? "--endpoints " : "\(origin)=")"
                            + "'guidance=tcp://127.0.0.1:7400,tcp://127.0.0.1:7401'.")
                ]
            }
            return [.ok(Self.subject, "endpoints", "from \(origin)")]
        }
        guard let installation else { return [] }
        let isLocal = installation.endpoints == Endpoints()
        return [.ok(Self.subject, "endpoints", isLocal ? "this machine, at the usual ports" : "from the client's file")]
    }

    private func clock() -> [Finding] {
        guard let text = environment[CommandContext.clockOffsetKey], !text.isEmpty, text != "0s" else { return [] }
        do throws(CommandFailure) { _ = try CommandContext.clockOffset(text) } catch {
            return [
                .failure(
                    Self.subject, "clock offset", error.message, "unset \(CommandContext.clockOffsetKey), or mend it.")
            ]
        }
        return [
            .warning(
                Self.subject, "clock offset", "\(CommandContext.clockOffsetKey) moves every time by \(text)",
                "unset \(CommandContext.clockOffsetKey), unless recorded data are replayed.")
        ]
    }

    private func unkeyed(_ keys: ClientKeys) -> [Finding] {
        ServiceKind.allCases.filter { keys.services[$0] == nil }.map { service in
            .failure(
                Self.subject, "keys", "the client's file has no key of the service '\(service.rawValue)'",
                "Where the keys are: energyctl keys bundle NAME writes it anew.")
        }
    }
}
