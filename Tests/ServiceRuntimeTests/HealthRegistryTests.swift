import Testing

@testable import ServiceRuntime

@Suite struct HealthRegistryTests {
    private let health = HealthRegistry(services: ["energy.v1.Guidance", "energy.v1.Venues"])

    @Test func `nothing serves before the start, all does after it`() {
        #expect(health.check("")?.isServing == false)
        #expect(health.check("energy.v1.Venues") == .notServing("is starting"))
        health.started()
        #expect(health.check("") == .serving)
        #expect(health.check("energy.v1.Venues") == .serving)
    }

    @Test func `what a service said of itself before the start stays`() {
        health.set("energy.v1.Guidance", .notServing("no signals"))
        health.started()
        #expect(health.check("energy.v1.Guidance") == .notServing("no signals"))
        #expect(health.check("") == .notServing("energy.v1.Guidance no signals"))
    }

    @Test func `what a service does without is told while it serves, and taken back`() async {
        health.note("energy.v1.Guidance", "CISO does without file:a.csv")
        #expect(health.check("energy.v1.Guidance") == .notServing("is starting"))
        health.started()
        #expect(health.check("")?.isServing == true)
        #expect(health.check("")?.reason == "CISO does without file:a.csv")
        #expect(health.check("energy.v1.Guidance")?.reason == "CISO does without file:a.csv")
        #expect(health.check("energy.v1.Venues") == .serving)
        var changes = health.changes(of: "").makeAsyncIterator()
        #expect(await changes.next()??.reason == "CISO does without file:a.csv")
        health.note("energy.v1.Guidance", nil)
        #expect(await changes.next() == .some(.serving))
    }

    @Test func `that it waits for its store is told of what is starting, and of nothing else`() {
        health.set("energy.v1.Guidance", .notServing("no signals"))
        health.storeIsAwaited(true)
        let away = "its store cannot be reached now; the log says why"
        #expect(health.check("energy.v1.Venues") == .notServing(away) && health.check("") == .notServing(away))
        #expect(health.check("energy.v1.Guidance") == .notServing("no signals"))
        health.storeIsAwaited(false)
        #expect(health.check("energy.v1.Venues") == .notServing("is starting"))
        health.set("energy.v1.Guidance", .serving)
        health.storeIsAwaited(true)
        // It began without.
        health.started()
        #expect(health.check("energy.v1.Venues") == .serving && health.check("") == .serving)
    }

    @Test func `a service that is not here is unknown, also while stopping`() {
        #expect(health.check("energy.v1.Events") == nil)
        health.stop("is stopping")
        #expect(health.check("energy.v1.Events") == nil)
    }

    @Test func `a watcher gets the present and each change, and no repetition`() async {
        var changes = health.changes(of: "energy.v1.Guidance").makeAsyncIterator()
        #expect(await changes.next() == .some(.notServing("is starting")))
        health.started()
        #expect(await changes.next() == .some(.serving))
        health.set("energy.v1.Venues", .notServing("unrelated"))
        health.set("energy.v1.Guidance", .serving)
        health.stop("is stopping")
        #expect(await changes.next() == .some(.notServing("is stopping")))
    }

    @Test func `after the stop nothing serves, whatever is set`() {
        health.stop("is stopping")
        health.set("energy.v1.Guidance", .serving)
        #expect(health.check("energy.v1.Guidance") == .notServing("is stopping"))
    }

    @Test func `a watch ends when the process stops, with that as its last word`() async {
        health.started()
        var changes = health.changes(of: "").makeAsyncIterator()
        #expect(await changes.next() == .some(.serving))
        health.stop("is stopping")
        #expect(await changes.next() == .some(.notServing("is stopping")))
        #expect(await changes.next() == nil)
        var late = health.changes(of: "").makeAsyncIterator()
        #expect(await late.next() == .some(.notServing("is stopping")))
        #expect(await late.next() == nil)
    }

    @Test func `the number of watchers is bounded, and those that left make room`() async {
        do {
            let watchers = (0..<HealthRegistry.watchersMax).map { _ in health.changes(of: "") }
            var oneMore = health.changes(of: "").makeAsyncIterator()
            #expect(await oneMore.next() == nil)
            #expect(watchers.count == HealthRegistry.watchersMax)
        }
        var again = health.changes(of: "").makeAsyncIterator()
        #expect(await again.next() != nil)
    }
}
