public import EnergyModel
internal import EnergyStore
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import Logging

// Several publishers of one store: one leads, and writes down what it publishes and changes; the others read that, publish the
// same under the same numbers, and answer for it.
extension GuidancePublisher {
    /// How often the journal is read.
    private static let followInterval = Duration.milliseconds(500)

    /// Does what the publisher that leads has done, until the task is cancelled; nothing any more once this one leads.
    ///
    /// - Precondition: there is a journal.
    public func follow() async {
        while !Task.isCancelled {
            try? await catchUp()
            do { try await clock.sleep(for: Self.followInterval) } catch { return }
        }
    }

    /// Does what is written down and was not done yet; nothing where it leads.
    ///
    /// - Throws: ``EnergyError`` when journal or store cannot be read now.
    public func catchUp() async throws(EnergyError) {
        await enter()
        defer { leave() }
        try await readJournal()
    }

    var follows: Bool { journal != nil && !leads }

    /// So that it answers as the leader has left it, as long as the store can say that: nobody waits for one that is away
    /// already. Many who ask at once share one look.
    func catchUpIfFollowing() async {
        guard follows, !isJournalAway else { return }
        let reads = journalReads
        await enter()
        defer { leave() }
        // Whoever came before may have begun to look after this was asked.
        if !isJournalAway, journalReads == reads { try? await readJournal() }
    }

    private func readJournal() async throws(EnergyError) {
        guard let journal, follows else { return }
        journalReads += 1
        do throws(EnergyError) {
            try await readEntries(journal)
            if isJournalAway { logger.notice("what another replica does can be read again") }
            isJournalAway = false
        } catch {
            if !isJournalAway {
                logger.warning(
                    "what another replica does cannot be read", metadata: [GuidanceKeys.reason: "\(error.message)"])
            }
            isJournalAway = true
            throw error
        }
    }

    private func readEntries(_ journal: any GuidanceJournal) async throws(EnergyError) {
        while let page = try await journal.entries(after: position) {
            if page.epoch != position?.epoch { try await follow(page.epoch) }
            let isOfVenues = page.entries.contains { if case .venue = $0.entry { true } else { false } }
            let numbers = isOfVenues ? try await store.venueNumbers() : [:]
            for entry in page.entries {
                // Erasing a venue removes what was written before: what this one has not read by then the store knows.
                if let position, entry.number > position.number + 1 { try await readStore() }
                try await take(entry.entry, numbers)
                position = JournalPosition(epoch: page.epoch, number: entry.number)
            }
            if page.entries.isEmpty { return }
        }
    }

    /// Another has begun to lead.
    private func follow(_ epoch: JournalEpoch) async throws(EnergyError) {
        try await readStore()
        publisher.begin(PublicationEpoch(epoch))
        position = JournalPosition(epoch: epoch, number: 0)
    }

    private func take(_ entry: JournalEntry, _ numbers: [UUID: VenueNumber]) async throws(EnergyError) {
        switch entry {
        case .venue(let id):
            guard let number = numbers[id], let venue = try await store.venueRevisions(id).last else {
                return forget(id)
            }
            roster.put(venue, number: number)
        case .erasure(let id): forget(id)
        case .ratePlan(let id):
            if let plan = try await store.ratePlanRevisions(id).last { keep(plan) }
        case .demandResponse:
            demandResponse = try await store.demandResponse(in: Self.timeOfDemandResponse(wallClock.now))
        case .guidance(let guidance): try take(guidance)
        }
    }

    /// The venue was erased.
    func forget(_ id: UUID) {
        roster.forget(id)
        asked[id] = nil
        demandResponse.removeAll { $0.scope == .venue(id) }
        publisher.forgetPublications { Topics.isTopic($0, of: DataSubject(venueID: id)) }
    }

