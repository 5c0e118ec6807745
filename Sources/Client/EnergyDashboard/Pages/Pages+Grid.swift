internal import EnergyModel

extension Pages {
    /// Of the past so much is shown.
    private static let pastMilliseconds = 48 * Int64.millisecondsPerHour

    func grid(_ request: PageRequest) async -> Reply {
        await page(.grid, request) { context in
            let (venue, now) = (context.venue, context.now)
            let end = now.floored(toMilliseconds: .millisecondsPerHour)
            let interval = Interval(
                start: end.advanced(byMilliseconds: -Self.pastMilliseconds), milliseconds: Self.pastMilliseconds)
            async let guidance = attempt { () async throws(EnergyError) in try await reader.guidance(venue) }
            async let sources = attempt { () async throws(EnergyError) in try await reader.sources(venue) }
            async let past = attempt { () async throws(EnergyError) in try await reader.past(venue, interval) }
            async let ratePlan = attempt { () async throws(EnergyError) in try await reader.ratePlan(venue) }
            var content = GridPage.Content()
            content.skill = (try? await guidance.get())?.value.basis.forecastSkill
            content.sources = await content.refusals.keep(sources)
            content.past = await content.refusals.keep(past).map {
                PastChart(expected: $0.expected, came: $0.came, in: interval, now: now, formats: context.formats)
            }
            content.ratePlan = await content.refusals.keep(ratePlan) ?? nil
            return GridPage(context: context, content: content).html()
        }
    }
}
