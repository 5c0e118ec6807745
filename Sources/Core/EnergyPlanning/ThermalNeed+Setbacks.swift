import EnergyModel

extension ThermalNeed {
    /// Without the time that a setback was allowed and not used, beyond its least length.
    func setbacks(_ allowed: [Bool], _ temperatures: [Double], _ grid: PlanGrid) -> [Bool] {
        let isUsed = allowed.indices.map { slot in
            allowed[slot]
                && (isOutside(slot, temperatures[slot], grid)
                    || setbackUntil.map { setbackMin > 0 && grid.edges[slot] < $0.unixMilliseconds } ?? false)
        }
        var (setbacks, slot) = (Array(repeating: false, count: allowed.count), 0)
        while slot < allowed.count {
            guard allowed[slot] else {
                slot += 1
                continue
            }
            let end = allowed[slot...].firstIndex(of: false) ?? allowed.count
            defer { slot = end }
            guard var first = isUsed[slot..<end].firstIndex(of: true), var last = isUsed[slot..<end].lastIndex(of: true)
            else { continue }
            while last + 1 < end, grid.edges[last + 1] - grid.edges[first] < setbackMin { last += 1 }
            while first > slot, grid.edges[last + 1] - grid.edges[first] < setbackMin { first -= 1 }
            for index in first...last { setbacks[index] = true }
        }
        return setbacks
    }

    private func isOutside(_ slot: Int, _ temperature: Double, _ grid: PlanGrid) -> Bool {
        let origin = grid.origin[slot]
        return isCooling ? temperature > comfortMax[origin] + 1e-6 : temperature < comfortMin[origin] - 1e-6
    }

    /// Kelvin-hours outside what is comfortable, of the temperatures at the end of each cut slot.
    func discomfort(_ temperatures: [Double], isSetBack: [Bool], _ grid: PlanGrid) -> Double {
        temperatures.indices.reduce(0) { sum, slot in
            let (temperature, origin) = (temperatures[slot], grid.origin[slot])
            let depth = isSetBack.indices.contains(slot) && isSetBack[slot] ? setbackDepth : 0
            var cold = max(0, comfortMin[origin] - (isCooling ? 0 : depth) - temperature)
            var hot = max(0, temperature - comfortMax[origin] - (isCooling ? depth : 0))
            if slot == temperatures.count - 1 {
                let last = lacks(temperature)
                if isCooling { hot = max(hot, last) } else { cold = max(cold, last) }
            }
            return sum + (cold + hot) * grid.hours[slot]
        }
    }

    /// Kelvin by which the end misses ``final``.
    func lacks(_ temperature: Double) -> Double {
        final.map { max(0, isCooling ? temperature - $0 : $0 - temperature) } ?? 0
    }
}
