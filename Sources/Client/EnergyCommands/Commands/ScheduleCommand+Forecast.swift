internal import ArgumentParser
internal import EnergyModel
internal import EnergyPlanning
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct Forecast: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Photovoltaics, base load and temperatures that a venue's plans count on: show, set or clear them.",
            discussion: """
                EXAMPLES
                  energyctl schedule forecast
                  energyctl schedule forecast set forecast.json
                  energyctl schedule forecast set --schema
                  energyctl schedule forecast clear
                """,
            subcommands: [ForecastShow.self, ForecastSet.self, ForecastClear.self],
            defaultSubcommand: ForecastShow.self)
    }

    struct ForecastShow: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show what is expected.",
            discussion: "EXAMPLE\n  energyctl schedule forecast show")
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let forecast = try await context.call(.schedule, Methods.getForecast, PlannedVenue(venueID: venue.id))
            context.show(forecast, venue, options)
        }
    }

    struct ForecastSet: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set a forecast in place of what was expected.",
            discussion: """
                The file is JSON: {"pv": [{"start": "2026-11-22T09:00:00+01:00", "end": \
                "2026-11-22T10:00:00+01:00", "kw": 2.5}], "base_load": [...], "outdoor": [{..., "celsius": 4}]}.

                EXAMPLES
                  energyctl schedule forecast set forecast.json
                  energyctl schedule forecast set --schema
                """)
        @OptionGroup var input: JSONFileOption
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            guard let file = input.file else {
                context.output.line(VenueFile.forecastSchema)
                return
            }
            let read = try context.reading(file, VenueFile.forecast)
            for values in [read.photovoltaics, read.baseLoad, read.outdoor] where values.count > VenueForecast.valuesMax
            {
                throw CommandFailure(.refused, "A list has more than \(VenueForecast.valuesMax) values.")
            }
            let venue = try await context.venue(place.venue, for: .schedule)
            let forecast = VenueForecast(
                venueID: venue.id, photovoltaics: read.photovoltaics.map(VenueForecast.Value.init),
                baseLoad: read.baseLoad.map(VenueForecast.Value.init),
                outdoor: read.outdoor.map { .init(interval: $0.interval, celsius: $0.value) })
            context.show(try await context.call(.schedule, Methods.putForecast, forecast), venue, options)
        }
    }

    struct ForecastClear: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Expect nothing but the limits' base load.",
            discussion: "EXAMPLE\n  energyctl schedule forecast clear")
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let none = VenueForecast(venueID: venue.id)
            context.show(try await context.call(.schedule, Methods.putForecast, none), venue, options)
        }
    }
}

extension CommandContext {
    fileprivate func show(_ forecast: VenueForecast, _ venue: Venue, _ options: GlobalOptions) {
        if options.json {
            output.line(JSONText.document(VenueForecastDocument(forecast, in: venue.timeZone)))
        } else {
            VenueForecastView(forecast: forecast, venue: venue).lines().forEach(output.line)
        }
    }
}

extension VenueForecast.Value {
    fileprivate init(_ value: VenueFile.Forecast.Value) {
        self.init(interval: value.interval, power: Power(kilowatts: value.value))
    }
}
