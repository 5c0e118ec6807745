import ArgumentParser
import EnergyModel
import EnergyTestSupport
import EnergyTransport
import EnergyWire
import Foundation
import ServiceEndpoints
import Testing

@testable import EnergyCommands

struct EventTests {
    private let home = FakeHome()

    private func perform(_ arguments: String...) async throws {
        let command = try await RootCommand.asyncParseAsRoot(["events"] + arguments)
        try await #require(command as? EventsCommand).perform(in: home.context())
    }

    private func minutes(_ count: Int64) -> Timestamp {
        Samples.now.advanced(byMilliseconds: count * .millisecondsPerMinute)
    }

    @Test func `the newest are shown, oldest first`() async throws {
        for minute in 0..<200 {
            try home.submit([Samples.load(.active, number: UInt8(minute), at: minutes(Int64(minute) - 300))])
        }
        try await perform("--limit", "3", "--json")
        let document = try JSONSerialization.jsonObject(with: Data(home.output.text.utf8)) as? [String: [[String: Any]]]
        let events = try #require(document?["events"])
        #expect(events.map { $0["id"] as? String } == [197, 198, 199].map { Samples.id($0).text })
        #expect((events[0]["vehicle_load"] as? [String: Any])?["power_mw"] as? Int == 7_200_000)
    }

    @Test func `they can be of one device and from one time on`() async throws {
        try home.submit([Samples.load(.begin, at: minutes(-60)), Samples.stage(40)])
        try home.submit([Samples.load(.active, at: minutes(-10))])
        try await perform("--device", "car-1", "--since", "30m")
        #expect(
            home.output.lines == ["Sat 21 Nov 08:10:00  Model Y: charges with 7.20 kW, 12.34 kWh so far, 56 % full"])
    }

    @Test func `other venues in the same partition do not hide this one`() async throws {
        try home.submit([Samples.load(.begin)])
        let neighbour = UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 17))
        #expect(LogPartition.of(venueID: neighbour) == LogPartition.of(venueID: Samples.home.id))
        for _ in 0..<300 {
            let load = Samples.load(.active)
            try home.submit([
                Event(
                    id: load.id, timestamp: load.timestamp, venueID: neighbour, device: load.device,
                    content: load.content)
            ])
        }
        try await perform()
        #expect(home.output.lines.count == 1)
    }

    @Test(arguments: [0, 3, 290, 299, 300])
    func `what retention removed is not asked for`(removed: Int) async throws {
        for minute in 0..<300 {
            try home.submit([Samples.load(.active, number: UInt8(minute % 250), at: minutes(Int64(minute) - 300))])
        }
        home.change { $0.removed = UInt64(removed) }
        try await perform("--limit", "1000")
        #expect(home.output.lines.count == max(1, 300 - removed))
    }

    @Test func `following goes on in a log that was restored`() async throws {
        for number in UInt8(1)...3 { try home.submit([Samples.load(.active, number: number)]) }
        let task = Task { try await perform("--follow", "--json") }
        #expect(await home.output.line(containing: Samples.id(3).text) != "")
        await home[.events].publications.waitForSubscriber()
        home.change { state in
            state.log.removeLast(2)
            state.logID = UUID()
        }
        // Asked for twice, so that the first look at the other log is over.
        for _ in 0..<2 {
            let asked = home.now.headCalls
            home[.events].publications.send(.joined)
            while home.now.headCalls == asked { await Task.yield() }
        }
        try home.submit([Samples.load(.active, number: 4)])
        home[.events].publications.send(.joined)
        #expect(await home.output.line(containing: Samples.id(4).text) != "")
        task.cancel()
        #expect(home.output.lines.count == 4)
    }

    @Test func `following shows each event once, also over a restart of the service`() async throws {
        try home.submit([Samples.load(.begin, number: 1)])
        let task = Task { try await perform("--follow", "--json") }
        #expect(await home.output.line(containing: Samples.id(1).text) != "")
        await home[.events].publications.waitForSubscriber()
        home[.events].publications.send(.joined)
        try home.submit([Samples.load(.active, number: 2)])
        #expect(await home.output.line(containing: Samples.id(2).text) != "")
        home[.events].isDown = true
        try home.submit([Samples.load(.active, number: 3)])
        home[.events].isDown = false
        home[.events].publications.send(.joined)
        #expect(await home.output.line(containing: Samples.id(3).text) != "")
        task.cancel()
        #expect(home.output.lines.count == 3)
    }
}

