// swift-tools-version:6.2
import PackageDescription

// The rooms, bottom up: C, Core, Adapters and Services, Client, Apps. Who may import whom: ARCHITECTURE.md.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func library(
    _ name: String, in room: String, uses: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: uses, path: "Sources/\(room)/\(name)", resources: resources, swiftSettings: strict)
}

func system(_ name: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", providers: [.apt([apt])])
}

func app(_ name: String, uses: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Sources/Apps/\(name)", swiftSettings: strict)
}

func tests(_ name: String, uses: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: uses + ["EnergyTestSupport"], swiftSettings: strict)
}

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let core: [Target.Dependency] = ["EnergyModel", "EnergyWire", "EnergyStore", "EnergyTransport", "EnergyFeeds"]
let serviceParts: [Target.Dependency] = core + [logging, metrics]
let serviceAdapters: [Target.Dependency] = ["ZeroMQTransport", "SQLiteStore", "ServiceRuntime", logging] + core

let package = Package(
    name: "gridtide",
    products: [
        .executable(name: "guidance-publisher", targets: ["guidance-publisher"]),
        .executable(name: "event-ingestor", targets: ["event-ingestor"]),
        .executable(name: "insight-service", targets: ["insight-service"]),
        .executable(name: "scheduler", targets: ["scheduler"]),
        .executable(name: "energyctl", targets: ["energyctl"]),
        .executable(name: "device-simulator", targets: ["device-simulator"]),
        .executable(name: "energy-dashboard", targets: ["energy-dashboard"]),
        // Apple's EnergyKit, by its names, for other packages.
        .library(name: "EnergyKit", targets: ["EnergyKit"]),
        // For Benchmarks/, which is a package of its own.
        .library(
            name: "GridtideGuidance",
            targets: [
                "EnergyModel", "EnergyStore", "EnergyTransport", "EnergyWire", "GuidancePublishing",
                "SodiumAuthentication",
            ]),
        .library(
            name: "GridtideInsights", targets: ["EnergyModel", "EnergyStore", "EnergyFeeds", "SQLiteStore", "Insights"]),
        .library(name: "GridtidePlanning", targets: ["EnergyModel", "EnergyPlanning", "CBCSolver"]),
        .library(
            name: "GridtideTransport",
            targets: ["EnergyModel", "EnergyWire", "EnergyTransport", "ZeroMQ", "ZeroMQTransport"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.12.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        // C
        system("CZeroMQ", apt: "libzmq3-dev"),
        system("CSodium", apt: "libsodium-dev"),
        system("CQREncode", apt: "libqrencode-dev"),
        system("CProtobufC", apt: "libprotobuf-c-dev"),
        system("CLZ4", apt: "liblz4-dev"),
        system("CZlib", apt: "zlib1g-dev"),
        system("CPostgreSQL", apt: "libpq-dev"),
        .systemLibrary(name: "CMalloc", path: "Sources/C/CMalloc"),
        .systemLibrary(name: "CProcess", path: "Sources/C/CProcess"),
        .target(
            name: "CResolver", path: "Sources/C/CResolver", publicHeadersPath: ".",
            linkerSettings: [.linkedLibrary("resolv")]),
        .target(
            name: "EnergyProto", dependencies: ["CProtobufC"], path: "Sources/C/EnergyProto", publicHeadersPath: ".",
            linkerSettings: [.linkedLibrary("protobuf-c")]),
        // coinor-libcbc-dev. C++, because CBC can be stopped inside a relaxation through that only.
        .target(
            name: "CCbc", path: "Sources/C/CCbc", publicHeadersPath: ".",
            linkerSettings: ["CbcSolver", "Cbc", "OsiClp", "Clp", "CoinUtils"].map { .linkedLibrary($0) }),

        // Core
        library("EnergyModel", in: "Core"),
        library("EnergyPlanning", in: "Core", uses: ["EnergyModel"]),
        library("EnergyTransport", in: "Core"),
        library(
            "EnergyWire", in: "Core",
            uses: ["EnergyModel", "EnergyTransport", "EnergyProto", "CProtobufC"],
            resources: [.embedInCode("energy.v1.descriptorset")]),
        library("EnergyStore", in: "Core", uses: ["EnergyModel"]),
        library("EnergyFeeds", in: "Core", uses: ["EnergyModel", "EnergyWire", "EnergyTransport"]),

        // Adapters
        library("ZeroMQ", in: "Adapters", uses: ["CZeroMQ"]),
        library("CBCSolver", in: "Adapters", uses: ["CCbc", "EnergyPlanning"]),
        library("ZeroMQTransport", in: "Adapters", uses: ["CResolver", "ZeroMQ", "EnergyTransport"]),
        library(
            "KeyFiles", in: "Adapters",
            uses: ["EnergyModel", "EnergyTransport", "ZeroMQ", .product(name: "Yams", package: "Yams")]),
        library("QRCodes", in: "Adapters", uses: ["CQREncode"]),
        library("SodiumAuthentication", in: "Adapters", uses: ["CSodium", "EnergyModel"]),
        library("AuditFiles", in: "Adapters", uses: ["EnergyModel", "EnergyTransport", "SodiumAuthentication"]),
        library("LZ4", in: "Adapters", uses: ["CLZ4"]),
        library("Gzip", in: "Adapters", uses: ["CZlib"]),
        library("SQLColumns", in: "Adapters", uses: ["EnergyModel", "EnergyStore"]),
        library(
            "SQLiteStore", in: "Adapters", uses: ["EnergyModel", "EnergyStore", "LZ4", "SQLColumns", grdb, sqlite]),
        library(
            "PostgreSQLStore", in: "Adapters",
            uses: ["CPostgreSQL", "EnergyModel", "EnergyStore", "SQLColumns"]),
        library(
            "StoreMigration", in: "Adapters",
            uses: ["EnergyModel", "EnergyStore", "EnergyWire", "PostgreSQLStore", "SQLColumns", "SQLiteStore"]),
        library(
            "GridSignals", in: "Adapters", uses: ["EnergyModel", "EnergyStore"],
            resources: [.embedInCode("climatology.csv")]),
        library(
            "HTTPFetcher", in: "Adapters",
            uses: [
                "EnergyModel", "GridSignals", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        library(
            "Tariffs", in: "Adapters",
            uses: ["EnergyModel", "EnergyStore", .product(name: "Yams", package: "Yams")]),
        library("InsightFiles", in: "Adapters", uses: ["EnergyModel"]),
        library(
            "ServiceRuntime", in: "Adapters",
            uses: [
                "AuditFiles", "CMalloc", "CProcess", "EnergyModel", "EnergyStore", "EnergyTransport", "EnergyWire",
                "KeyFiles", "SodiumAuthentication", "ZeroMQ", "ZeroMQTransport", logging, metrics, lifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "Yams", package: "Yams"),
            ]),

        // Services
        library("GuidancePublishing", in: "Services", uses: serviceParts),
        library("EventIngestion", in: "Services", uses: serviceParts),
        library("Insights", in: "Services", uses: serviceParts),
        library("Scheduling", in: "Services", uses: serviceParts + ["EnergyPlanning"]),

        // Client
        library(
            "ServiceEndpoints", in: "Client",
            uses: [
                "EnergyModel", "EnergyTransport", "KeyFiles", "ZeroMQ", "ZeroMQTransport",
                .product(name: "Yams", package: "Yams"),
            ]),
        library(
            "EnergyKit", in: "Client",
            uses: [
                "EnergyModel", "EnergyWire", "EnergyTransport", "EnergyFeeds", "ServiceEndpoints", "ZeroMQTransport",
            ]),
        library(
            "EnergyCommands", in: "Client",
            uses: [
                "AuditFiles", "CProcess", "InsightFiles", "KeyFiles", "QRCodes", "ServiceEndpoints",
                "SodiumAuthentication", "ZeroMQ", "ZeroMQTransport", "Tariffs",
                "EnergyPlanning", arguments,
            ] + core),
        library("DeviceSimulation", in: "Client", uses: [logging] + core),
        library(
            "EnergyDashboard", in: "Client",
            uses: [
                "Gzip", "InsightFiles", "KeyFiles", "QRCodes", "ServiceEndpoints", "SodiumAuthentication", "Tariffs",
                logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ] + core,
            resources: [
                .embedInCode("Assets/dashboard.css"), .embedInCode("Assets/dashboard.js"),
                .embedInCode("Assets/openapi.json"),
            ]),

        // Apps
        app(
            "guidance-publisher",
            uses: [
                "GuidancePublishing", "GridSignals", "HTTPFetcher", "PostgreSQLStore", "SodiumAuthentication",
                "Tariffs",
            ] + serviceAdapters),
        app("event-ingestor", uses: ["EventIngestion", "PostgreSQLStore", "SodiumAuthentication"] + serviceAdapters),
        app("insight-service", uses: ["Insights", "PostgreSQLStore"] + serviceAdapters),
        app(
            "scheduler",
            uses: ["Scheduling", "EnergyPlanning", "CBCSolver", "PostgreSQLStore"] + serviceAdapters),
        app("device-simulator", uses: ["DeviceSimulation"] + serviceAdapters),
        app("energy-dashboard", uses: ["EnergyDashboard"] + serviceAdapters),
        app("energyctl", uses: ["EnergyCommands", "CBCSolver", "SQLiteStore", "StoreMigration"]),

        // Tests
        .target(
            name: "EnergyTestSupport",
            dependencies: [
                "CBCSolver", "EnergyModel", "EnergyPlanning", "EnergyStore", "EnergyTransport", "EnergyWire",
            ],
            path: "Tests/EnergyTestSupport", swiftSettings: strict),
        tests("EnergyModelTests", uses: ["EnergyModel"]),
        tests("EnergyPlanningTests", uses: ["EnergyPlanning", "CBCSolver", "EnergyModel"]),
        tests("EnergyWireTests", uses: ["EnergyWire", "EnergyModel", "EnergyTransport"]),
        tests("EnergyTransportTests", uses: ["EnergyTransport", "ZeroMQTransport", "ZeroMQ"]),
        tests(
            "EnergyStoreTests",
            uses: [
                "EnergyModel", "EnergyStore", "EnergyWire", "LZ4", "PostgreSQLStore", "SQLColumns", "SQLiteStore",
                "StoreMigration", grdb,
            ]),
        tests("EnergyFeedsTests", uses: core),
        tests(
            "GridSignalsTests",
            uses: ["GridSignals", "HTTPFetcher"] + core),
        tests("TariffsTests", uses: ["Tariffs", "EnergyModel", "EnergyStore"]),
        tests(
            "ServiceRuntimeTests",
            uses: [
                "AuditFiles", "ServiceRuntime", "EnergyModel", "EnergyStore", "EnergyTransport", "EnergyWire",
                "KeyFiles",
                "SodiumAuthentication", "ZeroMQTransport", logging, metrics,
            ]),
        tests("AuditFilesTests", uses: ["AuditFiles", "EnergyModel", "EnergyTransport"]),
        tests("KeyFilesTests", uses: ["KeyFiles", "EnergyModel", "EnergyTransport", "ZeroMQ"]),
        tests("InsightFilesTests", uses: ["InsightFiles", "EnergyModel"]),
        tests("TidyTests", uses: []),
        tests(
            "GuidancePublisherTests",
            uses: ["guidance-publisher", "GridSignals", "GuidancePublishing", "SQLiteStore", "ServiceRuntime"] + core),
        tests("GuidancePublishingTests", uses: ["GuidancePublishing", "SodiumAuthentication", logging] + core),
        tests("EventIngestionTests", uses: ["EventIngestion", "Insights", "SQLiteStore"] + core),
        tests("InsightsTests", uses: ["Insights", "PostgreSQLStore", "SQLiteStore"] + core),
        tests("SchedulingTests", uses: ["Scheduling", "EnergyPlanning", "CBCSolver"] + core),
        tests("DeviceSimulationTests", uses: ["DeviceSimulation"] + core),
        tests(
            "EnergyCommandsTests",
            uses: [
                "AuditFiles", "EnergyCommands", "EnergyPlanning", "InsightFiles", "KeyFiles", "QRCodes",
                "ServiceEndpoints", "ZeroMQ", "ZeroMQTransport", arguments,
            ]
                + core),
        tests(
            "EnergyDashboardTests", uses: ["EnergyDashboard", "Gzip", "KeyFiles", "ServiceEndpoints", "ZeroMQ"] + core),
        tests("EnergyKitTests", uses: ["EnergyKit", "ServiceEndpoints"] + core),
        tests(
            "EndToEndTests", uses: ["EnergyKit", "KeyFiles", "ServiceEndpoints", "ZeroMQ", "ZeroMQTransport"] + core),
    ]
)
