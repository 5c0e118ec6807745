internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// The HTTP API under `/api/v1`: what the pages show and change, for programs.
struct API: Sendable {
    let pages: Pages

    func venues(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            VenuesDocument(venues: try await pages.reader.venues().value.map(VenueDocument.init))
        }
    }

    func guidance(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let context = try await context(request)
            // A program is told that a service is away, not what was known before.
            let guidance = try await pages.reader.call(
                .guidance, Methods.getGuidance, GuidanceRequest(venueID: context.venue.id, action: .shift))
            return GuidanceDocument(guidance, in: context.venue.timeZone)
        }
    }

    func devices(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let context = try await context(request)
            let statuses = try await pages.statuses(context)
            guard statuses.asOf == nil else { throw .away(.schedule) }
            return DevicesDocument(statuses.value, in: context.venue.timeZone)
        }
    }

    func history(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let context = try await context(request)
            try HistoryQuestion.check(request, in: context.venue.timeZone)
            let answer = try await pages.answer(pages.question(request, context), context)
            return HistoryDocument(answer, in: context.venue.timeZone)
        }
    }

    func activity(_ request: PageRequest) async -> Reply {
        await answer { () async throws(EnergyError) in
            let context = try await context(request)
            try request.checkDevice()
            try request.check("kind", Activity.Kind.allCases.map(\.rawValue))
            if let before = request["before"], Int64(before) == nil {
                throw .invalidInput(
                    RuleViolation(field: "before", rule: "must be Unix time in milliseconds", value: before))
            }
            let question = ActivityQuestion(now: context.now) { request[$0] }
            let found = try await pages.reader.activities(question.query(context.venue))
            return ActivityDocument(found.suffix(Pages.activitiesMax).reversed(), context.formats)
        }
    }

    static func notFound(_ request: PageRequest) -> Reply {
        problem(EnergyError(.notFound, "there is nothing at \(request.path.prefix(200))"))
    }

    /// - Parameter methods: what the path is for.
    static func notAllowed(_ request: PageRequest, _ methods: [String]) -> Reply {
        let all = methods.joined(separator: ", ")
        var reply = problem(
            .invalidInput(RuleViolation(field: "method", rule: "must be one of \(all)", value: request.method)),
            status: 405)
        reply.headers.append(("allow", all))
        return reply
    }

    // MARK: Parts

    func context(_ request: PageRequest) async throws(EnergyError) -> PageContext {
        var request = request
        let id = try id("venue", request)
        request.query.removeAll { $0.name == "venue" }
        request.query.append(("venue", id.uuidString))
        guard let context = try await pages.context(request) else { throw EnergyError(.notFound, "no such venue") }
        return context
    }

    /// A part of the path.
    func id(_ name: String, _ request: PageRequest) throws(EnergyError) -> UUID {
        let text = request.parameters[name] ?? ""
        guard let id = UUID(uuidString: text) else {
            throw .invalidInput(RuleViolation(field: name, rule: "must be a UUID", value: String(text.prefix(100))))
        }
        return id
    }

    func answer(
        status: Int = 200, _ body: () async throws(EnergyError) -> some Encodable
    ) async -> Reply {
        do throws(EnergyError) { return .json(try await body(), status: status) } catch { return Self.problem(error) }
    }

    /// Answers with nothing where the body does what was asked for.
    func done(_ body: () async throws(EnergyError) -> Void) async -> Reply {
        do throws(EnergyError) {
            try await body()
            return Reply(status: 204)
        } catch { return Self.problem(error) }
    }

    static func problem(_ error: EnergyError, status: Int? = nil) -> Reply {
        let status = status ?? error.httpStatus
        var reply = Reply.json(
            ProblemDocument(title: "\(error.code)", status: status, detail: error.message), status: status)
        reply.contentType = "application/problem+json"
        if let wait = error.retryAfterMilliseconds {
            reply.headers.append(("retry-after", "\(max(1, (wait + 999) / 1_000))"))
        }
        return reply
    }
}
