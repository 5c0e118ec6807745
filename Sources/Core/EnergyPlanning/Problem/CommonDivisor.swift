extension Int64 {
    /// The greatest number that divides both; the other one where one is 0.
    func commonDivisor(_ other: Int64) -> Int64 {
        var (a, b) = (self, other)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
