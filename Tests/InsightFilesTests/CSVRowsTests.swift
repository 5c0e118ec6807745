import EnergyModel
import EnergyTestSupport
import Foundation
import InsightFiles
import Testing

struct CSVRowsTests {
    private func rows(_ text: String, portion: Int = .max) throws -> [CSVRows.Row] {
        var (table, rest, rows) = (CSVRows(), Array(text.utf8)[...], [CSVRows.Row]())
        while !rest.isEmpty {
            rows += try table.read(rest.prefix(portion))
            rest = rest.dropFirst(portion)
        }
        return rows + (try table.finish())
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `portions may end anywhere`(portion: Int) throws {
        let text = "\u{FEFF}a;\"b \"\"x\"\"\";c\r\n\r\n1,5;\"two\r\nlines; one cell\";ü\n;;last"
        let found = try rows(text, portion: portion)
        #expect(
            found.map(\.cells) == [["a", "b \"x\"", "c"], ["1,5", "two\r\nlines; one cell", "ü"], ["", "", "last"]])
        #expect(found.map(\.line) == [1, 3, 5])
    }

    @Test(arguments: [
        ("a,b\n\"x,y\nz", "line 2: a quoted cell begins and does not end"),
        ("a,b\n\"x\"y,z\n", "line 2: something follows a quoted cell"),
        ("a\n" + String(repeating: "x", count: 70_000), "line 2: a row is longer than 64 KiB"),
        ("a\n" + String(repeating: ",", count: 300), "line 2: a row has more than 200 cells"),
    ])
    func `what is no table is refused with its line`(text: String, message: String) {
        do throws(any Error) {
            _ = try rows(text)
            Issue.record("no refusal")
        } catch { #expect((error as? EnergyError)?.message == message) }
    }

    @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian])
    func `UTF-16, as some spreadsheets save it, is named`(encoding: String.Encoding) throws {
        let bytes = try #require("start;end\n1;2\n".data(using: encoding))
        var table = CSVRows()
        let error = #expect(throws: EnergyError.self) {
            _ = try table.read(Array(bytes)[...])
            _ = try table.finish()
        }
        #expect(error?.message == "line 1: the text is UTF-16, or no text: save it as CSV in UTF-8")
    }

    @Test(arguments: UInt64(0)..<100)
    func `random bytes never trap`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("a1,;\"\r\n\u{FEFF}é-.:T ".utf8)
        let bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0
        }
        var table = CSVRows()
        _ = try? table.read(bytes[...])
        _ = try? table.finish()
    }
}
