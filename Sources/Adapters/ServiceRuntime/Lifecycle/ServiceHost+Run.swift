internal import CoreMetrics
internal import EnergyModel
internal import Foundation
internal import Logging
internal import UnixSignals

/// How a process ends, in numbers that supervisors know.
///
/// - Source: sysexits.h
enum ExitCode {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// Something it needs is not to be had now: a port, its state directory.
    static let unavailable: Int32 = 69
    /// The settings are wrong: starting again will not help.
    static let configuration: Int32 = 78

    static func after(_ error: EnergyError) -> Int32 {
        switch error.code {
        case .unavailable, .dataLoss: unavailable
        // In the settings, or in what is stored: starting again changes neither.
        case .invalidInput: configuration
        default: failure
        }
    }
}

extension ServiceHost {
    /// The whole life of a process: reads the command line, the environment and the file, starts, serves until SIGTERM
    /// or SIGINT, stops gracefully and exits. A second signal exits at once.
    ///
    /// - Parameter build: makes the service out of the host's parts.
    public static func run(
        _ definition: ServiceDefinition, transport: ServiceTransport = .zeroMQ,
        _ build: @escaping @Sendable (ServiceHost) async throws -> Void
    ) async -> Never {
        await run(definition, transport: transport, open: { _ in }, { host, _ in try await build(host) })
    }

    /// The same for a service with a store.
    ///
    /// - Parameters:
    ///   - open: opens the store, and may wait until it is this process's turn: nothing is bound yet.
    ///   - build: makes the service out of the store and the host's parts.
    public static func run<Store: Sendable>(
        _ definition: ServiceDefinition, transport: ServiceTransport = .zeroMQ,
        open: @escaping @Sendable (ServiceHost) async throws -> Store,
        _ build: @escaping @Sendable (ServiceHost, Store) async throws -> Void
    ) async -> Never {
        MemoryPart.configure()
        ProcessSecrecy.keep()
        let environment = ProcessInfo.processInfo.environment
        let loader = definition.loader
        let flags = CommandLineFlags(Array(CommandLine.arguments.dropFirst()), declarations: loader.declarations)
        if flags.asksForHelp { end(ExitCode.success, loader.help(summary: definition.summary)) }
        if flags.asksForVersion { end(ExitCode.success, "\(definition.name) \(SoftwareVersion.current)\n") }
        if flags.asksForTemplate { end(ExitCode.success, loader.template(summary: definition.summary)) }
        let configuration: ServiceConfiguration
        do { configuration = try loader.load(flags, environment: environment) } catch {
            ServiceLogHandler.standardError("\(definition.name) does not start:\n\(error)\n")
            Foundation.exit(ExitCode.configuration)
        }
        // A peer that hangs up while we write is an error of that write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let (logger, metrics) = bootstrap(definition, configuration, environment)
        let process = ServiceProcess(
            definition: definition, configuration: configuration, environment: environment, transport: transport,
            metrics: metrics, logger: logger)
        let signals = await StopSignals(logger)
        do {
            try await process.run(stop: signals.first, whenReady: { logReady(logger) }, open: open, build: build)
        } catch {
            ServiceHost.exit(after: error, definition, configuration[RuntimeKeys(definition).logFormat], logger)
        }
        logger.info("stopped")
        Foundation.exit(ExitCode.success)
    }

    private static func bootstrap(
        _ definition: ServiceDefinition, _ configuration: ServiceConfiguration, _ environment: [String: String]
    ) -> (Logger, PrometheusRegistry) {
        let keys = RuntimeKeys(definition)
        let (level, format) = (configuration[keys.logLevel].level, configuration[keys.logFormat])
        let isColoured = ServiceLogHandler.isColoured(environment)
        LoggingSystem.bootstrap { label in
            ServiceLogHandler(label: label, level: level, format: format, isColoured: isColoured)
        }
        let metrics = PrometheusRegistry()
        MetricsSystem.bootstrap(metrics)
        return (Logger(label: definition.name), metrics)
    }

    private static func logReady(_ logger: Logger) {
        logger.notice(
            "ready",
            metadata: [
                ServiceKeys.version: "\(SoftwareVersion.current)",
                ServiceKeys.milliseconds: "\(ProcessMetrics.millisecondsSinceStart ?? -1)",
            ])
    }

    private static func exit(
        after error: any Error, _ definition: ServiceDefinition, _ format: LogFormat, _ logger: Logger
    ) -> Never {
        switch error {
        case let error as ConfigurationError where format == .json:
            // Whoever reads the log expects an object in every line.
            for problem in error.problems {
                logger.critical("does not start", metadata: [ServiceKeys.reason: "\(problem)"])
            }
            Foundation.exit(ExitCode.configuration)
        case let error as ConfigurationError:
            ServiceLogHandler.standardError("\(definition.name) does not start:\n\(error)\n")
            Foundation.exit(ExitCode.configuration)
        case let error as StartError:
            logger.critical("cannot run", metadata: [ServiceKeys.reason: "\(error)"])
            Foundation.exit(ExitCode.unavailable)
        case let error as EnergyError:
            logger.critical("cannot run", metadata: [ServiceKeys.reason: "\(error.message)"])
            Foundation.exit(ExitCode.after(error))
        default:
            logger.critical("cannot run", metadata: [ServiceKeys.reason: "\(error)"])
            Foundation.exit(ExitCode.failure)
        }
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        FileHandle.standardOutput.write(Data(text.utf8))
        Foundation.exit(code)
    }
}

/// SIGTERM and SIGINT: the first asks to stop, the second ends the process at once.
private struct StopSignals {
    /// One element: the first signal's name.
    let first: AsyncStream<String>

    init(_ logger: Logger) async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let (first, continuation) = AsyncStream<String>.makeStream()
        self.first = first
        Task {
            var isStopping = false
            for await signal in signals {
                if isStopping { _exit(128 + signal.rawValue) }
                isStopping = true
                logger.info("stopping", metadata: [ServiceKeys.signal: "\(signal)"])
                continuation.yield("\(signal)")
            }
        }
    }
}
