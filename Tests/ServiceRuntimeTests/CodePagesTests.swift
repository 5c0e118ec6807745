import Foundation
import Testing

@testable import ServiceRuntime

struct CodePagesTests {
    @Test func `only files mapped for execution and never writable are given back`() {
        let maps = """
            55e0c0a00000-55e0c0a10000 r--p 00000000 fe:00 123                        /usr/bin/service
            55e0c0a10000-55e0c0b00000 r-xp 00010000 fe:00 123                        /usr/bin/service
            55e0c0b00000-55e0c0b10000 rw-p 00100000 fe:00 123                        /usr/bin/service
            55e0c1b00000-55e0c1b10000 rwxp 00000000 fe:00 124                        /usr/lib/with spaces.so
            7f0000000000-7f0000021000 r-xp 00000000 00:00 0
            7f0000100000-7f0000200000 r-xp 00000000 fe:00 125                        /usr/lib/with spaces.so
            7ffd5a1fe000-7ffd5a200000 r-xp 00000000 00:00 0                          [vdso]
            7f0000300000-7f0000300000 r-xp 00000000 fe:00 126                        /usr/lib/empty.so
            nonsense
            """
        #expect(
            CodePages.mappings(maps) == [
                0x55e0_c0a1_0000..<0x55e0_c0b0_0000, 0x7f00_0010_0000..<0x7f00_0020_0000,
            ])
    }

    @Test func `a process runs on after it gave its code back`() throws {
        func codeInMemory() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return try #require(Int(text.split(separator: " ")[2]))
        }
        let before = try codeInMemory()
        CodePages.giveBack()
        #expect(try codeInMemory() < before)
    }
}
