internal import Foundation

/// Small files that are whole after a crash: the new text or the old one.
enum DurableFile {
    /// - Throws: ``StartError`` with the file, the system's reason and what to do.
    static func write(_ text: String, to path: String) throws(StartError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        var code = descriptor < 0 ? errno : 0
        if descriptor >= 0 {
            let bytes = Array(text.utf8)
            let count = Foundation.write(descriptor, bytes, bytes.count)
            // A write that is cut short has no error: the disk took what it had room for.
            if count != bytes.count { code = count < 0 ? errno : ENOSPC }
            if code == 0, fsync(descriptor) != 0 { code = errno }
            close(descriptor)
            if code == 0, rename(draft, path) != 0 { code = errno }
            if code != 0 { unlink(draft) }
        }
        if code != 0 { throw StartError("\(path) cannot be written: \(SystemReason.text(code))") }
    }
}

/// The system's error numbers in words that say what to do, where something can be done.
enum SystemReason {
    static func text(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "the disk is full; make room, then start the service again"
        case EACCES, EPERM: "this user may not write there; change its owner, or set state.directory to another place"
        case EROFS: "the file system is read-only; set state.directory to another place"
        case ENOTDIR: "a part of the path is no directory; set state.directory to another place"
        default: String(cString: strerror(code)).lowercased()
        }
    }
}
