import EnergyModel
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("90s", Duration.seconds(90)), ("500ms", .milliseconds(500)), ("15m", .seconds(900)),
        ("6h", .seconds(21_600)), ("-30d", .seconds(-2_592_000)), ("2w", .seconds(1_209_600)),
        ("PT1H30M", .seconds(5_400)), ("-P30D", .seconds(-2_592_000)), ("P1DT12H", .seconds(129_600)), ("0", .zero),
    ])
    func `durations are read as people write them`(text: String, duration: Duration) {
        #expect(Duration(text: text) == duration)
    }

    @Test(arguments: [
        "", "s", "-", "P", "PT", "1y", "P1Y", "P1M", "1.5h", "soon", "90", "-5", "5 s", "--5s", "PT1H30",
        "99999999999999999999",
        "9223372036854775807w", "P9223372036854775807W", "P1D12H", "PT5D", "٣s",
    ])
    func `what is no duration, or too long, is refused`(text: String) {
        #expect(Duration(text: text) == nil)
    }
}
