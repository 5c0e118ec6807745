import EnergyModel
import Foundation
import Tariffs
import Testing

/// Contracts as utilities publish them, if the data are there. The prices expected here were found from the same files by
/// another program (Python, with zoneinfo), not by this one.
@Suite(.enabled(if: TariffParts.isThere, "needs ../shared/data/tariffs")) struct RealTariffTests {
    private static let fourthOfJuly = [Holiday(.date(year: 2025, Season.Day(month: 7, day: 4)!))]

    @Test(
        arguments: [
            ("2025-01-15T03:30:00-08:00", 180_810, 201_350), ("2025-01-15T10:00:00-08:00", 157_540, 117_900),
            ("2025-01-15T16:00:00-08:00", 394_040, 382_250), ("2025-01-18T20:59:00-08:00", 394_040, 382_250),
            ("2025-07-16T15:59:59-07:00", 180_810, 191_280), ("2025-07-16T16:00:00-07:00", 394_040, 513_240),
            ("2025-07-19T17:00:00-07:00", 394_040, 342_340), ("2025-07-20T22:00:00-07:00", 180_810, 191_280),
            // On the days when the clocks change: 03:30 in March, the second 01:30 in November.
            ("2025-03-09T10:30:00Z", 180_810, 201_350), ("2025-11-02T09:30:00Z", 180_810, 201_350),
            // Around the ends of summer.
            ("2025-05-31T20:00:00-07:00", 394_040, 382_250), ("2025-06-01T20:00:00-07:00", 394_040, 342_340),
            ("2025-10-01T04:00:00Z", 180_810, 191_280), ("2025-10-01T07:00:00Z", 180_810, 201_350),
        ] as [(String, Int64, Int64)])
    func `PG&E BEV-2-S and SCE TOU-EV-9 cost what their sheets say`(time: String, pge: Int64, sce: Int64) throws {
        #expect(try TariffParts.micros(TariffParts.file("urdb/PGE_BEV-2-S.json").plan, time) == pge)
        #expect(try TariffParts.micros(TariffParts.file("urdb/SCE_TOU-EV-9.json").plan, time) == sce)
    }

    @Test func `a holiday has the weekend's prices`() throws {
        let terms = try TariffParts.terms(holidays: Self.fourthOfJuly)
        let plan = try TariffParts.file("urdb/SCE_TOU-EV-9.json", terms).plan
        #expect(try TariffParts.micros(plan, "2025-07-04T17:00:00-07:00") == 342_340)
        #expect(
            try TariffParts.micros(TariffParts.file("urdb/SCE_TOU-EV-9.json").plan, "2025-07-04T17:00:00-07:00")
                == 513_240)
    }

    @Test func `labels name the peaks`() throws {
        let (sce, pge) = (
            try TariffParts.file("urdb/SCE_TOU-EV-9.json"), try TariffParts.file("urdb/PGE_BEV-2-S.json")
        )
        let peaks = Dictionary(sce.plan.zones.map { ($0.name, $0.peak) }, uniquingKeysWith: { a, _ in a })
        #expect(
            peaks == [
                "Winter Super-Off-Peak": .superOffPeak, "Winter Off-Peak": .offPeak, "Winter Mid-Peak": .partialPeak,
                "Summer Off-Peak": .offPeak, "Summer Mid-Peak": .partialPeak, "Summer On-Peak": .onPeak,
            ])
        #expect(Set(pge.plan.zones.map(\.peak)) == [.superOffPeak, .offPeak, .onPeak])
        #expect(pge.format == .urdb)
        #expect(sce.plan.zones.allSatisfy { !$0.isPeakDerived })
        #expect(pge.plan.zones.count == 5, "one for each part of the day: all days and months are alike")
        #expect(sce.findings.filter { $0.severity != .note } == [])
        #expect(sce.findings.contains { $0.message.contains("in force from 2024-10-01") })
    }

    @Test func `a rate with tiers keeps them, and says which period is never used`() throws {
        let tariff = try TariffParts.file("urdb/reopt_multi_tier_urdb_response.json")
        let summer = try #require(tariff.plan.zones.first { !$0.tiers.isEmpty })
        #expect(summer.price.microsPerKilowattHour == 78_891)
        #expect(summer.tiers.map(\.above.kilowattHours) == [20_000])
        #expect(summer.tiers.map(\.price.microsPerKilowattHour) == [60_000])
        #expect(tariff.findings.first { $0.severity == .warning }?.place == "energyratestructure[0]")
        #expect(tariff.plan.zones.allSatisfy { $0.peak == .unknown }, "one price in a season is no peak")
    }

    @Test(arguments: ["urdb/PGE_BEV-2-S.json", "urdb/SCE_TOU-EV-9.json", "urdb/reopt_multi_tier_urdb_response.json"])
    func `what is written as URDB reads as the same plan`(name: String) throws {
        let plan = try TariffParts.file(name).plan
        let again = try TariffFormat.read(TariffFormat.urdb.write(plan), try TariffParts.terms())
        var expected = plan
        expected.name = again.plan.name
        #expect(again.plan == expected)
        #expect(again.format == .urdb)
    }

    @Test(
        arguments: [
            // Summer: 1 June to 30 September; times are Los Angeles'.
            ("acnportal/sce_tou_ev_4_march_2019.json", "2025-07-16T12:00:00-07:00", 266_680),
            ("acnportal/sce_tou_ev_4_march_2019.json", "2025-07-16T07:59:59-07:00", 56_230),
            ("acnportal/sce_tou_ev_4_march_2019.json", "2025-07-19T13:00:00-07:00", 56_230),
            ("acnportal/sce_tou_ev_4_march_2019.json", "2025-01-15T13:00:00-08:00", 86_900),
            ("acnportal/sce_tou_ev_8_june_2019.json", "2025-09-30T20:59:00-07:00", 496_190),
            ("acnportal/sce_tou_ev_8_june_2019.json", "2025-10-01T20:59:00-07:00", 297_000),
            ("acnportal/sce_tou_ev_8_june_2019.json", "2025-06-01T16:00:00-07:00", 255_630),
            ("acnportal/sce_tou_ev_8_june_2019.json", "2025-12-31T12:00:00-08:00", 77_240),
            ("acnportal/sce_tou_ev_8_oct_2018.json", "2025-05-31T12:00:00-07:00", 39_640),
        ] as [(String, String, Int64)])
    func `acnportal's schedules cost what they say`(name: String, time: String, micros: Int64) throws {
        let tariff = try TariffParts.file(name)
        #expect(tariff.format == .acnportal)
        #expect(try TariffParts.micros(tariff.plan, time) == micros)
    }

    @Test(arguments: TariffFormat.allCases.filter { $0 != .openadr })
    func `a contract goes through each format that can hold it`(format: TariffFormat) throws {
        let plan = try TariffParts.file("acnportal/sce_tou_ev_8_june_2019.json").plan
        let again = try TariffFormat.read(format.write(plan), try TariffParts.terms())
        #expect(again.format == format)
        try TariffParts.expectSamePrices(plan, again.plan)
        #expect(again.findings.filter { $0.severity == .error } == [])
    }

    @Test func `peaks without labels follow the prices of their season`() throws {
        let plan = try TariffParts.file("acnportal/sce_tou_ev_8_june_2019.json").plan
        func peak(_ time: String) throws -> TariffPeak { plan.rate(at: try TariffParts.time(time)).peak }
        #expect(try peak("2025-07-16T17:00:00-07:00") == .onPeak)
        #expect(try peak("2025-07-16T10:00:00-07:00") == .offPeak)
        #expect(try peak("2025-07-19T17:00:00-07:00") == .partialPeak)
        #expect(try peak("2025-01-15T10:00:00-08:00") == .offPeak)
        #expect(try peak("2025-01-15T03:00:00-08:00") == .partialPeak)
        #expect(plan.zones.allSatisfy { $0.isPeakDerived })
    }
}
