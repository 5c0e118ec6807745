import CBCSolver
import EnergyTestSupport
import Foundation
import Testing

@testable import EnergyPlanning

/// Problems as text, the way people write them: shorter to read than values, and the reader is tested on the way.
enum Planning {
    static let planner = HomePlanner.patient

    /// Hours of 2026-03-02 in winter time, each with its price.
    static func slots(_ prices: [Double], minutes: Int = 60, more: (Int) -> String = { _ in "" }) -> String {
        "["
            + prices.enumerated().map { index, price in
                #"{"start": "\#(time(index * minutes))", "end": "\#(time((index + 1) * minutes))", "#
                    + #""price": \#(price)\#(more(index))}"#
            }.joined(separator: ", ") + "]"
    }

    static func time(_ minute: Int) -> String {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "2026-03-\(two(2 + minute / 1440))T\(two(minute / 60 % 24)):\(two(minute % 60)):00+01:00"
    }

    /// What the solver finds for all loads together, with enough time.
    static func solved(_ problem: PlanProblem) throws -> PlanWorth {
        let timer = PlanTimer(limit: .seconds(600), clock: ContinuousClock())
        let answer = HomePlanner(solver: CBCSolver()).joint(PlanWork(problem), timer)
        #expect(answer.isOptimal)
        return PlanWorth(try #require(answer.decisions), answer.work)
    }

    static func plan(_ text: String) throws -> PlanDocument {
        let reading = try ProblemReader.read(Array(text.utf8))
        return PlanDocument(try planner.plan(reading.problem), of: reading)
    }

    static func plan(
        _ prices: [Double], minutes: Int = 60, loads: String, limits: String = "{}", more: (Int) -> String = { _ in "" }
    ) throws -> PlanDocument {
        try plan(
            #"{"slots": \#(slots(prices, minutes: minutes, more: more)), "loads": [\#(loads)], "limits": \#(limits)}"#)
    }

    static func refusal(_ text: String) -> ProblemError? {
        do throws(ProblemError) {
            _ = try ProblemReader.read(Array(text.utf8))
            return nil
        } catch { return error }
    }
}
