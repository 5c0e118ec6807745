internal import EnergyModel
internal import Foundation

/// Every device's schedule over the same hours, its goals, and what can be done about them.
struct PlanPage {
    let context: PageContext
    let devices: HomeReader.Known<[DeviceStatus]>
    let guidance: Guidance?
    let limits: VenueLimits?
    /// What was just refused.
    var message: String?

    private var language: Language { context.language }
    private var formats: Formats { context.formats }

    func html() -> HTML {
        .element("div", [.id("plan-page"), Attribute("data-live", if: true)]) {
            HTML.element("h1") { language(.pagePlan) }
            if let message { HTML.element("p", [.class("notice"), .role("status")]) { message } }
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
        }
    }

    private func card(_ status: DeviceStatus) -> HTML {
        let goals = GoalWords(context: context)
        return .element("li", [.class("card")]) {
            HTML.element("div", [.class("card-head")]) {
                HTML.element("h2") { status.device.device.name }
                HTML.element("span", [.class("note")]) { language(status.device.device.kind.word) }
            }
            HTML.element("p") { DeviceCard(status: status, context: context).why }
            if let schedule = status.schedule, !schedule.blocks.isEmpty {
                HTML.element("ul", [.class("goals"), .label(language(.goals))]) {
                    for goal in schedule.goals {
                        HTML.element("li") {
                            goals.sentence(goal)
                            if schedule.goals.count > 1 { change(goal, of: status, goals.sentence(goal)) }
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
            actions(status)
        }
    }

    /// Of several goals each is changed, or removed, by itself.
    private func change(_ goal: Goal, of status: DeviceStatus, _ sentence: String) -> HTML {
        let id = status.device.device.id
        let query = [("device", id), ("goal", goal.id.uuidString.lowercased())]
        return HTML.text(" ")
            + .element("a", [.href(context.address("/plan/goal", query))]) {
                language(.change)
                HTML.element("span", [.class("hidden")]) { ", \(status.device.device.name): \(sentence)" }
            }
    }

    private func actions(_ status: DeviceStatus) -> HTML {
        let id = status.device.device.id
        let hasGoal = status.schedule?.blocks.isEmpty == false
        return .element("div", [.class("actions")]) {
            if status.device.device.kind == .electricVehicle, hasGoal {
                if status.schedule?.override == nil {
                    override(.chargeNow, .chargeNow, status)
                    override(.pause, .pause, status)
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
                HTML.element("span", [.class("hidden")]) { ", " + status.device.device.name }
            }
        }
    }

    private func override(_ action: OverrideAction, _ word: Word, _ status: DeviceStatus) -> HTML {
        button(
            "/plan/override", [("device", status.device.device.id), ("action", action.rawValue)], language(word),
            status.device.device.name)
    }

    private func button(
        _ action: String, _ fields: [(String, String)], _ text: String, _ device: String
    ) -> HTML {
        .element("form", [Attribute("method", "post"), Attribute("action", action)]) {
            Form.hidden("venue", context.venue.id.uuidString.lowercased())
            for (name, value) in fields { Form.hidden(name, value) }
            HTML.element("button") {
                text
                HTML.element("span", [.class("hidden")]) { ", " + device }
            }
        }
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
        return names.enumerated().filter { days.contains(day: $0.offset) }.map(\.element).joined(separator: ", ")
    }
}
