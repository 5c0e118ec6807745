extension Sequence {
    /// Groups in the order of each key's first element; within a group the order stays.
    func groupedInOrder<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var (groups, places) = ([(key: Key, elements: [Element])](), [Key: Int]())
        for element in self {
            let key = key(element)
            if let place = places[key] {
                groups[place].elements.append(element)
            } else {
                places[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
