internal import EnergyModel
internal import EnergyWire
internal import Foundation
internal import ServiceEndpoints

/// Looks at what guidance is made of and for: sources, venues, and what this client may read of them.
struct HomeExamination {
    let context: CommandContext
    /// Those that answer.
    let answering: Set<ServiceKind>

    /// More would be no reading any more.
    private static let venuesMax = 50

    func findings() async -> [Finding] {
        guard answering.contains(.guidance) else {
            return [
                .skipped("sources", "sources", "not known: guidance-publisher does not answer"),
                .skipped("venues", "venues", "not known: guidance-publisher does not answer"),
            ]
        }
        async let sources = sources()
        let venues: [Venue]
        do throws(CommandFailure) { venues = try await context.venues() } catch {
            return await sources + [.failure("venues", "venues", error.message, ServiceRemedy.log(.guidance))]
        }
        async let permissions = permissions(venues)
        return await sources + self.venues(venues) + permissions
    }

    // MARK: Sources

    private func sources() async -> [Finding] {
        let list: [RegionSource]
        do throws(CommandFailure) {
            list = try await context.call(.guidance, Methods.listSources, Empty()).sources
        } catch { return [.skipped("sources", "sources", error.message)] }
        let regions = Dictionary(grouping: list, by: \.region)
        return regions.keys.sorted().flatMap { region($0, regions[$0] ?? []) }
    }

    private func region(_ name: String, _ sources: [RegionSource]) -> [Finding] {
        let check = TerminalText.safe(name)
        let statuses = sources.map(\.status)
        var findings = statuses.compactMap { trouble(check, $0) }
        let carbon = statuses.filter { $0.kind != .price }
        guard let used = carbon.first(where: \.isInUse) else {
            guard !carbon.isEmpty else { return findings }
            return findings + [
                .failure(
                    "sources", check, "no source of carbon is in use",
                    "energyctl signals says what failed. The settings of guidance-publisher can name another.")
            ]
        }
        let age = used.newestValue.map { Self.reach($0, context.wallClock.now) } ?? "no value yet"
        findings.insert(.ok("sources", check, "\(TerminalText.safe(used.name)) is in use, \(age)"), at: 0)
        return findings
    }

    private func trouble(_ region: String, _ status: SignalSourceStatus) -> Finding? {
        let name = TerminalText.safe(status.name)
        if let error = status.lastError {
            let heard =
                status.lastSuccess.map {
                    ", heard last \(Quantities.length(milliseconds: max(0, context.wallClock.now.milliseconds(since: $0)))) ago"
                } ?? ""
            return .warning(
                "sources", region, "\(name)\(heard): \(TerminalText.safe(error))",
                "It is asked again by itself. If that goes on: its key and address in the settings of guidance-publisher."
            )
        }
        guard let skew = status.clockSkewMilliseconds else { return nil }
        return .warning(
            "sources", region,
            "\(name): its clock is \(Quantities.length(milliseconds: abs(skew))) \(skew > 0 ? "ahead of" : "behind") ours",
            "Keep the clock of guidance-publisher's machine by NTP: timedatectl.")
    }

    private static func reach(_ newest: Timestamp, _ now: Timestamp) -> String {
        let age = now.milliseconds(since: newest)
        return age > 0
            ? "its newest value \(Quantities.length(milliseconds: age)) old"
            : "known for \(Quantities.length(milliseconds: max(1_000, -age))) ahead"
    }

    // MARK: Venues

