extension VenueLimits {
    /// What the fuse of a whole venue is called.
    public static let fuseName = "main fuse"

    /// What everything is on that is on no other circuit, and what runs anyway; `nil` where there is none.
    public var mainFuse: Circuit? { circuits.first { $0.parent == nil && $0.deviceIDs.isEmpty } }

    /// - Parameter fuse: in place of ``mainFuse``; `nil` for none.
    /// - Returns: with the other circuits behind it.
    public func circuits(behind fuse: Circuit?) -> [Circuit] {
        let before = mainFuse?.name
        let others = circuits.filter { $0.name != before }.map { circuit in
            circuit.parent == nil || circuit.parent == before ? circuit.fed(by: fuse?.name) : circuit
        }
        return (fuse.map { [$0] } ?? []) + others
    }
}

extension VenueLimits.Circuit {
    fileprivate func fed(by parent: String?) -> Self {
        Self(
            name: name, parent: parent, power: power, powerPerPhase: powerPerPhase, deviceIDs: deviceIDs,
            carriesBaseLoad: carriesBaseLoad)
    }
}
