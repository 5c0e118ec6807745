import EnergyModel
import GridSignals
import Testing

/// Tibber and Amber: what a customer pays, with the customer's own token.
@Suite struct CustomerPriceTests {
    // MARK: Tibber

    private static func tibberBody(tomorrow: String) -> String {
        """
        {"data":{"viewer":{"homes":[
        {"id":"c70dcbe5","currentSubscription":{"priceInfo":{"today":[
        {"total":0.2456,"startsAt":"2025-10-26T02:45:00.000+02:00","currency":"NOK"},
        {"total":-0.0123,"startsAt":"2025-10-26T02:00:00.000+01:00","currency":"NOK"},
        {"total":null,"startsAt":"2025-10-26T02:15:00.000+01:00","currency":"NOK"},
        {"total":0.5,"startsAt":"2025-10-26T02:30:00.000+01:00","currency":"NOK"}],"tomorrow":\(tomorrow)}}},
        {"id":"96a14971","currentSubscription":null}]}}}
        """
    }

    private static func tibber(
        _ reply: ReplayServer.Reply, home: String? = nil, currency: String = "NOK"
    ) async throws -> FetchedSignals {
        let server = try ReplayServer { _ in reply }
        let fetched = try await PriceReplay.fetch(
            try TibberPrice(home: home, token: "geheim-1", currency: currency, endpoint: server.url),
            "2025-10-26T00:00:00Z", "2025-10-28T00:00:00Z")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/v1-beta/gql")
        #expect(request.headers["authorization"] == "Bearer geheim-1")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.body.contains("priceInfo(resolution:QUARTER_HOURLY)"))
        return fetched
    }

    private static func tibberFailure(
        _ reply: ReplayServer.Reply, home: String? = nil, currency: String = "NOK"
    ) async throws -> EnergyError {
        let error = await #expect(throws: EnergyError.self) { try await tibber(reply, home: home, currency: currency) }
        let found = try #require(error)
        #expect(!found.message.contains("geheim"))
        return found
    }

    @Test(arguments: ["[]", "null"])
    func `Tibber's quarter-hours pass through the hour that clocks repeat, tomorrow unknown`(
        tomorrow: String
    ) async throws {
        let fetched = try await Self.tibber(.json(Self.tibberBody(tomorrow: tomorrow)))
        #expect(fetched.micros == [245_600, -12_300, 500_000])
        #expect(fetched.begins == ["2025-10-26T00:45:00Z", "2025-10-26T01:00:00Z", "2025-10-26T01:30:00Z"])
        #expect(fetched.minutes == [15, 15, 15])
    }

    @Test func `Tibber's tomorrow follows today`() async throws {
        let row = #"[{"total":0.1,"startsAt":"2025-10-26T02:45:00.000+01:00","currency":"NOK"}]"#
        let fetched = try await Self.tibber(.json(Self.tibberBody(tomorrow: row)), home: "c70dcbe5")
        #expect(fetched.micros == [245_600, -12_300, 500_000, 100_000])
    }

