// swift-tools-version:6.2
import PackageDescription

// A package of its own, so that peers used only for comparison are no dependencies of the product.

let package = Package(
    name: "gridtide-benchmarks",
    dependencies: [
        .package(name: "gridtide", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.12.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
    ],
    targets: [
        .executableTarget(
            name: "echo-in-c", path: "Sources/echo-in-c", linkerSettings: [.linkedLibrary("zmq")]),
        .executableTarget(
            name: "bench-rpc",
            dependencies: [
                .product(name: "GridtideTransport", package: "gridtide"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ],
            path: "Sources/bench-rpc", swiftSettings: [.swiftLanguageMode(.v6)]),
        // `ingest.py` runs these two.
        .executableTarget(
            name: "ingest-peers-in-c", path: "Sources/ingest-peers-in-c",
            cSettings: [.unsafeFlags(["-O2", "-I/usr/include/postgresql"])],
            linkerSettings: [.linkedLibrary("pq"), .linkedLibrary("sqlite3"), .linkedLibrary("zmq")]),
        .executableTarget(
            name: "bench-ingest",
            dependencies: [.product(name: "GridtideTransport", package: "gridtide")],
            path: "Sources/bench-ingest", swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "bench-guidance",
            dependencies: [
                .product(name: "GridtideGuidance", package: "gridtide"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/bench-guidance", swiftSettings: [.swiftLanguageMode(.v6)]),
        // `insights.py` runs this.
        .executableTarget(
            name: "bench-insights", dependencies: [.product(name: "GridtideInsights", package: "gridtide")],
            path: "Sources/bench-insights", swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "bench-schedule", dependencies: [.product(name: "GridtidePlanning", package: "gridtide")],
            path: "Sources/bench-schedule", swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
