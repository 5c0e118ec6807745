internal import ArgumentParser
internal import EnergyModel
internal import EnergyPlanning

extension ScheduleCommand {
    struct Solve: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find the best plan for a problem in a file, without any service.",
            discussion: """
                Prints the plan, its cost, the proven bound and the reasons as JSON. Needs \
                only slots and loads; energyctl schedule solve --schema says the rest, and \
                --answer-schema what is printed.

                EXAMPLES
                  energyctl schedule solve problem.json
                  energyctl schedule solve - < problem.json
                  energyctl schedule solve problem.json --time-limit 60
                  energyctl schedule solve --schema
                  energyctl schedule solve --answer-schema
                """)
        @Argument(
            help: ArgumentHelp("The problem, in JSON; - is standard input.", valueName: "file"), completion: .file())
        var file: String?
        @Flag(name: .long, help: "Print the JSON Schema of a problem.") var schema = false
        @Flag(name: .long, help: "Print the JSON Schema of an answer.") var answerSchema = false
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp(
                "When to answer with the best plan found, in place of the file's time_limit_seconds.",
                valueName: "seconds"))
        var timeLimit: Double?
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard [file != nil, schema, answerSchema].count(where: { $0 }) == 1 else {
                throw ValidationError("Say a file, -, --schema or --answer-schema.")
            }
            guard timeLimit.map({ PlanProblem.timeLimitRange ~= $0 }) ?? true else {
                throw ValidationError("--time-limit must be 0.01 to 3600 seconds.")
            }
        }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            guard let file else {
                context.output.line(answerSchema ? PlanDocument.schema : ProblemSchema.text)
                return
            }
            guard let solver = context.tools.planSolver else {
                throw CommandFailure(.failure, "This energyctl was built without a solver.")
            }
            let bytes = [UInt8](try InputFile.bytes(of: file))
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
    }
}
