internal import EnergyModel
internal import EnergyTransport
internal import Foundation

/// Every device's schedule over the same hours, its goals, and what can be done about them.
struct PlanPage {
    let context: PageContext
    let devices: HomeReader.Known<[DeviceStatus]>
    let guidance: Guidance?
    let limits: VenueLimits?
    /// What the dashboard's key may do at the scheduler; `nil` where nobody could say.
    let rights: Set<Permission>?

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("div", [.id("plan-page")]) {
            HTML.element("h1") { language(.pagePlan) }
            if let asOf = devices.asOf {
                HTML.element("p", [.class("notice")]) { language(.asOf, formats.moment(asOf, seen: context.now)) }
            }
            if devices.value.isEmpty {
                HTML.element("p", [.class("empty")]) { language(.noDevices) }
            } else {
                PlanChart(
                    devices: devices.value, guidance: guidance, limits: limits, now: context.now, formats: formats
                ).html()
                HTML.element("ul", [.class("cards")]) {
                    for status in devices.value { card(status) }
                }
            }
            language.missing(.control, in: rights)
        }
    }

    private func card(_ status: DeviceStatus) -> HTML {
        let goals = GoalWords(context: context)
        return .element("li", [.class("card"), .id("device-\(status.device.device.id)"), Attribute("tabindex", "-1")]) {
            HTML.element("div", [.class("card-head")]) {
                HTML.element("h2") { status.name }
                HTML.element("span", [.class("note")]) { language(status.device.device.kind.word) }
            }
            HTML.element("p") { DeviceCard(status: status, context: context).why }
            if let schedule = status.schedule, !schedule.blocks.isEmpty {
                HTML.element("ul", [.class("goals"), .label(language(.goals))]) {
                    for goal in schedule.goals {
                        HTML.element("li") {
                            goals.sentence(goal)
                            if mayChange, schedule.goals.count > 1 { change(goal, of: status, goals.sentence(goal)) }
                        }
                    }
                }
                if schedule.missing > .zero {
                    HTML.element("p", [.class("error")]) {
                        language(.missingEnergy, formats.energy(schedule.missing))
                    }
                }
                PlanReasons(schedule: schedule, context: context).html()
            } else {
                HTML.element("p", [.class("empty")]) { language(.goalNone) }
            }
            if mayChange { actions(status) }
        }
    }

    private var mayChange: Bool { rights?.contains(.control) == true }

    /// Of several goals each is changed, or removed, by itself.
    private func change(_ goal: Goal, of status: DeviceStatus, _ sentence: String) -> HTML {
        let id = status.device.device.id
        let query = [("device", id), ("goal", goal.id.uuidString.lowercased())]
        return HTML.text(" ")
            + .element("a", [.href(context.address("/plan/goal", query))]) {
                language(.change)
                HTML.element("span", [.class("hidden")]) { ", \(status.name): \(sentence)" }
            }
    }

    private func actions(_ status: DeviceStatus) -> HTML {
        let id = status.device.device.id
        let hasGoal = status.schedule?.blocks.isEmpty == false
        return .element("div", [.class("actions")]) {
            if status.device.device.kind == .electricVehicle {
                if status.schedule?.override == nil {
                    override(.chargeNow, .chargeNow, status)
                    if hasGoal { override(.pause, .pause, status) }
                } else {
                    override(.resume, .resume, status)
                }
            }
            HTML.element(
                "a",
                [
                    .class("button"), .id("goal-\(id)"), .href(context.address("/plan/goal", [("device", id)])),
                ]
            ) {
                language(hasGoal && status.goals.count < 2 ? .changeGoal : .addGoal)
                HTML.element("span", [.class("hidden")]) { ", " + status.name }
            }
        }
    }

    private func override(_ action: OverrideAction, _ word: Word, _ status: DeviceStatus) -> HTML {
        let device = status.device.device
        let fields = [
            ("venue", context.venue.id.uuidString.lowercased()), ("device", device.id), ("action", action.rawValue),
        ]
        return Form.button(
            "/plan/override", fields, language(word), id: "\(action.rawValue)-\(device.id)", subject: status.name)
    }
}

/// Goals in words.
struct GoalWords {
    let context: PageContext

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    /// `80% full by Mon 07:00, every Mon, Tue 07:00`
    func sentence(_ goal: Goal) -> String {
        let ready = language(.goalBy, formats.moment(goal.readyBy, seen: context.now))
        let repeats = goal.weekly.map { ", " + language(.goalWeekly, weekdays($0.weekdays)) } ?? ""
        return "\(target(goal.target)) \(ready)\(repeats)"
    }

    func target(_ target: Goal.Target) -> String {
        switch target {
        case .energy(let energy): language(.goalEnergy, formats.energy(energy))
        case .stateOfCharge(let percent): language(.goalCharge, formats.percent(Double(percent) / 100))
        case .reduce(let milliseconds): language(.goalReduce, formats.length(milliseconds: milliseconds))
        case .run: language(.goalRun)
        }
    }

    private func weekdays(_ days: Weekdays) -> String {
        let names = language(.weekdays).split(separator: ",").map(String.init)
        return formats.week.filter { days.contains(day: $0) }.map { names[$0] }.joined(separator: ", ")
    }
}
