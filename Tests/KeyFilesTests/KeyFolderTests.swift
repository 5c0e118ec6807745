import EnergyModel
import EnergyTestSupport
import EnergyTransport
import Foundation
import Testing
import ZeroMQ

@testable import KeyFiles

@Suite struct KeyFolderTests {
    private let place: TemporaryFolder
    private let folder: KeyFolder
    private let now = Timestamp(unixMilliseconds: 1_750_000_000_000)

    init() throws {
        place = try TemporaryFolder()
        folder = KeyFolder(path: place.path("keys"))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `every process gets a key that only its owner may read, and everybody knows its public half`() throws {
        try folder.make()
        #expect(try mode(folder.path) == 0o700)
        let list = try folder.access()
        #expect(list.services.count == KeyFolder.processes.count)
        for process in KeyFolder.processes {
            let file = try KeyFile(path: folder.keyPath(process))
            #expect(file.name == process)
            #expect(list.services[process] == file.keys.publicKey)
            #expect(try mode(folder.keyPath(process)) == 0o600)
        }
        let again = #expect(throws: KeyFileError.self) { try folder.make() }
        #expect(again?.description.contains("has its keys") == true)
    }

    @Test func `who is admitted is a principal until revoked, with two keys while one is rotated`() throws {
        try folder.make()
        let venue = UUID()
        let first = try folder.admit("car", permissions: [.guidance, .events], venues: [venue])
        let car = Principal(name: "car", permissions: [.guidance, .events], venues: [venue])
        #expect(try folder.access().principals(at: now)[first.publicKey.text] == car)

        let until = now.advanced(byMilliseconds: 1_000)
        let second = try folder.rotate("car", until: until, at: now)
        let rotated = try folder.access()
        #expect(rotated.principals(at: now)[first.publicKey.text] == car)
        #expect(rotated.principals(at: now)[second.publicKey.text] == car)
        #expect(rotated.nextChange(after: now) == until)
        #expect(rotated.principals(at: until)[first.publicKey.text] == nil)
        #expect(rotated.nextChange(after: until) == nil)

        try folder.revoke("car")
        #expect(try folder.access().principals(at: now).count == KeyFolder.processes.count)
    }

    @Test func `keys of a client that is rotated twice open until their own times`() throws {
        try folder.make()
        let first = try folder.admit("car", permissions: [.guidance], venues: nil)
        let (soon, later) = (now.advanced(byMilliseconds: 1_000), now.advanced(byMilliseconds: 5_000))
        let second = try folder.rotate("car", until: later, at: now)
        let third = try folder.rotate("car", until: soon, at: now)
        func opens(_ keys: CurveKeyPair, at time: Timestamp) throws -> Bool {
            try folder.access().principals(at: time)[keys.publicKey.text]?.name == "car"
        }
        for keys in [first, second, third] { #expect(try opens(keys, at: now)) }
        #expect(try opens(first, at: soon) && !opens(second, at: soon) && opens(third, at: soon))
        #expect(try !opens(first, at: later) && opens(third, at: later))
        #expect(try folder.access().nextChange(after: now) == soon)
        #expect(try folder.access().nextChange(after: soon) == later)
        // What is over is forgotten with the next change.
        _ = try folder.rotate("car", until: later, at: soon)
        #expect(try folder.access().clients["car"]?.previous.map(\.key) == [third.publicKey, first.publicKey])
        try folder.revoke("car")
        for keys in [first, second, third] { #expect(try !opens(keys, at: now)) }
    }

    @Test func `keys that still open are limited, and it is said when the next ends`() throws {
        try folder.make()
        _ = try folder.admit("car", permissions: [.guidance], venues: nil)
        for number in 1...Int64(AccessList.previousMax) {
            _ = try folder.rotate("car", until: now.advanced(byMilliseconds: number * 1_000), at: now)
        }
        let error = #expect(throws: KeyFileError.self) {
            try folder.rotate("car", until: now.advanced(byMilliseconds: 1_000), at: now)
        }
        #expect(error?.description.contains("ends at \(now.advanced(byMilliseconds: 1_000))") == true, "\(error)")
        #expect(try folder.access().clients["car"]?.previous.count == AccessList.previousMax)
    }

    @Test func `keys of a service that is changed twice are known until their own times`() throws {
        try folder.make()
        let later = now.advanced(byMilliseconds: 5_000)
        var known = [try KeyFile(path: folder.keyPath("scheduler")).keys.publicKey]
        for _ in 0..<2 {
            try folder.announceKey(of: "scheduler")
            try folder.finishRotation(of: "scheduler", until: later, at: now)
            known.insert(try KeyFile(path: folder.keyPath("scheduler")).keys.publicKey, at: 0)
        }
        #expect(try folder.access().serviceKeys("scheduler", at: now) == known)
        #expect(try folder.access().serviceKeys("scheduler", at: later) == [known[0]])
    }

    @Test func `a process on another host is shut out by its own key`() throws {
        try folder.make()
        let key = try folder.admitHost("cabin", of: "scheduler").key
        #expect(try folder.access().principals(at: now)[key.text]?.name == "scheduler")
        let unknown = #expect(throws: KeyFileError.self) { try folder.revokeHost("attic", of: "scheduler") }
        #expect(unknown?.description.contains("it has on: cabin") == true)
        try folder.revokeHost("cabin", of: "scheduler")
        #expect(try folder.access().principals(at: now)[key.text] == nil)
    }

    @Test func `names are refused when they are none, taken or unknown, and say what would be right`() throws {
        let missing = #expect(throws: KeyFileError.self) { try folder.access() }
        #expect(missing?.description.contains("energyctl keys init") == true)
        try folder.make()
        _ = try folder.admit("car", permissions: [.guidance], venues: nil)
        for (name, part) in [
            ("", "allowed"), ("Car", "allowed"), ("../x", "allowed"), (".x", "allowed"), ("car", "keys rotate car"),
            ("scheduler", "no client may be called"), ("local", "no client may be called"),
            ("others", "no client may be called"), ("audit-log", "no client may be called"),
            (String(repeating: "a", count: 65), "allowed"),
        ] {
            let error = #expect(throws: KeyFileError.self) {
                try folder.admit(name, permissions: [.guidance], venues: nil)
            }
            #expect(error?.description.contains(part) == true, "\(name)")
        }
        let unknown = #expect(throws: KeyFileError.self) { try folder.revoke("bike") }
        #expect(unknown?.description.contains("there are: car") == true)
        let service = #expect(throws: KeyFileError.self) { try folder.revoke("scheduler") }
        #expect(service?.description.contains("energyctl keys rotate scheduler --finish --overlap 1m") == true)
    }

    @Test func `a list that other users may change is refused, and one whose folder they may change`() throws {
        try folder.make()
        chmod(folder.accessPath, 0o666)
        let open = #expect(throws: KeyFileError.self) { try AccessList(path: folder.accessPath) }
        #expect(open?.description.contains("chmod go-w \(folder.accessPath)") == true)
        chmod(folder.accessPath, 0o644)
        _ = try AccessList(path: folder.accessPath)
        chmod(folder.path, 0o777)
        let replaceable = #expect(throws: KeyFileError.self) { try AccessList(path: folder.accessPath) }
        #expect(replaceable?.description.contains("chmod go-w \(folder.path)") == true)
        chmod(folder.path, 0o700)
    }

    @Test func `a list that is replaced keeps who may read it`() throws {
        try folder.make()
        chmod(folder.accessPath, 0o644)
        _ = try folder.admit("car", permissions: [.guidance], venues: nil)
        #expect(try mode(folder.accessPath) == 0o644)
    }

    @Test(arguments: [
        ("clients: [1]", "names with values"), ("people: {}", "allowed: services, clients"),
        ("services: { scheduler: short }", "40 characters of Z85"),
        ("clients: { Car: {} }", "is no name"), ("clients: { car: {} }", "car has no key"),
        ("clients: { car: { kee: x } }", "allowed: key, allow, venues, previous"),
        ("clients: { car: { allow: [everything] } }", "allowed: guidance"),
        ("clients: { car: { allow: all } }", "needs a list"),
        ("clients: { car: { venues: [home] } }", "is no venue's id"),
        ("clients: { car: { previous: { until: soon } } }", "a time such as"),
        ("services: { a: \"KEY\", b: \"KEY\" }", "has the same key as"), ("a: [", "is not YAML"),
        ("clients: { local: { key: \"KEY\" } }", "no client may be called 'local'"),
        ("services: { a: \"KEY\" }\nclients: { a: { key: \"KEZ\" } }", "'a' is a service"),
        ("clients: { car: { previous: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] } }", "more than 10 old keys"),
    ])
    func `a wrong list is refused, with file, place and what is allowed`(text: String, part: String) throws {
        let path = place.path("access.yaml")
        let key = String(repeating: "a", count: 40)
        try Data(text.replacing("KEY", with: key).replacing("KEZ", with: String(key.reversed().dropLast() + "b")).utf8)
            .write(to: URL(filePath: path))
        let error = #expect(throws: KeyFileError.self) { try AccessList(path: path) }
        #expect(error?.description.hasPrefix(path) == true)
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func `a credential of systemd may have an access list, but is nobody else's`() throws {
        let path = place.path("key")
        try Data("x".utf8).write(to: URL(filePath: path))
        let home = URL(filePath: path).deletingLastPathComponent().path
        for (mode, credentials, isPrivate) in [
            (0o440, home, true), (0o440, nil, false), (0o440, place.path("other"), false),
            (0o444, home, false),
        ] as [(mode_t, String?, Bool)] {
            chmod(path, mode)
            let file = try PrivateFile.read(path)
            if isPrivate {
                try file.requirePrivacy(credentials: credentials)
            } else {
                #expect(throws: KeyFileError.self) { try file.requirePrivacy(credentials: credentials) }
            }
        }
    }

    @Test func `a key file is refused when others may read it, and when it is not whole or everybody's`() throws {
        try folder.make()
        let path = folder.keyPath("scheduler")
        chmod(path, 0o640)
        let open = #expect(throws: KeyFileError.self) { try KeyFile(path: path) }
        #expect(open?.description.contains("chmod 600 \(path)") == true)
        for (text, part) in [
            ("curve\n", "secret-key"), ("secret-key = \"JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6\"", "manual"),
            ("secret-key = \"\(String(repeating: "a", count: 40))\"\npublic-key = \"x\"", "does not belong"),
        ] {
            let wrong = place.path("wrong.key")
            try Data(text.utf8).write(to: URL(filePath: wrong))
            chmod(wrong, 0o600)
            let error = #expect(throws: KeyFileError.self) { try KeyFile(path: wrong) }
            #expect(error?.description.contains(part) == true)
            #expect(error?.description.contains("JTKVSB") == false)
        }
        #expect(throws: KeyFileError.self) { try KeyFile(path: place.path("none.key")) }
        #expect(throws: KeyFileError.self) { try KeyFile(path: folder.path) }
    }
}