struct WatchTests {
    private let home = FakeHome()

    private func start(_ arguments: String...) -> Task<Void, any Error> {
        Task {
            let command = try await RootCommand.asyncParseAsRoot(["watch"] + arguments)
            try await #require(command as? WatchCommand).perform(in: home.context())
        }
    }

    private func joinAll() async {
        for service in ServiceKind.allCases {
            await home[service].publications.waitForSubscriber()
            home[service].publications.send(.joined)
        }
    }

    @Test func `how things stand comes first, then what happens`() async throws {
        try home.submit([Samples.load(.active, number: 1)])
        let task = start("--json")
        await home[.guidance].publications.waitForSubscriber()
        home[.guidance].publications.send(.joined)
        #expect(await home.output.line(containing: "\"kind\":\"guidance\"") != "")
        await home[.events].publications.waitForSubscriber()
        home[.events].publications.send(.joined)
        #expect(await home.output.line(containing: Samples.id(1).text) != "")
        await home[.insights].publications.waitForSubscriber()
        home[.insights].publications.send(.joined)
        #expect(await home.output.line(containing: "\"energy_mwh\":12345678") != "")
        await home[.schedule].publications.waitForSubscriber()
        home[.schedule].publications.send(.joined)
        #expect(await home.output.line(containing: "Waits for the sun") != "")

        let next = Samples.guidance(token: 101)
        home[.guidance].publications.send(
            .publication(
                Publication(
                    topic: Topics.guidance(venueID: Samples.home.id, action: .shift), epoch: 1, sequence: 1,
                    body: next.encoded())))
        #expect(await home.output.line(containing: Samples.id(101).text) != "")
        try home.submit([Samples.load(.active, number: 2)])
        #expect(await home.output.line(containing: Samples.id(2).text) != "")
        let change = InsightChange(
            venueID: Samples.home.id, deviceID: "car-1", interval: Samples.day(19, energy: 1).interval)
        home[.insights].publications.send(
            .publication(
                Publication(
                    topic: Topics.insights(venueID: Samples.home.id, deviceID: "car-1"), epoch: 1, sequence: 1,
                    body: change.encoded())))
        #expect(await home.output.line(containing: "\"energy_mwh\":10000000") != "")
        task.cancel()
    }

    @Test func `a key that is limited to venues sees these, and is told what it may not see`() async throws {
        home.change { state in
            state.mayReadLog = false
            state.mayFollow = { prefix in
                prefix.contains(Samples.home.id.text) && !prefix.hasPrefix(Topics.allInsights)
            }
        }
        let task = start()
        for service in [ServiceKind.guidance, .schedule, .events] {
            let prefix: String =
                switch service {
                case .guidance: Topics.guidance(venueID: Samples.home.id)
                case .events: Topics.events(venueID: Samples.home.id)
                default: Topics.allSchedules + "\(Samples.home.id.text)/"
                }
            await home[service].publications.waitForSubscriber(to: prefix)
            home[service].publications.send(.joined)
        }
        #expect(await home.output.line(containing: "Home shift") != "")
        try home.submit([Samples.load(.active, number: 2)])
        #expect(await home.output.line(containing: "event") != "")
        while !home.output.notes.contains(where: { $0.contains("nothing of it is shown") }) { await Task.yield() }
        let notes = home.output.notes
        #expect(notes.contains { $0.contains("insight-service: charger may not read insights/") }, "\(notes)")
        #expect(notes.contains(EventTail.deniedNote), "\(notes)")
        task.cancel()
    }

