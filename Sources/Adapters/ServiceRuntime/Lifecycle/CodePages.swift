internal import Foundation

/// The pages of programs and libraries that this process has mapped to execute.
enum CodePages {
    /// Takes them out of this process; what runs again is mapped again from the system's page cache.
    ///
    /// A start runs through code that is never needed again: reading settings, migrations, conformance look-ups. That
    /// is most of what an idle service has in memory. Only mappings that cannot be written are given back, because
    /// they alone are sure to hold what the file holds.
    static func giveBack() {
        for range in mappings(ProcFile.text("/proc/self/maps") ?? "") {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// The address ranges of files mapped readable and executable, but not writable.
    ///
    /// - Parameter text: lines of `/proc/self/maps` (proc(5)): `start-end perms offset device inode path`.
    static func mappings(_ text: String) -> [Range<UInt>] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
            return bounds[0]..<bounds[1]
        }
    }
}
