import CBCSolver
import EnergyModel
import EnergyPlanning
import Foundation

let bytes = [UInt8](try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys]
encoder.keyEncodingStrategy = .convertToSnakeCase
if CommandLine.arguments.count > 2, CommandLine.arguments[2] == "schema" { print(ProblemSchema.text) }
else {
for line in bytes.split(separator: 10) {
    do {
        let reading = try ProblemReader.read(Array(line))
        let start = ContinuousClock.now
        let plan = try HomePlanner(solver: CBCSolver()).plan(reading.problem)
        let took = (ContinuousClock.now - start) / .microseconds(1)
        print(String(format: "%.1f", took), String(decoding: try encoder.encode(PlanDocument(plan, of: reading)), as: UTF8.self))
    } catch { print("ERROR", error) }
}
}
