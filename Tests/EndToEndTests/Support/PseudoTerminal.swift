import Foundation

/// A terminal without a screen: what programs write to it arrives as they wrote it.
enum PseudoTerminal {
    // TIOCSPTLCK and TIOCGPTN, which Swift does not see: they are macros of macros (ioctl_tty(2)).
    private static let unlock: UInt = 0x4004_5431
    private static let numberOf: UInt = 0x8004_5430

    /// - Returns: the end to read from, and the one that is a terminal to whoever writes to it.
    static func open(columns: Int) throws -> (read: Int32, write: Int32) {
        let reading = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number) = (Int32(0), Int32(0))
        guard reading >= 0, ioctl(reading, unlock, &locked) == 0, ioctl(reading, numberOf, &number) == 0 else {
            throw HarnessError("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        let writing = Foundation.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard writing >= 0 else {
            close(reading)
            throw HarnessError("no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        var settings = termios()
        tcgetattr(writing, &settings)
        // A terminal would make "\r\n" of "\n".
        cfmakeraw(&settings)
        tcsetattr(writing, TCSANOW, &settings)
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(writing, UInt(TIOCSWINSZ), &size)
        return (reading, writing)
    }
}