    private func venues(_ venues: [Venue]) async -> [Finding] {
        guard !venues.isEmpty else {
            return [
                .warning(
                    "venues", "venues", "there is none, or none that this client may see",
                    "energyctl venues add --name Home --zone Europe/Berlin --region DE")
            ]
        }
        let looked = venues.prefix(Self.venuesMax)
        let results = await withTaskGroup(of: (Int, Looked).self) { group in
            for (index, venue) in looked.enumerated() { group.addTask { (index, await self.venue(venue)) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let findings = Self.outages(results) + results.flatMap(\.findings)
        guard venues.count > looked.count else { return findings }
        return findings + [.skipped("venues", "venues", "\(venues.count - looked.count) more were not looked at")]
    }

    /// What was found of one venue.
    private struct Looked: Sendable {
        let name: String
        /// Why there is no guidance now, where that is the service's trouble, not the venue's.
        var outage: String?
        var findings: [Finding] = []
    }

    /// What is equal for several venues is told once.
    private static func outages(_ looked: [Looked]) -> [Finding] {
        let venues = Dictionary(grouping: looked.filter { $0.outage != nil }) { $0.outage ?? "" }
        return venues.sorted { $0.key < $1.key }.map { (outage, venues) -> Finding in
            let (check, whose) =
                venues.count == 1 ? (venues[0].name, "") : ("venues", " for \(venues.count) venues")
            return .failure("venues", check, "no guidance\(whose): \(outage)", ServiceRemedy.log(.guidance))
        }
    }

    private func venue(_ venue: Venue) async -> Looked {
        let name = TerminalText.safe(venue.name)
        var looked = Looked(name: name)
        do throws(CommandFailure) {
            let guidance = try await context.call(
                .guidance, Methods.getGuidance, GuidanceRequest(venueID: venue.id, action: .shift))
            looked.findings.append(guided(name, guidance))
        } catch {
            if error.exit == .unavailable {
                looked.outage = error.message
            } else {
                let region = TerminalText.safe(venue.region)
                looked.findings.append(
                    .failure(
                        "venues", name, "no guidance: \(error.message)",
                        "energyctl signals says which source region \(region) has, and what failed."))
            }
        }
        if venue.ratePlanID == nil {
            looked.findings.append(
                .warning(
                    "venues", name, "has no rate plan: hours are rated by carbon alone, and costs are not known",
                    "energyctl venues plans lists them, energyctl rate-plans import reads one from a file."))
        }
        return looked
    }

    private func guided(_ name: String, _ guidance: Guidance) -> Finding {
        let left = guidance.interval.end.milliseconds(since: context.wallClock.now)
        guard left > 0 else {
            return .failure("venues", name, "its guidance ended", ServiceRemedy.log(.guidance))
        }
        return .ok("venues", name, "has guidance for \(Quantities.length(milliseconds: left)) ahead")
    }

    // MARK: Permissions

    /// Each is tried by reading something that needs it.
    private func permissions(_ venues: [Venue]) async -> [Finding] {
        var (allowed, refused): ([String], [String]) = ([], [])
        func note(_ permission: String, _ body: () async throws(CommandFailure) -> Void) async {
            do throws(CommandFailure) {
                try await body()
                allowed.append(permission)
            } catch { if error.exit == .denied { refused.append(permission) } }
        }
        await note("guidance") { () throws(CommandFailure) in
            _ = try await context.call(.guidance, Methods.listRatePlans, Empty())
        }
        if let venue = venues.first {
            if answering.contains(.events) {
                await note("events") { () throws(CommandFailure) in
                    _ = try await context.call(.events, Methods.listSessions, SessionFilter(venueID: venue.id))
                }
            }
            if answering.contains(.insights) {
                await note("insights") { () throws(CommandFailure) in
                    _ = try await context.call(.insights, Methods.listRepairs, RepairFilter(venueID: venue.id))
                }
            }
        }
        if answering.contains(.schedule) {
            await note("schedules") { () throws(CommandFailure) in
                _ = try await context.call(.schedule, Methods.listDevices, VenueFilter(venueID: nil))
            }
        }
        guard refused.isEmpty else {
            return [
                .warning(
                    "permissions", "reading", "this client's key lacks: \(refused.joined(separator: ", "))",
                    "If it should have them, where the keys are: energyctl keys client NAME --allow … makes one that has."
                )
            ]
        }
        return allowed.isEmpty
            ? [] : [.ok("permissions", "reading", "this client may read \(allowed.joined(separator: ", "))")]
    }
}
