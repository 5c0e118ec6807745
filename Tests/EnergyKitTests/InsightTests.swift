import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import Testing

@testable import EnergyKit

struct InsightTests {
    private let queries = Box<[InsightQuery]>([])

    private func query(
        _ range: DateInterval, options: ElectricityInsightQuery.Options = [.cleanliness, .tariff]
    ) -> ElectricityInsightQuery {
        ElectricityInsightQuery(options: options, range: range, granularity: .daily, flowDirection: .imported)
    }

    private let day = DateInterval(start: Made.start, duration: 86_400)

    private func record(_ start: Timestamp, byTariff: [TariffPeak: InsightAmount]?) -> InsightRecord {
        let amount = InsightAmount(energy: Energy(milliwattHours: 3_000_000), runtimeMilliseconds: 1_500)
        return InsightRecord(
            interval: Interval(start: start, milliseconds: .millisecondsPerDay), total: amount,
            byCleanliness: [.cleaner: amount], byTariff: byTariff)
    }

    private func services(byTariff: [TariffPeak: InsightAmount]?) -> FakeServices {
        FakeServices { methods in
            methods.on(Methods.queryInsights) { [queries] (query, _, write) async throws(EnergyError) in
                queries.update { $0.append(query) }
                try await write(
                    InsightPage(records: [record(EventSamples.now, byTariff: byTariff)], applied: []))
            }
        }
    }

    @Test func `energy and run time come with the breakdowns that were asked for`() async throws {
        let amount = InsightAmount(energy: Energy(milliwattHours: 1), runtimeMilliseconds: 1)
        try await services(byTariff: [.offPeak: amount, .unknown: .zero]).use {
            let service = ElectricityInsightService()
            var energies: [ElectricityInsightRecord<Measurement<UnitEnergy>>] = []
            for await record in try await service.energyInsights(
                forDeviceID: "car", using: query(day), atVenue: EventSamples.venueID)
            { energies.append(record) }
            #expect(energies.count == 1)
            #expect(energies.first?.range == day)
            #expect(energies.first?.totalEnergy == Measurement(value: 3, unit: .kilowattHours))
            #expect(energies.first?.totalRuntime == nil)
            #expect(energies.first?.dataByGridCleanliness?.cleaner == Measurement(value: 3, unit: .kilowattHours))
            #expect(energies.first?.dataByGridCleanliness?.lessClean == nil)
            #expect(energies.first?.dataByTariffPeak?.offPeak?.value == 1)

            let runtimes = try await service.runtimeInsights(
                forDeviceID: "car", using: query(day), atVenue: EventSamples.venueID)
            let runtime = await runtimes.first { $0.range.start == day.start }
            #expect(runtime?.totalRuntime == .milliseconds(1_500))
            #expect(runtime?.totalEnergy == nil)
            #expect(queries.value.first?.deviceID == "car")
            #expect(queries.value.first?.exactRange == false)
        }
    }

    @Test func `of heating and cooling there is run time, and no energy`() async throws {
        let amount = InsightAmount(energy: .zero, runtimeMilliseconds: 1_500, weightedRuntimeMilliseconds: 500)
        let record = InsightRecord(
            interval: Interval(start: EventSamples.now, milliseconds: .millisecondsPerDay), total: amount,
            byCleanliness: [.cleaner: amount], byTariff: [.offPeak: amount])
        let services = FakeServices { methods in
            methods.on(Methods.queryInsights) { (_, _, write) async throws(EnergyError) in
                try await write(InsightPage(records: [record], applied: []))
            }
        }
        try await services.use {
            let service = ElectricityInsightService()
            let energies = try await service.energyInsights(
                forDeviceID: "pump", using: query(day), atVenue: EventSamples.venueID)
            let energy = await energies.first { _ in true }
            #expect(energy != nil)
            #expect(energy?.totalEnergy == nil)
            #expect(energy?.dataByGridCleanliness?.cleaner == nil)
            #expect(energy?.dataByTariffPeak == nil)
            let runtimes = try await service.runtimeInsights(
                forDeviceID: "pump", using: query(day), atVenue: EventSamples.venueID)
            let runtime = await runtimes.first { _ in true }
            #expect(runtime?.totalRuntime == .milliseconds(1_500))
            #expect(runtime?.dataByGridCleanliness?.cleaner == .milliseconds(1_500))
        }
    }

    @Test func `without a known rate there is no breakdown by rate`() async throws {
        try await services(byTariff: [.unknown: .zero]).use {
            let stream = try await ElectricityInsightService().energyInsights(
                forDeviceID: "car", using: query(day), atVenue: EventSamples.venueID)
            #expect(await stream.next()?.dataByTariffPeak == nil)
        }
    }

    @Test func `one question at a time`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let slow = FakeServices { methods in
            methods.on(Methods.queryInsights) { (_, _, _) async throws(EnergyError) in
                ask.yield()
                await answers.next()
            }
        }
        try await slow.use {
            let service = ElectricityInsightService()
            let first = Task {
                try await service.energyInsights(
                    forDeviceID: "car", using: query(day), atVenue: EventSamples.venueID)
            }
            await asked.next()
            let error = await #expect(throws: EnergyKitError.self) {
                try await service.runtimeInsights(
                    forDeviceID: "car", using: query(day), atVenue: EventSamples.venueID)
            }
            #expect(error == .inProgress)
            answer.yield()
            _ = try await first.value
            answer.yield()
            _ = try await service.runtimeInsights(
                forDeviceID: "car", using: query(day), atVenue: EventSamples.venueID)
        }
    }

    @Test func `no range is refused: the longest are asked in parts, the odd ones are cut`() {
        let now = EventSamples.now
        func parts(_ start: Date, _ end: Date) -> [Interval] {
            InsightQuestion.parts(of: DateInterval(start: start, end: end), now: now)
        }
        for (start, end) in [
            (Date.distantPast, Date.distantFuture), (.distantPast, now.date), (.distantPast, .distantPast),
            (.distantFuture, .distantFuture), (now.date, now.date),
            (Date(timeIntervalSince1970: -.infinity), Date(timeIntervalSince1970: .infinity)),
        ] {
            let parts = parts(start, end)
            #expect(1...16 ~= parts.count)
            #expect(parts.allSatisfy { $0.milliseconds <= 5 * 365 * .millisecondsPerDay })
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.end == $1.start })
        }
        #expect(parts(.distantPast, now.date).first?.start.unixMilliseconds == 0)
        #expect(parts(.distantPast, now.date).last?.end == now)
    }
}
