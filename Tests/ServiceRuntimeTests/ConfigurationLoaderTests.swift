import ServiceRuntime
import Testing

private enum Mode: String, CaseIterable, Sendable { case calm, bold }

private enum Keys {
    static let mode = ConfigurationKey<Mode>.choice("mode", default: .calm, help: "How it behaves.")
    static let limit = ConfigurationKey<Int>.integer("queue.limit", default: 10, in: 1...1_000, help: "How many wait.")
    static let wait = ConfigurationKey<Duration>.duration(
        "queue.wait", default: "5s", from: "0s", to: "1h", help: "How long they wait.")
    static let key = ConfigurationKey<String>.text(
        "provider.key", allowed: "20 characters", isSecret: true, help: "The provider's key.")
    static let short = ConfigurationKey<String>(
        "provider.pin", default: "", allowed: "4 digits", isSecret: true, help: "The provider's PIN."
    ) { [0, 4].contains($0.count) ? $0 : nil }
    static let replicas = ConfigurationKey<[String]>.addresses(
        "peers.log.requests", default: "tcp://127.0.0.1:7410", help: "Where the log is.")
    static let venues = ConfigurationSection(
        "venues", default: "- name: Home\n  zone: Europe/Berlin", allowed: "a list of venues", help: "The sites.")

    static let all = [
        mode.declaration, limit.declaration, wait.declaration, key.declaration, short.declaration,
        replicas.declaration, venues.declaration,
    ]
}

@Suite struct ConfigurationLoaderTests {
    let folder: TemporaryFolder
    let loader = ConfigurationLoader(service: "sample", declarations: Keys.all)

    init() throws { folder = try TemporaryFolder() }

    private func load(
        _ yaml: String? = nil, _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) throws -> ServiceConfiguration {
        let file = try yaml.map { ["--config", try folder.file("sample.yaml", $0)] } ?? []
        return try loader.load(arguments: file + arguments, environment: environment)
    }

    private func problems(
        _ yaml: String? = nil, _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) -> String {
        do {
            _ = try load(yaml, arguments, environment)
            return "none"
        } catch { return "\(error)".replacing(folder.path + "/", with: "") }
    }

    @Test func `without anything every setting has its default`() throws {
        let configuration = try load()
        #expect(configuration[Keys.mode] == .calm)
        #expect(configuration[Keys.limit] == 10)
        #expect(configuration[Keys.wait] == .seconds(5))
        #expect(configuration.file == nil)
        #expect(configuration.origin(of: Keys.limit) == "default")
    }

    @Test func `a flag beats the environment, which beats the file, which beats the default`() throws {
        let yaml = "queue:\n  limit: 20\n  wait: 20s\nmode: bold\n"
        let environment = ["GRIDTIDE_QUEUE_LIMIT": "30", "GRIDTIDE_QUEUE_WAIT": "30s"]
        let configuration = try load(yaml, ["--queue-limit", "40"], environment)
        #expect(configuration[Keys.limit] == 40)
        #expect(configuration[Keys.wait] == .seconds(30))
        #expect(configuration[Keys.mode] == .bold)
        #expect(configuration.origin(of: Keys.limit) == "--queue-limit")
        #expect(configuration.origin(of: Keys.wait) == "GRIDTIDE_QUEUE_WAIT")
        #expect(configuration.origin(of: Keys.mode).hasSuffix("sample.yaml:4:7"))
    }

    @Test func `a flag may carry its value behind an equals sign`() throws {
        #expect(try load(nil, ["--queue-limit=7"])[Keys.limit] == 7)
    }

    @Test func `replicas may be a list in the file and are separated by commas elsewhere`() throws {
        let two = ["tcp://127.0.0.1:1", "ipc:///run/two"]
        #expect(try load("peers:\n  log:\n    requests: [tcp://127.0.0.1:1, ipc:///run/two]\n")[Keys.replicas] == two)
        #expect(try load(nil, ["--peers-log-requests", "tcp://127.0.0.1:1,ipc:///run/two"])[Keys.replicas] == two)
    }

    @Test func `the file is found under XDG_CONFIG_HOME and need not be there`() throws {
        let configuration = try loader.load(arguments: [], environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(configuration.file == nil)
        let inner = try TemporaryFolder(path: "\(folder.path)/gridtide")
        let file = try inner.file("sample.yaml", "mode: bold\n")
        let found = try loader.load(arguments: [], environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(found.file == file)
        #expect(found[Keys.mode] == .bold)
    }

    @Test func `a file that was asked for must be there`() {
        #expect(
            problems(nil, ["--config", "/nowhere.yaml"]) == "/nowhere.yaml: --config: names a file that does not exist")
        #expect(problems(nil, [], ["GRIDTIDE_CONFIG": "/nowhere.yaml"]).contains("does not exist"))
    }

    @Test func `a wrong value names file, line, column, key, value and what is allowed`() {
        #expect(
            problems("mode: calm\nqueue:\n  limit: many\n")
                == "sample.yaml:3:10: queue.limit: 'many' is not allowed; allowed: a whole number from 1 to 1000")
        #expect(problems("queue:\n  limit: 0\n").contains("'0' is not allowed"))
        #expect(problems("queue:\n  limit: {a: 1}\n").contains("'a map' is not allowed"))
    }

