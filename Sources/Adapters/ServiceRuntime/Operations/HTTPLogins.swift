internal import EnergyModel
internal import Foundation
internal import KeyFiles
internal import SodiumAuthentication
internal import Synchronization

/// Who may read what HTTP answers: names with argon2id hashes, one `name:hash` a line, in a file that only its owner may
/// read. `energyctl keys password` writes it.
///
/// A password that was right is known again by a code of it that is made with a key of this process, so that a scraper
/// costs a hash once. Every other attempt takes one of a few that are given back slowly, whoever asks: what stands before
/// this is a proxy, and all come from its address.
final class HTTPLogins: Sendable {
    enum Verdict: Hashable, Sendable {
        case welcome, unknown
        /// So many seconds have to pass.
        case tooMany(Int64)
    }

    static let loginsMax = 100
    static let attemptsMax = 10
    static let secondsPerAttempt: Int64 = 6

    private struct State {
        var attempts = HTTPLogins.attemptsMax
        var filled: ContinuousClock.Instant
        var failureCount: UInt64 = 0
        /// By name.
        var known: [String: [UInt8]] = [:]
    }

    private let hashes: [String: String]
    /// Verified where there is no such name, so that the time tells nothing.
    private let nobody: String
    private let authenticator: SodiumAuthenticator
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// - Throws: ``StartError`` with the file and what is wrong with it.
    init(path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) throws(StartError) {
        do throws(KeyFileError) {
            let file = try PrivateFile.read(path)
            try file.requirePrivacy()
            hashes = try Self.read(file.text, path)
        } catch { throw StartError("\(error); logins are made with: energyctl keys password NAME --output \(path)") }
        do throws(EnergyError) {
            var random = SystemRandomNumberGenerator()
            let secret = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            authenticator = try SodiumAuthenticator(key: Array(secret.prefix(SodiumAuthenticator.keyByteCount)))
            nobody = try PasswordHash.make(Data(secret).base64EncodedString())
        } catch { throw StartError("logins cannot be checked: \(error.message)") }
        self.now = now
        state = Mutex(State(filled: now()))
    }

    private static func read(_ text: String, _ path: String) throws(KeyFileError) -> [String: String] {
        var hashes: [String: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, AccessList.isName(parts[0]), PasswordHash.isHash(parts[1]) else {
                throw KeyFileError("\(path):\(index + 1): must be NAME:HASH, with a hash of argon2id")
            }
            guard hashes.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw KeyFileError("\(path):\(index + 1): \(parts[0]) is there twice")
            }
        }
        guard 1...loginsMax ~= hashes.count else { throw KeyFileError("\(path) must have 1 to \(loginsMax) logins") }
        return hashes
    }

    /// - Parameter authorization: the header's value, `Basic ...`.
    func check(_ authorization: String?) -> Verdict {
        guard let (name, password) = authorization.flatMap(Self.credentials) else { return .unknown }
        let login = Array(name.utf8) + [0] + Array(password.utf8)
        // One at a time: each hash takes 19 MiB.
        return state.withLock { state in
            if let known = state.known[name], authenticator.isCode(known, of: login) { return .welcome }
            if let wait = take(&state) { return .tooMany(wait) }
            guard PasswordHash.verify(password, hashes[name] ?? nobody), hashes[name] != nil else {
                state.failureCount += 1
                return .unknown
            }
            state.attempts = min(Self.attemptsMax, state.attempts + 1)
            state.known[name] = authenticator.code(of: login)
            return .welcome
        }
    }

    var failureCount: UInt64 { state.withLock { $0.failureCount } }

    /// - Returns: the seconds to wait; `nil` for an attempt that may be made.
    private func take(_ state: inout State) -> Int64? {
        let passed = (now() - state.filled).components.seconds / Self.secondsPerAttempt
        if passed > 0 {
            state.attempts = Int(min(Int64(Self.attemptsMax), Int64(state.attempts) + passed))
            state.filled = state.filled.advanced(by: .seconds(passed * Self.secondsPerAttempt))
        }
        guard state.attempts > 0 else { return Self.secondsPerAttempt }
        state.attempts -= 1
        return nil
    }

    /// - Source: RFC 7617
    private static func credentials(_ header: String) -> (name: String, password: String)? {
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic",
            let data = Data(base64Encoded: words[1].trimmingCharacters(in: .whitespaces)),
            let text = String(data: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
