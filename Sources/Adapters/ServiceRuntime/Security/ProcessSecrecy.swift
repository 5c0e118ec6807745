internal import CProcess
internal import Foundation

/// Keeps a process's memory, where its keys are, out of core dumps and from other processes of the same user, and its files
/// from other users.
enum ProcessSecrecy {
    /// To be called first. What the system does not let us do, it does already: a unit's filter refuses `setrlimit`, and
    /// its `LimitCORE=0` has done it.
    static func keep() {
        _ = cprocess_close_memory()
        _ = cprocess_forbid_core_files()
        // Whatever makes a file, a library too.
        umask(0o077)
    }
}
