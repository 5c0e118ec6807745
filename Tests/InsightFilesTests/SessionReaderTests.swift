import EnergyModel
import Foundation
import InsightFiles
import Testing

struct SessionReaderTests {
    private static let berlin = Files.berlin

    private func read(
        _ text: String, _ format: SessionFileFormat, zone: TimeZone = berlin,
        now: Timestamp = Timestamp(unixMilliseconds: 1_798_761_600_000)
    ) throws -> [Result<PastSession, PastSessionFault>] {
        var table = CSVRows()
        let rows = try table.read(Array(text.utf8)[...]) + (try table.finish())
        let reader = try SessionReader(format, header: try #require(rows.first), zone: zone, now: now)
        return rows.dropFirst().map { row in
            do throws(PastSessionFault) { return .success(try reader.session(row)) } catch { return .failure(error) }
        }
    }

    private func fault(_ result: Result<PastSession, PastSessionFault>?) -> String? {
        if case .failure(let fault)? = result { fault.description } else { nil }
    }

    /// The same sessions as evcc writes them in two of its languages: separators, decimal marks and captions differ.
    private let english = """
        \u{FEFF}Created,Finished,Charging point,Identifier,Vehicle,Odometer (km),Meter start (kWh),Meter stop (kWh),Energy (kWh),Duration,SoC start (%),Solar (%),Price,Price/kWh,CO2/kWh (gCO2eq)
        2026-06-01 07:05:09,2026-06-01 09:15:09,Garage,,Blue e-Golf,12345,1000.5,1013,12.4567,2h10m0s,41.4,71.2,2.31,0.1863,210
        2026-06-02 22:00:00,2026-06-03 06:00:00,Garage,,Blue e-Golf,,,,20,8h0m0s,,,,,

        """
    private let german = """
        \u{FEFF}Startzeit;Endzeit;Ladepunkt;Kennung;Fahrzeug;Kilometerstand (km);Anfangszählerstand (kWh);Endzählerstand (kWh);Energie (kWh);Ladedauer;Ladestand Start (%);Sonne (%);Preis;Preis/kWh;CO2/kWh (gCO2eq)
        2026-06-01 07:05:09;2026-06-01 09:15:09;Garage;;Blue e-Golf;12345;1000,5;1013;12,4567;2h10m0s;41,4;71,2;2,31;0,1863;210
        2026-06-02 22:00:00;2026-06-03 06:00:00;Garage;;Blue e-Golf;;;;20;8h0m0s;;;;;

        """
    /// An older version's columns, with its decimal commas in quotation marks.
    private let french = """
        Créé,Terminé,Point de charge,Identifiant,Véhicule,Énergie (kWh)
        2026-06-01 07:05:09,2026-06-01 09:15:09,Garage,,Blue e-Golf,"12,4567"
        """

    @Test func `evcc's sessions are the same in each of its languages`() throws {
        let sessions = try read(english, .evcc).map { try $0.get() }
        #expect(sessions.count == 2)
        let first = try #require(sessions.first)
        #expect(first.interval.start == Files.time("2026-06-01T05:05:09Z"))
        #expect(first.interval.milliseconds == 7_800_000)
        #expect(first.energy.milliwattHours == 12_456_700)
        #expect(first.runtimeMilliseconds == 7_800_000)
        #expect(first.stateOfChargeAtStart == 41)
        #expect(first.sources == ["Garage", "Blue e-Golf"])
        #expect(sessions[1].stateOfChargeAtStart == nil)
        let translated = try read(german, .evcc).map { try $0.get() }
        #expect(translated == sessions)
        let (venue, other) = (UUID(), try read(french, .evcc)[0].get())
        #expect(other.sessionID(venueID: venue, deviceID: "a") == first.sessionID(venueID: venue, deviceID: "a"))
        #expect(other.sessionID(venueID: venue, deviceID: "b") != first.sessionID(venueID: venue, deviceID: "a"))
    }

    @Test(arguments: [
        ("2h10m0s", Int64(7_800_000)), ("1h5m0.5s", 3_900_500), ("45m", 2_700_000), ("30s", 30_000), ("0s", 28_800_000),
        ("350ms", 350), ("12µs", 28_800_000), ("9h0m0s", 28_800_000), ("", 28_800_000),
    ])
    func `how long evcc charged is the run time, at most the session's`(text: String, milliseconds: Int64) throws {
        let header = "Created,Finished,Energy (kWh),Duration"
        let row = "2026-06-02 22:00:00,2026-06-03 06:00:00,0.0001,\(text)"
        #expect(try read("\(header)\n\(row)", .evcc)[0].get().runtimeMilliseconds == milliseconds)
    }

    @Test func `the power that a run time asks for is held to what can be`() throws {
        let text = "Startzeit,Endzeit,Energie (kWh),Ladedauer\n2026-06-02 22:00:00,2026-06-03 06:00:00,"
        #expect(
            fault(try read(text + "20,12s", .evcc).first)
                == "line 2: Ladedauer must be time enough for '20' kWh at 1 MW at most, but is '12s'")
        #expect(try read(text + "20,72s", .evcc)[0].get().powerMilliwatts == 1_000_000_000)
        #expect(
            fault(try read(text + "20,long", .evcc).first)
                == "line 2: Ladedauer must be hours such as 2.5, or a duration such as 2h30m0s, but is 'long'")
    }

    @Test(arguments: [
        ("0.0333", 0.5), ("1.5", 12.3), ("7.9999", 44), ("0.0002", 0.2), ("8", 20), ("", 20), ("3", 0),
    ])
    func `what is imported charges as long as the file says, at both ends and evenly between`(
        hours: String, kilowattHours: Double
    ) throws {
        let text =
            "start,end,energy (kWh),run time (h)\n2026-06-02 22:00:00,2026-06-03 06:00:00,\(kilowattHours),\(hours)"
        let session = try read(text, .csv)[0].get()
        let device = Device(id: "car-1", name: "Car", kind: .electricVehicle)
        let events = session.events(venueID: UUID(), device: device, token: UUID())
        #expect(events.count <= PastSession.eventsMax && Set(events.map(\.id)).count == events.count)
        var (counted, segments, tracker) = (CountedSession?.none, [SessionSegment](), SessionTracker())
        for event in events {
            #expect(EventRules(isStrict: true).violations(of: event, now: Files.written) == [])
            guard case .accepted = tracker.apply(event) else {
                Issue.record("\(event) is refused")
                return
            }
            let next = CountedSession.following(counted, event)
            counted = next?.progress
            if let segment = next?.segment { segments.append(segment) }
        }
        #expect(counted?.energy == session.energy && counted?.baselineSegment == nil)
        guard session.energy > .zero else { return }
        let length = segments.reduce(0) { $0 + $1.end.milliseconds(since: $1.start) }
        #expect(length == session.runtimeMilliseconds)
        #expect(segments.first?.start == session.interval.start && segments.last?.end == session.interval.end)
        let half = session.interval.start.advanced(byMilliseconds: session.interval.milliseconds / 2)
        let before = segments.filter { $0.end <= half }.reduce(0) { $0 + $1.energy.milliwattHours }
        #expect(segments.count == 1 || abs(2 * before - session.energy.milliwattHours) <= 8)
    }

    @Test(arguments: [
        ("1.234,5", Int64(1_234_500_000)), ("1,234.5", 1_234_500_000), ("1 234,5", 1_234_500_000),
        ("1\u{202F}234,5", 1_234_500_000), ("1’234.5", 1_234_500_000), ("12.345.678", 12_345_678_000_000),
        ("1.234", 1_234_000), ("1,234", 1_234_000), ("0,5", 500_000),
    ])
    func `thousands may be apart, by what is not the decimal mark`(text: String, milliwattHours: Int64) throws {
        let row = try read("start,end,energy (kWh)\n2026-06-01 00:00:00,2026-06-14 00:00:00,\"\(text)\"", .csv).first
        guard milliwattHours <= 1_000_000_000_000 else {
            #expect(fault(row)?.hasPrefix("line 2: energy (kWh) must be a number of kWh") == true)
            return
        }
        #expect(try row?.get().energy.milliwattHours == milliwattHours)
    }

    @Test(arguments: ["1.23,4", "1,2345.6", "1.234,5.6", "1e3", "0x10", "12 34", "1.2.3", ".5", "5."])
    func `what may be read in two ways is no number, and the row is named`(text: String) throws {
        let row = try read("start,end,energy (kWh)\n2026-06-01 00:00:00,2026-06-14 00:00:00,\"\(text)\"", .csv).first
        #expect(fault(row)?.hasPrefix("line 2: energy (kWh) must be a number of kWh") == true)
    }

    @Test func `a time that has not come is refused with its column`() throws {
        let text = "start,end,energy (kWh)\n2026-06-01T07:00:00Z,2026-06-01T09:00:00Z,5\n"
        let end = Timestamp(unixMilliseconds: 1_780_304_400_000)
        #expect(fault(try read(text, .csv, now: end).first) == nil)
        #expect(
            fault(try read(text, .csv, now: end.advanced(byMilliseconds: -600_000)).first)
                == "line 2: end must not be in the future, but is '2026-06-01T09:00:00Z'")
        #expect(
            fault(try read(text, .csv, now: end.advanced(byMilliseconds: -.millisecondsPerDay)).first)
                == "line 2: start must not be in the future, but is '2026-06-01T07:00:00Z'")
    }

    @Test func `a state of charge that a file does not have stays unknown`() throws {
        let session = try read("start,end,energy (kWh)\n2026-06-01 00:00:00,2026-06-01 02:00:00,9", .csv)[0].get()
        let events = session.events(
            venueID: UUID(), device: Device(id: "a", name: "a", kind: .electricVehicle), token: UUID())
        for event in events {
            guard case .vehicleLoad(let load) = event.content else { continue }
            #expect(!load.isStateOfChargeKnown && load.stateOfCharge == 0)
            #expect(EventRules().violations(of: event, now: event.timestamp).isEmpty)
        }
    }

    @Test func `what one system exports another reads, to the mWh and second`() throws {
        let venue = Files.subject(name: "=Home").venue
        let insight = SessionInsight(
            key: SessionKey(venueID: venue.id, sessionID: UUID()), deviceID: "car-1", deviceKind: .electricVehicle,
            direction: .exported, began: Files.time("2026-10-25T00:30:00Z"), last: Files.time("2026-10-25T01:10:01Z"),
            isOver: true, wasFollowingGuidance: true, stateOfChargeAtBegin: 80, stateOfChargeAtLast: 60,
            amount: Files.amount(7_654_321, 2_400_000), worth: .none)
        let table = SessionCSV(venue)
        let session = try #require(try read(table.start() + table.row(insight), .csv).first).get()
        #expect(session.exportedID == insight.id)
        #expect(session.interval == Interval(start: insight.began, end: insight.last))
        #expect(session.energy == insight.amount.energy)
        #expect(session.runtimeMilliseconds == 2_400_000)
        #expect(session.direction == .exported)
        #expect(session.stateOfChargeAtStart == 80 && session.stateOfChargeAtEnd == 60)
        #expect(session.sources == ["car-1"])
    }

    private static let costs: [[(micros: Int64, milligrams: Int64)]] = [
        [(1_000_004, 2_000_400), (1_000_000, 2_000_000), (999_999, 1_999_999)],
        [(400_000, 500_000), (404_999, 499), (1_600_000, 3_500_000)],
        Array(repeating: (996_300, 1_999_600), count: 40),
    ]

    @Test(arguments: costs)
    func `what was saved adds up to the baselines without the costs, and nothing is no minus nothing`(
        sessions: [(micros: Int64, milligrams: Int64)]
    ) throws {
        let venue = Files.subject(name: "Home").venue
        let table = SessionCSV(venue)
        let headers = table.start().dropFirst().trimmingCharacters(in: .newlines).components(separatedBy: ",")
        var sums: [String: Decimal] = [:]
        for session in sessions {
            let row = table.row(try self.session(venue, micros: session.micros, milligrams: session.milligrams))
            let cells = row.trimmingCharacters(in: .newlines).components(separatedBy: ",")
            #expect(cells.count == headers.count)
            for (header, cell) in zip(headers, cells) {
                #expect(cell != "-0")
                sums[header, default: 0] += Decimal(string: cell) ?? 0
            }
        }
        let names = ["baseline cost", "cost", "saved", "baseline carbon (g)", "carbon (g)", "saved carbon (g)"]
        let found = try names.map { try #require(sums[$0], "\($0)") }
        #expect(found[0] - found[1] == found[2])
        #expect(found[3] - found[4] == found[5])
        #expect(found[2] == Decimal(sessions.reduce(0) { $0 + 1_000_000 - $1.micros }) / 1_000_000)
    }

    /// With a baseline of 1 EUR and 2 kg.
    private func session(_ venue: Venue, micros: Int64, milligrams: Int64) throws -> SessionInsight {
        let energy = Energy(milliwattHours: 1_000_000)
        func worth(_ micros: Int64, _ milligrams: Int64) -> InsightWorth {
            InsightWorth(
                costs: [Money(micros: micros, currency: "EUR")], pricedEnergy: energy,
                carbon: [CarbonMass(milligrams: milligrams, kind: .marginal, energy: energy)])
        }
        let interval = Interval(start: Files.time("2026-10-25T00:30:00Z"), milliseconds: 3_600_000)
        return SessionInsight(
            key: SessionKey(venueID: venue.id, sessionID: UUID()), deviceID: "car-1", deviceKind: .electricVehicle,
            direction: .imported, began: interval.start, last: interval.end, isOver: true, wasFollowingGuidance: true,
            amount: InsightAmount(energy: energy, runtimeMilliseconds: 3_600_000), worth: worth(micros, milligrams),
            baseline: SessionBaseline(
                interval: interval, power: try Power(milliwatts: 7_200_000), worth: worth(1_000_000, 2_000_000)))
    }

    @Test func `an hour that repeats is the later one where only that follows the start`() throws {
        let text = """
            start,end,energy (kWh)
            2026-10-25 02:50:00,2026-10-25 02:10:00,1
            2026-10-25 02:10:00,2026-10-25 02:50:00,1
            """
        let sessions = try read(text, .csv).map { try $0.get() }
        #expect(sessions.map(\.interval.milliseconds) == [1_200_000, 2_400_000])
        #expect(sessions[1].interval.start == Files.time("2026-10-25T00:10:00Z"))
    }

    @Test(arguments: [
        (
            "2026-03-29 02:30:00,2026-03-29 04:00:00,1",
            "line 2: start must be a time that clocks in Europe/Berlin show; they skip it. Say --zone if the file is of another, but is '2026-03-29 02:30:00'"
        ),
        (
            "2026-02-30 02:30:00,2026-03-29 04:00:00,1",
            "line 2: start must be a time such as 2026-11-21 07:05:09 or 2026-11-21T07:05:09+01:00, but is '2026-02-30 02:30:00'"
        ),
        (
            "2026-06-01 10:00:00,,1",
            "line 2: end must be a time such as 2026-11-21 07:05:09 or 2026-11-21T07:05:09+01:00 (a session that goes on is imported when it is over), but is empty"
        ),
        (
            "2026-06-01 10:00:00,2026-06-01 10:00:00,1",
            "line 2: end must be after '2026-06-01 10:00:00', but is '2026-06-01 10:00:00'"
        ),
        (
            "2026-06-01 10:00:00,2026-06-16 10:00:01,1",
            "line 2: end must be at most 14 days after the start, but is '2026-06-16 10:00:01'"
        ),
        (
            "2026-06-01 10:00:00,2026-06-01 11:00:00,-1",
            "line 2: energy (kWh) must be a number of kWh, 0 to 1,000,000, such as 12.5 or 12,5, but is '-1'"
        ),
        (
            "2026-06-01 10:00:00,2026-06-01 11:00:00,\"1,000,5\"",
            "line 2: energy (kWh) must be a number of kWh, 0 to 1,000,000, such as 12.5 or 12,5, but is '1,000,5'"
        ),
        (
            "2026-06-01 10:00:00,2026-06-01 11:00:00,1001",
            "line 2: energy (kWh) must be what can be charged in that time, at most 1 MW, but is '1001'"
        ),
        ("2026-06-01 10:00:00,2026-06-01 11:00:00", "line 2: must have 3 cells as the first line, but has 2"),
    ])
    func `a row that is no session is refused by line and column`(row: String, message: String) throws {
        #expect(fault(try read("start,end,energy (kWh)\n\(row)\n", .csv).first) == message)
    }

    @Test func `a table of something else is refused with its columns`() throws {
        do throws(any Error) {
            _ = try read("Datum,Wert\n1,2\n", .evcc)
            Issue.record("no refusal")
        } catch {
            let message = (error as? EnergyError)?.message
            #expect(
                message
                    == "line 1: no column is called 'created', 'startzeit', 'начално време', or that in another of evcc's languages; there are 'Datum', 'Wert'"
            )
        }
    }

    @Test(arguments: [
        ("2026-06-01 10:00:00,2026-06-01 10:00:07,0.0000001"), ("2026-06-01 10:00:00,2026-06-15 10:00:00,1000"),
        ("2026-06-01 10:00:00,2026-06-01 11:00:00,1000"), ("2026-06-01 10:00:00,2026-06-01 11:00:00,0"),
    ])
    func `its events are a session that breaks no rule`(row: String) throws {
        let session = try #require(try read("start,end,energy (kWh)\n\(row)\n", .csv).first).get()
        let device = Device(id: "car-1", name: "Car", kind: .electricVehicle)
        let events = session.events(venueID: UUID(), device: device, token: UUID())
        #expect(Set(events.map(\.id)).count == 2)
        var counted: CountedSession?
        for event in events { counted = CountedSession.following(counted, event)?.progress }
        #expect(counted?.isOver == true && counted?.energy == session.energy)
        #expect(counted?.baselineSegment == nil, "what its full power was is not known")
        var tracker = SessionTracker()
        for event in events {
            #expect(EventRules(isStrict: true).violations(of: event, now: Files.written) == [])
            guard case .accepted = tracker.apply(event) else {
                Issue.record("\(event) is refused")
                return
            }
        }
        #expect(tracker.progress?.energyMilliwattHours == session.energy.milliwattHours)
        #expect(tracker.progress?.isEnded == true)
    }
}
