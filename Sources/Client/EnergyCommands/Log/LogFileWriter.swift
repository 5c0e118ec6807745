internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#endif

/// Writes a new file, which only its owner may read: it says when somebody was at home.
struct LogFileWriter {
    private let handle: FileHandle
    private let path: String

    init(path: String) throws(CommandFailure) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw .usage("There is a file \(path) already; name another.") }
            throw CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(errno)).")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do { try handle.write(contentsOf: bytes) } catch { throw failure(error) }
    }

    func close() throws(CommandFailure) {
        do {
            try handle.synchronize()
            try handle.close()
        } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> CommandFailure {
        CommandFailure(.failure, "\(path) cannot be written: \(SystemWords.reason(error)).")
    }
}

/// What the system says of a failure, as part of a sentence.
enum SystemWords {
    static func reason(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }

    static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        return cause.domain == NSPOSIXErrorDomain ? reason(Int32(cause.code)) : error.localizedDescription
    }
}