    private func take(_ guidance: PublishedGuidance) throws(EnergyError) {
        let window = try IssuedWindow(document: SharedGuidance(tail: guidance.document))
        lastIssue = max(lastIssue, window.issued)
        var publications: [SharedPublication] = []
        for venue in guidance.venues {
            guard let token = token(venue.id, window) else { continue }
            roster.issue(window, to: venue.id)
            publications.append(
                SharedPublication(
                    topic: Topics.guidance(venueID: venue.id, action: window.action),
                    head: SharedGuidance.head(token: token, venueID: venue.id), sequence: UInt64(venue.sequence)))
        }
        publish(publications, window.document.tail)
    }
}

// Leading; only inside enter() and leave().
extension GuidancePublisher {
    /// Longer than any guidance is handed out.
    private static let journalMilliseconds: Int64 = 3 * .millisecondsPerHour

    func beginEpoch() async throws(EnergyError) {
        guard let journal else { return }
        let epoch = try await journal.begin(now: wallClock.now)
        publisher.begin(PublicationEpoch(epoch))
        roster.beginEpoch()
        position = JournalPosition(epoch: epoch, number: 0)
    }

    /// To be told to those who follow, by the next ``writeDown()``.
    func note(_ entry: JournalEntry) {
        if journal != nil { unwritten.append(Unwritten(entry: entry)) }
    }

    /// To be published by the next ``writeDown()``, once those who follow can know it.
    func note(_ document: SharedGuidance, _ venues: [PublishedVenue], _ publications: [SharedPublication]) {
        for start in stride(from: 0, to: venues.count, by: PublishedGuidance.venuesMax) {
            let part = start..<min(start + PublishedGuidance.venuesMax, venues.count)
            unwritten.append(
                Unwritten(
                    entry: .guidance(PublishedGuidance(document: document.tail, venues: Array(venues[part]))),
                    publications: Array(publications[part]), tail: document.tail))
        }
    }

    /// What cannot be written now waits for the next time, unpublished.
    func writeDown() async {
        guard let journal, let position, !unwritten.isEmpty else { return }
        let entries = unwritten.enumerated().map { index, unwritten in
            NumberedEntry(number: position.number + 1 + UInt64(index), entry: unwritten.entry)
        }
        do throws(EnergyError) { try await journal.append(entries, at: wallClock.now) } catch {
            if !isUnwritable {
                logger.error("nothing is published", metadata: [GuidanceKeys.reason: "\(error.message)"])
            }
            isUnwritable = true
            return
        }
        isUnwritable = false
        self.position = JournalPosition(epoch: position.epoch, number: position.number + UInt64(entries.count))
        for written in unwritten where !written.publications.isEmpty { publish(written.publications, written.tail) }
        unwritten = []
    }

    private func publish(_ publications: [SharedPublication], _ tail: [UInt8]) {
        do throws(CallFailure) { try publisher.publish(publications, tail: tail) } catch {
            logger.error("guidance cannot be published", metadata: [GuidanceKeys.reason: "\(error.message)"])
        }
    }

    func pruneJournal(_ now: Timestamp) async {
        // What cannot be forgotten now is an hour later.
        try? await journal?.forgetEntries(before: now.advanced(byMilliseconds: -Self.journalMilliseconds))
    }

    /// A venue was erased, and with it the journal, for its entries name the venues that share a guidance.
    func beginJournalAnew(without id: UUID) async {
        guard journal != nil else { return }
        unwritten.removeAll { $0.isGuidance }
        note(.erasure(id))
        await refresh(roster.groups, force: true)
    }
}

/// What is to be written into the journal, and then published.
struct Unwritten {
    let entry: JournalEntry
    var publications: [SharedPublication] = []
    var tail: [UInt8] = []

    var isGuidance: Bool { if case .guidance = entry { true } else { false } }
}

extension PublicationEpoch {
    fileprivate init(_ epoch: JournalEpoch) { self.init(publisher: epoch.publisherID, number: epoch.number) }
}
