// swift-tools-version:6.2
import PackageDescription

// A package of its own: its executables have libFuzzer's main, and everything in it is built with sanitizers. `make fuzz`
// builds and runs it.

func fuzzer(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: ["FuzzTargets"], path: "Sources/\(name)")
}

let package = Package(
    name: "gridtide-fuzz",
    dependencies: [.package(name: "gridtide", path: "..")],
    targets: [
        .target(
            name: "FuzzTargets", dependencies: [.product(name: "GridtideTransport", package: "gridtide")],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        fuzzer("fuzz-envelope"),
        fuzzer("fuzz-requests"),
        fuzzer("fuzz-validation"),
    ]
)
