internal import EnergyModel
internal import Foundation
internal import InsightFiles

extension Pages {
    func history(_ request: PageRequest) async -> Reply {
        await page(.history, request) { (context) async throws(EnergyError) in
            var question = question(request, context)
            var answer = try await answer(question, context)
            if request["split"] == nil, !answer.saysHowClean {
                question.split = .tariff
                answer = try await self.answer(question, context)
            }
            return HistoryPage(context: context, answer: answer, names: await names(context)).html()
        }
    }

    /// The same as a table for other programs.
    func historyFile(_ request: PageRequest) async -> Reply {
        do throws(EnergyError) {
            guard let context = try await context(request) else { return notFound(request) }
            try HistoryQuestion.check(request, in: context.venue.timeZone)
            let question = question(request, context)
            let interval = question.interval(in: context.venue.timeZone)
            let query = question.insights(context.venue, interval, grouping: .device)
            var file = InsightCSV(InsightFileSubject(venue: context.venue, query: query, written: context.now))
            let text = file.text(of: try await reader.insights(query))
            let name = "gridtide-\(context.formats.isoDate(interval.start)).csv"
            return Reply(
                contentType: "text/csv; charset=utf-8", body: Array(text.utf8),
                headers: [("content-disposition", "attachment; filename=\"\(name)\"")])
        } catch { return .refusal(error.message, status: error.httpStatus) }
    }

    func question(_ request: PageRequest, _ context: PageContext) -> HistoryQuestion {
        HistoryQuestion(
            now: context.now, in: context.venue.timeZone, firstWeekday: context.formats.firstWeekday
        ) { request[$0] }
    }

    func answer(
        _ question: HistoryQuestion, _ context: PageContext
    ) async throws(EnergyError) -> HistoryAnswer {
        let (venue, zone) = (context.venue, context.venue.timeZone)
        let (interval, previous) = (question.interval(in: zone), question.previous(in: zone))
        async let earlier = attempt { () async throws(EnergyError) in
            try await reader.insights(question.insights(venue, previous))
        }
        async let part = attempt { () async throws(EnergyError) in
            guard let part = question.comparedPart(context.now, in: zone) else { return [InsightRecord]() }
            return try await reader.insights(
                question.insights(venue, part, granularity: question.partGranularity))
        }
        async let devices = attempt { () async throws(EnergyError) in
            try await reader.insights(question.insights(venue, interval, grouping: .device))
        }
        async let saved = attempt { () async throws(EnergyError) in
            let sessions = SessionQuery(venueID: venue.id, deviceID: question.deviceID, range: interval)
            return try await reader.savings(SavingsQuery(sessions: sessions, newest: SavingsView.linesMax))
        }
        let records = try await reader.insights(question.insights(venue, interval))
        return HistoryAnswer(
            question, zone: zone, now: context.now, records: records, earlier: try await earlier.get(),
            part: try await part.get(), devices: try await devices.get(), saved: try await saved.get())
    }

    /// What devices are called, as far as the scheduler can say.
    func names(_ context: PageContext) async -> [String: String] {
        let known = await attempt { () async throws(EnergyError) in try await reader.devices(context.venue).value }
        let devices = ((try? known.get()) ?? []).map(\.device)
        return Dictionary(devices.map { ($0.id, $0.name(among: devices)) }) { first, _ in first }
    }
}
