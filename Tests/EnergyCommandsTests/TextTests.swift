import EnergyModel
import Testing

@testable import EnergyCommands

struct TextTests {
    @Test func `a tax is shown with all its decimals`() {
        let texts = [82_500, 190_000, 0, 1].map { Quantities.exactPercent(partsPerMillion: $0) }
        #expect(texts == ["8.25 %", "19 %", "0 %", "0.0001 %"])
    }

    @Test(
        arguments: [
            (12_345_678, "12.35"), (0, "0.00"), (4_999, "<0.01"), (5_000, "0.01"), (999_995_000, "1000.00"),
            (-1_500_000, "-1.50"), (.max, "9223372036854.78"), (.min, "-9223372036854.78"),
        ] as [(Int64, String)])
    func `kilowatt-hours are rounded from whole milliwatt-hours`(energy: Int64, text: String) {
        #expect(Quantities.kilowattHours(Energy(milliwattHours: energy)) == text)
    }

    @Test(
        arguments: [
            (0, "0 s"), (59_000, "59 s"), (720_000, "12 min"), (7_500_000, "2 h 5 min"), (7_200_000, "2 h"),
            (273_600_000, "3 d 4 h"), (-5, "0 s"), (.max, "106751991167 d 7 h"),
        ] as [(Int64, String)])
    func `lengths have their two largest units`(milliseconds: Int64, text: String) {
        #expect(Quantities.length(milliseconds: milliseconds) == text)
    }

    @Test func `nothing is never below nothing`() {
        #expect(Quantities.kilowatts(milliwatts: -1) == "0.00")
        #expect(Quantities.price(Price(microsPerKilowattHour: -499)) == "0.000")
        #expect(Quantities.rating(-0.001) == "0.00" && Quantities.rating(-0.0) == "0.00")
        #expect(Quantities.kilowatts(milliwatts: -10_000) == "-0.01")
    }

    @Test func `run time is hours and minutes`() {
        #expect(Quantities.runtime(milliseconds: 6_000_000) == "1:40")
        #expect(Quantities.runtime(milliseconds: 10) == "<0:01")
        #expect(Quantities.runtime(milliseconds: 90_000_000) == "25:00")
    }

    @Test func `prices have three decimals and may be negative`() {
        #expect(Quantities.price(Price(microsPerKilowattHour: 243_210)) == "0.243")
        #expect(Quantities.price(Price(microsPerKilowattHour: -5_500)) == "-0.006")
    }

    @Test(arguments: [
        (0.0, Verdict.good), (0.3, .good), (0.304, .good), (0.306, .fair), (0.604, .fair), (0.606, .avoid), (1, .avoid),
        (.nan, .avoid),
    ])
    func `a rating has one word, thresholds on the better side`(rating: Double, verdict: Verdict) {
        #expect(Verdict(rating: rating) == verdict)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `a number that is none does not stop the output`(number: Double) {
        #expect(Quantities.rating(number) == "?")
        #expect(Quantities.carbonIntensity(number) == "?")
        #expect(Quantities.percent(number) == "?")
        #expect(Style.plain.bar(number, cells: 8).count == 8)
    }

    @Test func `names cannot steer the terminal`() {
        #expect(TerminalText.safe("a\u{1B}[31mb\u{7}\nc\u{202E}d") == "a [31mb  c d")
    }

    @Test func `wide characters take two columns`() {
        #expect(TerminalText.width("Zuhause") == 7)
        #expect(TerminalText.width("家") == 2)
        #expect(TerminalText.width("e\u{301}") == 1)
        #expect(TerminalText.width("🚗") == 2)
        #expect(TerminalText.cut("家家家", to: 4, ellipsis: "…") == "家…")
    }

    @Test func `text is wrapped at words`() {
        #expect(TerminalText.wrap("one two three", to: 8) == ["one two", "three"])
        #expect(TerminalText.wrap("one two three", to: nil) == ["one two three"])
        // What is aligned by spaces stays aligned, except where a line ends.
        #expect(TerminalText.wrap("  ab  cd   e f  g", to: 10) == ["ab  cd   e", "f  g"])
        #expect(TerminalText.wrap("a  b", to: 80, indent: "  ") == ["  a  b"])
    }

    @Test func `words of the code become words of people and of the contract`() {
        #expect(Words.spaced("waitingForCleanerEnergy") == "waiting for cleaner energy")
        #expect(Words.snake("superOffPeak") == "super_off_peak")
    }
}

struct StyleTests {
    @Test func `colour is for terminals, and for those who want it`() {
        let utf8 = ["LANG": "en_GB.UTF-8"]
        #expect(Style(terminalWidth: 80, environment: utf8).hasColor)
        #expect(!Style(terminalWidth: nil, environment: utf8).hasColor)
        #expect(!Style(terminalWidth: 80, environment: ["NO_COLOR": "1"]).hasColor)
        #expect(Style(terminalWidth: 80, environment: ["NO_COLOR": ""]).hasColor)
        #expect(!Style(terminalWidth: 80, environment: ["TERM": "dumb"]).hasColor)
    }

    @Test func `a locale without UTF-8 gets ASCII`() {
        #expect(Style(terminalWidth: 80, environment: ["LANG": "de_DE.utf8"]).hasUnicode)
        #expect(Style(terminalWidth: 80, environment: [:]).hasUnicode)
        #expect(!Style(terminalWidth: 80, environment: ["LC_ALL": "C", "LANG": "de_DE.UTF-8"]).hasUnicode)
    }

    @Test func `bars are as long as their number, in eighths`() {
        #expect(Style.plain.bar(0.5, cells: 4) == "██░░")
        #expect(Style.plain.bar(0.53125, cells: 4) == "██▏░")
        #expect(Style.plain.bar(0, cells: 4) == "░░░░")
        #expect(Style.plain.bar(7, cells: 4) == "████")
        #expect(Style(hasColor: false, hasUnicode: false, width: 80).bar(0.5, cells: 4) == "##..")
    }
}

struct TableTests {
    private var table: Table {
        var table = Table([
            .init("name", shrinks: true), .init("kWh", .right), .init("zone", dropOrder: 1), .init("empty"),
        ])
        table.add(["A very long name of a device", "1.00", "Europe/Berlin", ""])
        table.add(["B", "12.34", "Europe/Rome", ""])
        return table
    }

    @Test func `columns are aligned and empty ones left out`() {
        #expect(
            table.lines(.plain) == [
                "name                            kWh  zone",
                "A very long name of a device   1.00  Europe/Berlin",
                "B                             12.34  Europe/Rome",
            ])
    }

    @Test func `a column that has room is shown although a wide one that comes before has none`() {
        var table = Table([.init("name"), .init("id", dropOrder: 0), .init("zone", dropOrder: 1)])
        table.add(["Home", "ec1e2519-293b-4e25-89d3-2dbcc5507f9a", "Europe/Rome"])
        let lines = table.lines(Style(hasColor: false, hasUnicode: true, width: 30))
        #expect(lines == ["name  zone", "Home  Europe/Rome"])
    }

    @Test func `a narrow terminal cuts, then drops, then cuts again`() {
        #expect(
            table.lines(Style(hasColor: false, hasUnicode: true, width: 40)) == [
                "name                  kWh  zone",
                "A very long name …   1.00  Europe/Berlin",
                "B                   12.34  Europe/Rome",
            ])
        #expect(
            table.lines(Style(hasColor: false, hasUnicode: true, width: 24)) == [
                "name                 kWh",
                "A very long name…   1.00",
                "B                  12.34",
            ])
    }
}
