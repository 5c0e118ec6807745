internal import EnergyModel

/// A goal's three courses side by side.
struct PreviewTable {
    let preview: GoalPreview
    let venue: Venue

    func lines(_ style: Style) -> [String] {
        var table = Table([
            .init(""), .init("starts", dropOrder: 3), .init("ready"), .init("kWh", .right),
            .init("missing", .right, dropOrder: 2),
            .init(preview.currency ?? "cost", .right), .init("kg CO2", .right, dropOrder: 1),
            .init("rating", .right, dropOrder: 0),
        ])
        for (name, course) in [("planned", preview.planned), ("at once", preview.atOnce), ("at best", preview.best)] {
            // What rounding leaves is nothing that anybody lacks.
            let lacks = course.missing.kilowattHours >= 0.005
            let start = course.blocks.first { $0.power > .zero && !$0.isDischarging }?.interval.start
            table.add([
                .init(name), .init(time(start)), .init(time(course.ready)),
                .init(Quantities.kilowattHours(course.planned)),
                .init(!lacks ? "" : Quantities.kilowattHours(course.missing)),
                .init(course.costMicros.map { Quantities.price(Price(microsPerKilowattHour: $0)) } ?? "?"),
                .init(course.carbonGrams.map { Quantities.rating($0 / 1000) } ?? "?"),
                .init(Quantities.rating(course.rating)),
            ])
        }
        return table.lines(style) + table.notes(style)
            + TerminalText.wrap(TerminalText.safe(preview.planned.explanation), to: style.width)
    }

    private func time(_ point: Timestamp?) -> String {
        guard let point else { return "-" }
        let time = VenueTime(rounding: point, in: venue.timeZone)
        return "\(time.date.short) \(time.clock)"
    }
}