    @Test(arguments: [200, 400])
    func `Tibber's errors stand in the body, with whatever status`(status: Int) async throws {
        func failure(_ code: String) async throws -> EnergyError {
            try await Self.tibberFailure(
                .answer(
                    status, headers: ["Content-Type": "application/json"],
                    #"{"errors":[{"message":"No: geheim-1","extensions":{"code":"\#(code)"}}],"data":null}"#))
        }
        #expect(try await failure("UNAUTHENTICATED").code == .denied)
        #expect(try await failure("TOO_MANY_REQUESTS").code == .rateLimited)
        #expect(try await failure("INTERNAL_SERVER_ERROR").code == .unavailable)
        let other = try await failure("GRAPHQL_VALIDATION_FAILED")
        #expect(other.code == .invalidInput)
        #expect(other.message == "Tibber refuses: No: …")
    }

    @Test func `Tibber's 401 and 429 are told apart`() async throws {
        #expect(try await Self.tibberFailure(.answer(401, "")).code == .denied)
        #expect(try await Self.tibberFailure(.answer(429, headers: ["Retry-After": "9"], "")).code == .rateLimited)
    }

    @Test func `a home without contract, or that is not there, is not found`() async throws {
        let body = Self.tibberBody(tomorrow: "[]")
        #expect(try await Self.tibberFailure(.json(body), home: "96a14971").code == .notFound)
        #expect(try await Self.tibberFailure(.json(body), home: "0").code == .notFound)
        let two = body.replacing(
            "\"currentSubscription\":null", with: #""currentSubscription":{"priceInfo":{"today":[]}}"#)
        let error = try await Self.tibberFailure(.json(two))
        #expect(error.message == "Tibber has 2 homes with a contract: say which")
    }

    @Test func `Tibber in another currency or form is refused`() async throws {
        let error = try await Self.tibberFailure(.json(Self.tibberBody(tomorrow: "[]")), currency: "SEK")
        #expect(error.message == "the prices are in NOK, not SEK")
        for body in [#"{"data":null}"#, #"{"data":{"viewer":{}}}"#, "[]", #"{"data":{"viewer":{"homes":[{}]}}}"#] {
            #expect(try await Self.tibberFailure(.json(body)).code == .invalidInput)
        }
    }

    // MARK: Amber

    private static let amberBody = """
        [{"type":"ActualInterval","duration":30,"spotPerKwh":6.12,"perKwh":24.33,"date":"2025-06-01",\
        "nemTime":"2025-06-01T12:00:00+10:00","startTime":"2025-06-01T01:30:01Z","endTime":"2025-06-01T02:00:00Z",\
        "renewables":45,"channelType":"general","spikeStatus":"none","descriptor":"neutral","tariffInformation":null},
        {"type":"CurrentInterval","duration":30,"perKwh":-3.5,"startTime":"2025-06-01T02:00:01Z",\
        "endTime":"2025-06-01T02:30:00Z","channelType":"general","spikeStatus":"potential","estimate":true},
        {"type":"ForecastInterval","duration":30,"perKwh":900,"startTime":"2025-06-01T02:30:01Z",\
        "endTime":"2025-06-01T03:00:00Z","channelType":"general","spikeStatus":"spike",\
        "advancedPrice":{"low":800,"predicted":1520.125,"high":1800}},
        {"type":"ForecastInterval","duration":30,"perKwh":null,"startTime":"2025-06-01T03:00:01Z",\
        "endTime":"2025-06-01T03:30:00Z","channelType":"general","spikeStatus":"none"},
        {"type":"ActualInterval","duration":30,"perKwh":1.25,"startTime":"2025-06-01T01:30:01Z",\
        "endTime":"2025-06-01T02:00:00Z","channelType":"feedIn","spikeStatus":"none"},
        {"type":"ForecastInterval","duration":30,"perKwh":-2049,"startTime":"2025-06-01T02:30:01Z",\
        "endTime":"2025-06-01T03:00:00Z","channelType":"feedIn","spikeStatus":"spike"}]
        """

    private static func amber(
        _ reply: ReplayServer.Reply, channel: AmberPrice.Channel = .general
    ) async throws -> FetchedSignals {
        let server = try ReplayServer { _ in reply }
        let source = try AmberPrice(site: "01F5A5CRKM", channel: channel, token: "geheim-1", endpoint: server.url)
        #expect(source.name == "amber:01F5A5CRKM-\(channel)")
        let fetched = try await PriceReplay.fetch(source, "2025-05-31T13:30:00Z", "2025-06-02T14:00:00Z")
        let request = try #require(server.requests.first)
        #expect(request.path == "/v1/sites/01F5A5CRKM/prices")
        // Days of the market begin at 14:00 UTC.
        #expect(request.query == ["startDate": "2025-05-31", "endDate": "2025-06-03", "resolution": "30"])
        #expect(request.headers["authorization"] == "Bearer geheim-1")
        return fetched
    }

    @Test func `Amber's past is known, and what is to come is a forecast, by its own prediction`() async throws {
        let fetched = try await Self.amber(.json(Self.amberBody))
        #expect(fetched.micros == [243_300, -35_000, 15_201_250])
        #expect(fetched.points.map(\.isEstimated) == [false, true, true])
        // One second late as it comes.
        #expect(fetched.begins == ["2025-06-01T01:30:00Z", "2025-06-01T02:00:00Z", "2025-06-01T02:30:00Z"])
        #expect(fetched.minutes == [30, 30, 30])
    }

    @Test func `what Amber pays for export is positive`() async throws {
        let fetched = try await Self.amber(.json(Self.amberBody), channel: .feedIn)
        #expect(fetched.micros == [-12_500, 20_490_000])
    }

    @Test func `a channel that the site does not have is not found`() async throws {
        let error = await #expect(throws: EnergyError.self) {
            try await Self.amber(.json(Self.amberBody), channel: .controlledLoad)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `Amber's 401, 404 and other forms are told apart`() async throws {
        let replies: [(ReplayServer.Reply, EnergyError.Code)] = [
            (.answer(401, ""), .denied), (.answer(404, ""), .notFound), (.json("{}"), .invalidInput),
            (.json("[{"), .unavailable), (.half(Self.amberBody), .unavailable),
            (.json(Self.amberBody.replacing("2025-06-01T01:30:01Z", with: "soon")), .invalidInput),
        ]
        for (reply, code) in replies {
            let error = await #expect(throws: EnergyError.self) { try await Self.amber(reply) }
            #expect(error?.code == code)
            #expect(error?.message.contains("geheim") == false)
        }
    }

    @Test(arguments: ["", "a b", "a\r\nHost: x", "schlüssel"])
    func `a token that no header can hold is refused, and not shown`(token: String) throws {
        let errors = [
            #expect(throws: EnergyError.self) { try TibberPrice(token: token, currency: "NOK") },
            #expect(throws: EnergyError.self) { try AmberPrice(site: "1", token: token) },
            #expect(throws: EnergyError.self) { try EntsoePrice(zone: "BE", token: token) },
        ]
        for error in errors where !token.isEmpty { #expect(error?.message.contains(token) == false) }
    }
}
