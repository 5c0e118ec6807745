internal import ArgumentParser
internal import EnergyModel
internal import EnergyPlanning
internal import Foundation

extension ScheduleCommand {
    struct Solve: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the best plan for a problem in a file, without any service.",
            discussion: """
                Prints the plan, its cost, the proven bound and the reasons as JSON. Needs \
                only slots and loads; energyctl schedule solve --schema says the rest.

                EXAMPLES
                  energyctl schedule solve problem.json
                  energyctl schedule solve - < problem.json
                  energyctl schedule solve problem.json --time-limit 60
                  energyctl schedule solve --schema
                """)
        @OptionGroup var input: JSONFileOption
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "When to answer with the best plan found, in place of the file's time_limit_seconds.",
                valueName: "seconds"))
        var timeLimit: Double?
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard timeLimit.map({ PlanProblem.timeLimitRange ~= $0 }) ?? true else {
                throw ValidationError("--time-limit must be 0.01 to 3600 seconds.")
            }
        }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            guard let file = input.file else {
                context.output.line(ProblemSchema.text)
                return
            }
            guard let solver = context.planSolver else {
                throw CommandFailure(.failure, "This energyctl was built without a solver.")
            }
            let bytes = try Self.read(file)
            let document: PlanDocument
            do {
                var reading = try ProblemReader.read(bytes)
                if let timeLimit { reading.problem.timeLimit = .milliseconds(Int64(timeLimit * 1000)) }
                document = PlanDocument(try HomePlanner(solver: solver).plan(reading.problem), of: reading)
            } catch let error as ProblemError {
                throw CommandFailure(.refused, TerminalText.safe(error.description))
            } catch let error as EnergyError {
                throw CommandFailure(
                    error.code == .unavailable ? .unavailable : .refused, TerminalText.safe(error.message))
            } catch {
                throw CommandFailure(.failure, "The problem could not be solved.")
            }
            context.output.line(JSONText.document(document))
        }

        static func read(_ file: String) throws(CommandFailure) -> [UInt8] {
            do {
                let data =
                    file == "-"
                    ? try FileHandle.standardInput.readToEnd() ?? Data()
                    : try Data(contentsOf: URL(filePath: file))
                return [UInt8](data)
            } catch {
                throw CommandFailure(.usage, "\(TerminalText.safe(file)) cannot be read.")
            }
        }
    }
}
