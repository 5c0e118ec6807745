import EnergyModel
import EnergyTransport
import EnergyWire
import Foundation
import Testing

/// Every method and topic with every permission, at one's own venue, at another's and at none.
///
/// What is expected stands here once more, by hand: a rule that is changed by mistake differs from it, and a method that
/// is new fails the first test until it has a line.
@Suite struct PermissionMatrixTests {
    /// What a request may be about that comes from a key with venues of its own.
    private enum Reach {
        /// Only its own; none is none in particular, or all of its own.
        case own
        /// Only its own; none is everything, which it may not.
        case ownNamed
        /// Nothing: only a key for all venues may.
        case everything
    }

    private static let rules: [String: (permission: Permission?, reach: Reach)] = [
        "Venues/List": (nil, .own),
        // A venue that is not one's own is not found: `narrow`, which AccessTests holds.
        "Venues/Get": (nil, .own),
        "Venues/Put": (.admin, .ownNamed),
        "Venues/Remove": (.admin, .own),
        "RatePlans/List": (.guidance, .own),
        "RatePlans/Put": (.admin, .everything),
        "RatePlans/Remove": (.admin, .everything),
        "DemandResponse/Put": (.control, .ownNamed),
        "DemandResponse/List": (.guidance, .own),
        "DemandResponse/Cancel": (.control, .everything),
        "Guidance/Get": (.guidance, .own),
        "Guidance/ResolveToken": (.events, .own),
        "Signals/History": (.guidance, .own),
        "Signals/Put": (.control, .everything),
        "Signals/Sources": (.guidance, .own),
        "Signals/Test": (.control, .everything),
        "Events/Submit": (.events, .own),
        "Events/ReadLog": (.admin, .everything),
        "Events/Heads": (.admin, .everything),
        "Events/Sessions": (.events, .own),
        "Events/Readers": (.admin, .everything),
        "Events/RemoveReader": (.admin, .everything),
        "Events/Backup": (.admin, .everything),
        "Privacy/Export": (.admin, .own),
        "Privacy/Erase": (.admin, .own),
        "Insights/Query": (.insights, .own),
        "Insights/Sessions": (.insights, .own),
        "Insights/Savings": (.insights, .own),
        "Insights/Activity": (.insights, .own),
        "Insights/Repair": (.admin, .own),
        "Insights/ListRepairs": (.insights, .own),
        "Insights/Rebuild": (.admin, .everything),
        "Schedules/ListDevices": (.schedules, .own),
        "Schedules/PutDevice": (.control, .own), "Schedules/RemoveDevice": (.control, .own),
        "Schedules/PutGoal": (.control, .own),
        "Schedules/DeleteGoal": (.control, .own),
        "Schedules/PutRules": (.control, .own),
        "Schedules/GetLimits": (.schedules, .own),
        "Schedules/PutLimits": (.control, .own),
        "Schedules/PutObjective": (.control, .own),
        "Schedules/GetForecast": (.schedules, .own),
        "Schedules/PutForecast": (.control, .own),
        "Schedules/Preview": (.schedules, .own),
        "Schedules/Override": (.control, .own),
        "Schedules/List": (.schedules, .own),
        "Health/Check": (nil, .own),
        "Health/Watch": (nil, .own),
        "Health/List": (nil, .own),
        "Reflection/Describe": (nil, .own),
    ]

    private static let named = ["Venues/Get"]

    private func short(_ method: String) -> String { String(method.trimmingPrefix("energy.v1.")) }

    @Test func `every method of the contract has a rule here, and requests to try it with`() throws {
        let contract = try #require(ContractDescriptor())
        let methods = Set(contract.methods.map { short($0.name) }.filter { !$0.hasPrefix("Publications/") })
        #expect(Set(Self.rules.keys) == methods)
        #expect(Set([MethodUnderTest].all.map { short($0.name) }) == methods)
    }

    /// Permissions that a key may have: none, each alone, and all of them.
    private static let permissions: [Set<Permission>] =
        [[]] + Permission.allCases.map { [$0] } + [Set(Permission.allCases)]
    /// Venues that a key may be for: all, one, none.
    private static let venues: [Set<UUID>?] = [nil, [MethodUnderTest.own], []]

