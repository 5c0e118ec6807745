internal import Synchronization

/// Says each thing once, whoever has it to say.
final class NotesOnce: Sendable {
    private let output: any CommandOutput
    private let said = Mutex<Set<String>>([])

    init(_ output: any CommandOutput) { self.output = output }

    func say(_ text: String) {
        if said.withLock({ $0.insert(text).inserted }) { output.note(text) }
    }
}