    @Test func `a wrong key names file, line and what was probably meant`() {
        #expect(
            problems("queue:\n  limti: 5\n")
                == "sample.yaml:2:3: queue.limti: is not known; did you mean 'queue.limit'?")
        #expect(problems("color: red\n").hasPrefix("sample.yaml:1:1: color: is not known; allowed: mode, peers.log"))
    }

    @Test func `unknown flags and variables are refused as well`() {
        #expect(problems(nil, ["--queue-limits", "5"]) == "--queue-limits is not known; did you mean '--queue-limit'?")
        #expect(
            problems(nil, [], ["GRIDTIDE_QUEUE_LIMT": "5"])
                == "GRIDTIDE_QUEUE_LIMT is not known; did you mean 'GRIDTIDE_QUEUE_LIMIT'?")
        #expect(problems(nil, ["limit"]).hasPrefix("limit is not known"))
        #expect(problems(nil, ["--mode"]) == "--mode needs a value")
        #expect(problems(nil, ["--mode", "calm", "--mode", "bold"]) == "--mode is given twice")
        #expect(problems(nil, [], ["PATH": "/bin", "HOME": "/root"]) == "none")
    }

    @Test func `a wrong value is found even where another source overrules it`() {
        #expect(
            problems("mode: mad\n", ["--mode", "bold"]).contains("'mad' is not allowed; allowed: one of calm, bold"))
    }

    @Test func `all problems are told at once`() {
        let text = problems("mode: mad\nqueue:\n  wait: soon\n", ["--queue-limit", "0"])
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test func `a secret's value is in no error`() {
        let text = problems("provider:\n  pin: hunter2\n")
        #expect(text == "sample.yaml:2:8: provider.pin: the value is not allowed; allowed: 4 digits")
    }

    @Test(arguments: [
        "a: [1", "mode: calm\nmode: bold", "- a\n- b", "just words", "x: &a 1\ny: *a", "\t",
        "mode: calm\n---\nmode: bold",
        "? [a]\n: b", "queue: 5",
    ])
    func `YAML that is broken, or no map of settings, is refused with its place`(yaml: String) {
        #expect(problems(yaml).hasPrefix("sample.yaml:"))
    }

    @Test func `bytes that are no text and files too large are refused`() throws {
        let text = String(repeating: "#", count: 1_048_577)
        #expect(problems(text).contains("is larger than 1048576 bytes"))
    }

    @Test func `a section is read entry by entry, its default like a file`() throws {
        let read: (inout ConfigurationEntry) throws(ConfigurationError) -> [String] = { entry in
            [try entry.string("name"), try entry.string("zone", default: "UTC")]
        }
        #expect(try load().entries(Keys.venues, read) == [["Home", "Europe/Berlin"]])
        let two = try load("venues:\n- name: Barn\n- name: Mill\n  zone: Asia/Kathmandu\n")
        #expect(try two.entries(Keys.venues, read) == [["Barn", "UTC"], ["Mill", "Asia/Kathmandu"]])
    }

    @Test func `an entry's wrong, missing and unknown members are refused with their place`() throws {
        func problem(_ yaml: String) throws -> String {
            let configuration = try load(yaml)
            do {
                _ = try configuration.entries(Keys.venues) { (entry) throws(ConfigurationError) in
                    _ = try entry.string("name")
                    _ = try entry.required("watts", allowed: "a whole number") { Int($0) }
                }
                return "none"
            } catch { return "\(error)".replacing(folder.path + "/", with: "") }
        }
        #expect(
            try problem("venues:\n- name: Barn\n  watts: lots\n")
                == "sample.yaml:3:10: venues[0].watts: 'lots' is not allowed; allowed: a whole number")
        #expect(
            try problem("venues:\n- name: Barn\n")
                == "sample.yaml:2:3: venues[0].watts: is missing; allowed: a whole number")
        #expect(
            try problem("venues:\n- name: Barn\n  watts: 5\n  wats: 5\n")
                == "sample.yaml:4:3: venues[0].wats: is not known; did you mean 'watts'?")
        #expect(try problem("venues: Barn\n").contains("venues: is not a list"))
        #expect(try problem("venues:\n- Barn\n").contains("venues[0]: is not a map"))
    }

    @Test func `a mistyped member is told before the one that is missing for it`() throws {
        let configuration = try load("venues:\n- nmae: Barn\n  zone: UTC\n  color: red\n")
        let error = #expect(throws: ConfigurationError.self) {
            _ = try configuration.entries(Keys.venues, allowed: ["name", "zone"]) {
                (entry) throws(ConfigurationError) in
                [try entry.string("name"), try entry.string("zone")]
            }
        }
        let lines = "\(error, default: "none")".replacing(folder.path + "/", with: "").split(separator: "\n")
        #expect(
            lines == [
                "sample.yaml:2:3: venues[0].nmae: is not known; did you mean 'name'?",
                "sample.yaml:4:3: venues[0].color: is not known; allowed: name, zone",
                "sample.yaml:2:3: venues[0].name: is missing; allowed: a text",
            ])
    }

    @Test func `help shows each key with flag, variable, range and default, but no secret`() {
        let help = loader.help(summary: "does things")
        for declaration in Keys.all {
            #expect(help.contains(declaration.help))
            #expect(declaration.isSection || help.contains("\(declaration.flag)   \(declaration.environmentVariable)"))
        }
        #expect(help.contains("default: 5s"))
    }

    @Test func `the commented file changes nothing, and with its comments taken away neither`() throws {
        let template = loader.template(summary: "does things")
        #expect(template.split(separator: "\n").allSatisfy { $0.hasPrefix("#") })
        _ = try load(template)
        let bare = template.split(separator: "\n").dropFirst(3).map { $0.dropFirst() }.joined(separator: "\n")
        let configuration = try load(String(bare))
        #expect(configuration[Keys.limit] == 10)
        #expect(configuration.origin(of: Keys.wait) != "default")
        let names = try configuration.entries(Keys.venues) { (entry) throws(ConfigurationError) in
            _ = try entry.string("zone")
            return try entry.string("name")
        }
        #expect(names == ["Home"])
    }
}