    @Test func `lines are for people`() async throws {
        let task = start("--venue", "Home")
        await home[.guidance].publications.waitForSubscriber()
        home[.guidance].publications.send(.joined)
        let line = await home.output.line(containing: "guidance")
        #expect(
            line == "Sat 21 Nov 08:20:00  guidance  Home shift: Now Good (0.00) until 16:00, in 7 h 40 min; then Fair.")
        task.cancel()
    }

    @Test func `lines are as wide as the terminal, and go on below`() async throws {
        let task = Task {
            let command = try await RootCommand.asyncParseAsRoot(["watch", "--venue", "Home"])
            let context = home.context(Style(hasColor: true, hasUnicode: true, width: 60))
            try await #require(command as? WatchCommand).perform(in: context)
        }
        await home[.guidance].publications.waitForSubscriber()
        home[.guidance].publications.send(.joined)
        let text = await home.output.line(containing: "guidance")
        task.cancel()
        #expect(text.hasPrefix("\u{1B}[2mSat 21 Nov 08:20:00\u{1B}[0m  guidance  Home shift: Now Good"))
        let lines = text.replacing(#/\u{1B}\[[0-9]+m/#, with: "").split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 60 } && lines[1].hasPrefix("  "), "\(lines)")
    }

    @Test func `with venues on several clocks each line has its venue's, and says which`() async throws {
        home.change { $0.venues = [Samples.cabin, Samples.home] }
        let task = start()
        await joinAll()
        // The snapshot: venues are known from then on.
        #expect(await home.output.line(containing: "Cabin shift").hasPrefix("Fri 20 Nov 23:20:00-08:00  guidance"))
        home[.guidance].publications.send(
            .publication(
                Publication(
                    topic: Topics.guidance(venueID: Samples.home.id, action: .shift), epoch: 1, sequence: 1,
                    body: Samples.guidance(token: 101).encoded())))
        #expect(await home.output.line(containing: "Home shift").hasPrefix("Sat 21 Nov 08:20:00+01:00  guidance"))
        home[.schedule].isDown = true
        #expect(await home.output.line(containing: "is lost").hasPrefix("Fri 20 Nov 23:20:00-08:00  lost"))
        task.cancel()
    }

    @Test func `a service that is lost is said to be lost, and back when it is back`() async throws {
        let task = start()
        await joinAll()
        #expect(await home.output.line(containing: "Waits for the sun") != "")
        home[.schedule].isDown = true
        #expect(await home.output.line(containing: "scheduler is lost") != "")
        home[.schedule].isDown = false
        home.change { $0.schedules = [Samples.schedule(201, explanation: "A new plan.")] }
        home[.schedule].publications.send(.joined)
        #expect(await home.output.line(containing: "scheduler is back") != "")
        task.cancel()
    }

    @Test func `without the guidance-publisher a line has one clock, this machine's, and says which`() async throws {
        home[.guidance].isDown = true
        let task = start()
        await home[.schedule].publications.waitForSubscriber()
        home[.schedule].publications.send(.joined)
        let line = await home.output.line(containing: "car-1: ")
        let now = VenueTime(Samples.now, in: .current)
        #expect(line.contains("\(now.clockWithSeconds)\(now.offset)  schedule  car-1: runs "), "\(line)")
        #expect(home.output.notes.contains { $0.contains("Times are shown in the zone of this machine") })
        task.cancel()
    }

    @Test func `the same state is told once`() async throws {
        let task = start("--json")
        await home[.schedule].publications.waitForSubscriber()
        home[.schedule].publications.send(.joined)
        #expect(await home.output.line(containing: "Waits for the sun") != "")
        home[.schedule].publications.send(.joined)
        home.change { $0.schedules = [Samples.schedule(201, explanation: "A new plan.")] }
        home[.schedule].publications.send(.joined)
        #expect(await home.output.line(containing: "A new plan.") != "")
        #expect(home.output.lines.filter { $0.contains("Waits for the sun") }.count == 1)
        task.cancel()
    }
}
