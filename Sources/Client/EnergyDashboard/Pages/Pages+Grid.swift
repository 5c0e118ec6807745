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
            let ahead = (try? await guidance.get())?.value
            content.skill = ahead?.basis.forecastSkill
            content.sources = await content.refusals.keep(sources, in: context)
            content.past = await content.refusals.keep(past, in: context).map {
                PastChart(expected: $0.expected, came: $0.came, in: interval, now: now, formats: context.formats)
            }
            content.ratePlan = await content.refusals.keep(ratePlan, in: context)
            if let plan = content.ratePlan ?? nil, plan.priceSource != nil {
                let week = DailyPrices.interval(at: now, in: venue.timeZone)
                async let months = reader.months(venue, plan.currency, now: now)
                let past = await content.refusals.keep(
                    attempt { () async throws(EnergyError) in try await reader.came(venue, week) },
                    in: context)
                content.dailyPrices = DailyPrices(
                    past: past ?? [], ahead: ahead?.values ?? [], currency: plan.currency, formats: context.formats)
                content.monthlyPrices = MonthlyPrices(months: await months, formats: context.formats)
            }
            return GridPage(context: context, content: content).html()
        }
    }
}
