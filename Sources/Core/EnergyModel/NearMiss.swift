/// Finds what somebody who mistyped a name had in mind.
public enum NearMiss {
    /// - Returns: the candidate that takes the fewest insertions, deletions, substitutions and swaps of neighbours to
    ///   reach, if those are at most a third of its length; else `nil`.
    public static func nearest(to name: String, in candidates: [String]) -> String? {
        let name = String(name.prefix(100))
        let near = candidates.map { (candidate: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
            .filter { $0.distance <= max(1, $0.candidate.utf8.count / 3) }
        return near.min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?.candidate
    }

    /// Optimal string alignment distance.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