    @Test(arguments: permissions)
    func `a method is open to exactly those whom its rule names`(permissions: Set<Permission>) async throws {
        for method in [MethodUnderTest].all {
            let rule = try #require(Self.rules[short(method.name)])
            for venues in Self.venues {
                let principal = Principal(name: "car", permissions: permissions, venues: venues)
                for venue in method.requests.keys {
                    let isAllowed =
                        rule.permission.map(permissions.contains) ?? true
                        && isAllowed(venue, rule.reach, venues, isNarrowed: Self.named.contains(short(method.name)))
                    let refusal = await method.refusal(of: venue, principal)
                    #expect(
                        refusal == (isAllowed ? .notFound : .permissionDenied),
                        "\(method.name) about \(venue) venue, by a key for \(venues?.count ?? -1) venues")
                }
            }
        }
    }

    private func isAllowed(
        _ venue: MethodUnderTest.Venue, _ reach: Reach, _ venues: Set<UUID>?, isNarrowed: Bool
    ) -> Bool {
        guard let venues, !isNarrowed else { return true }
        switch venue {
        case .own: return reach != .everything && venues.contains(MethodUnderTest.own)
        case .other, .both: return false
        case .none: return reach == .own
        }
    }

    @Test func `the permissions' table in the contract's page names each method beside its permission`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "proto/README.md"), encoding: .utf8)
        for (method, rule) in Self.rules {
            let label = rule.permission.map { "| `\($0.rawValue)` |" } ?? "| (any key) |"
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix(label) })
            let parts = method.split(separator: "/")
            let isNamed =
                row.contains("`\(method)`") || row.contains("`\(parts[0])/*`")
                || row.contains("`\(parts[0])/") && row.contains("`\(parts[1])`")
            #expect(isNamed, "\(method) in \(label)")
        }
    }

    // MARK: Topics

    /// An id that differs from one's own in the last digit only.
    private static let sibling = UUID(uuidString: "\(MethodUnderTest.own.uuidString.dropLast())F") ?? UUID()

    private static let topics: [(name: String, permission: Permission, venue: UUID)] = [
        MethodUnderTest.own, MethodUnderTest.other, sibling,
    ].flatMap { venue in
        [
            (Topics.guidance(venueID: venue, action: .shift), Permission.guidance, venue),
            (Topics.guidance(venueID: venue, action: .reduce), .guidance, venue),
            (Topics.events(venueID: venue, deviceID: "car-1"), .events, venue),
            (Topics.insights(venueID: venue, deviceID: "car-1"), .insights, venue),
            (Topics.schedule(venueID: venue, deviceID: "car-1"), .schedules, venue),
        ]
    }

    @Test(arguments: permissions)
    func `a topic is open to exactly those with its permission and venue`(permissions: Set<Permission>) {
        for venues in Self.venues {
            let principal = Principal(name: "car", permissions: permissions, venues: venues)
            for topic in Self.topics {
                let isAllowed = permissions.contains(topic.permission) && venues?.contains(topic.venue) ?? true
                #expect(Topics.mayRead(principal, topic.name) == isAllowed, "\(topic.name) \(venues?.count ?? -1)")
            }
        }
    }

    /// The prefix trick: what is shorter than a topic stands for all topics that begin so.
    @Test(arguments: permissions)
    func `no prefix opens a topic that the key may not read`(permissions: Set<Permission>) {
        var prefixes: Set<String> = ["/", "*", "guidance//", " guidance/"]
        for topic in Self.topics {
            for count in 0...topic.name.count {
                let prefix = String(topic.name.prefix(count))
                prefixes.formUnion([prefix, prefix + "/", prefix.uppercased(), prefix + "\0", prefix + "/../"])
            }
        }
        for venues in Self.venues {
            let principal = Principal(name: "car", permissions: permissions, venues: venues)
            for prefix in prefixes where Topics.mayRead(principal, prefix) {
                for topic in Self.topics where topic.name.hasPrefix(prefix) {
                    #expect(permissions.contains(topic.permission), "\(prefix) opens \(topic.name)")
                    #expect(venues?.contains(topic.venue) ?? true, "\(prefix) opens \(topic.name)")
                }
            }
        }
    }

    @Test func `whoever may read everything of a kind may subscribe to the kind`() {
        let wall = Principal(name: "wall", permissions: [.guidance, .schedules])
        #expect(Topics.mayRead(wall, Topics.allGuidance) && Topics.mayRead(wall, Topics.allSchedules))
        #expect(!Topics.mayRead(wall, Topics.allEvents) && !Topics.mayRead(wall, ""))
    }
}
