internal import ArgumentParser
internal import EnergyModel
internal import EnergyPlanning
internal import EnergyWire
internal import ServiceEndpoints

extension ScheduleCommand {
    struct Set: EnergyCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a device's goal, in place of those it has or beside them.",
            discussion: """
                A time of day is that of the venue's clocks: where they skip it, the moment at which they jump; where \
                they show it twice, the first.

                EXAMPLES
                  energyctl schedule set --device car-1 --ready-by 07:00 --soc 80
                  energyctl schedule set --device car-1 --ready-by 07:00 --every mon-fri --soc 80
                  energyctl schedule set --device car-1 --ready-by 2026-11-27T16:00 --soc 100 --add
                  energyctl schedule set --device car-1 --ready-by 8h --energy 12.5
                  energyctl schedule set --device heatpump-1 --ready-by 22:00 --reduce 90
                """)
        @OptionGroup var goal: GoalOptions
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func perform(in context: CommandContext) async throws(CommandFailure) {
            let venue = try await context.venue(place.venue, for: .schedule)
            let draft = try goal.draft(venue, now: context.wallClock.now)
            let before = try? await context.call(
                .schedule, Methods.listSchedules, ScheduleFilter(venueID: venue.id, deviceID: goal.device))
            let schedule = try await context.call(.schedule, Methods.putGoal, draft)
            if let before = before?.schedules.first?.goals, before.map(\.id) == schedule.goals.map(\.id) {
                context.output.note("The goal is there already; the device's plan was made anew.")
            }
            if options.json {
                context.output.line(JSONText.document(ScheduleDocument(schedule, in: venue.timeZone)))
            } else {
                context.show(schedule, name: try? await context.deviceNames(venue)[goal.device], venue)
            }
        }
    }

    struct AddDevice: EnergyCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-device", abstract: "Tell the scheduler of a device, or change what it knows of it.",
            discussion: """
                EXAMPLES
                  energyctl schedule add-device --device car-1 --name 'Model Y' --battery 75 --power 11
                  energyctl schedule add-device --device car-1 --name Zoe --battery 52 \
                --current-min 6 --current-max 32 --current-step 1 --phases 1
                  energyctl schedule add-device --device heatpump-1 --name 'Heat pump'
                  energyctl schedule add-device --device dishwasher --name Dishwasher --load dishwasher.json

                A file has one load in the words of a problem for `schedule solve`: a battery, an appliance, or \
                heating and cooling with one number for each comfort_min_c, comfort_max_c and outdoor_c. Add it \
                again when a battery or a room is read again.
                """)
        @Option(name: .long, help: ArgumentHelp("Its id: letters, digits, space, hyphen.", valueName: "id"))
        var device: String
        @Option(name: .long, help: "What to call it.") var name: String
        @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("A vehicle's battery.", valueName: "kWh"))
        var battery: Double?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("A vehicle's highest power, at the grid.", valueName: "kW"))
        var power: Double?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Energy in the battery per energy from the grid.", valueName: "0.5-1"))
        var efficiency: Double = 0.9
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("The least power it charges with; without it, --power or nothing.", valueName: "kW"))
        var powerMin: Double?
        @Option(
            name: .long, help: ArgumentHelp("The phases it is on, for example 1 or 1,2,3.", valueName: "list"))
        var phases: String = "1,2,3"
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("From one charging power to the next, counted from 0.", valueName: "kW"))
        var powerStep: Double?
        @OptionGroup var currents: CurrentOptions
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("From there on its power falls, to --taper-power when full.", valueName: "percent"))
        var taperFrom: Int?
        @Option(
            name: .long, parsing: .unconditional,
            help: ArgumentHelp("Its power when it is nearly full.", valueName: "kW"))
        var taperPower: Double?
        @Option(
            name: .long,
            help: ArgumentHelp(
                "A home battery, an appliance or a building, in JSON; - is standard input.", valueName: "file"),
            completion: .file())
        var load: String?
        @OptionGroup var place: VenueOption
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            _ = try traits()
            guard load == nil || (battery == nil && power == nil && currents.isEmpty) else {
                throw ValidationError("--load is not for vehicles.")
            }
        }

        func perform(in context: CommandContext) async throws(CommandFailure) {
            var home: HomeLoad?
            let file: VenueFile.Load? = if let load { try context.reading(load, VenueFile.load) } else { nil }
            if let file { home = try HomeLoad(file) }
            let rules = try homeRules(file)
            let venue = try await context.venue(place.venue, for: .schedule)
            // What is wrong with them was said when the command line was read.
            let traits = try? traits()
            let kind = home?.kind ?? (traits == nil ? .hvac : .electricVehicle)
            var stored = try await context.call(
                .schedule, Methods.putDevice,
                ManagedDevice(
                    device: Device(id: device, name: name, kind: kind), venueID: venue.id, vehicle: traits,
                    load: home), naming: FileFields.ofLoad)
            if let rules {
                stored = try await context.call(
                    .schedule, Methods.putRules, RulesDraft(venueID: venue.id, deviceID: device, rules: rules))
            }
            if options.json {
                context.output.line(JSONText.document(ManagedDeviceDocument(stored)))
            } else {
                ListTables.lines([stored], context.style).forEach(context.output.line)
            }
        }

        /// What a file says that is not of the load itself; `nil` leaves the rules as they are.
        private func homeRules(_ file: VenueFile.Load?) throws(CommandFailure) -> ChargingRules? {
            var (priority, cost) = (0, 0.0)
            switch file {
            case .planned(let load):
                (priority, cost) = (load.priority, load.shape.startCost)
                // One course has one start.
                if case .profile = load.need { cost = 0 }
            case .battery(let battery, _, _, _): priority = battery.priority
            case nil: break
            }
            guard priority != 0 || cost != 0 else { return nil }
            guard -100...100 ~= priority else {
                throw CommandFailure(.refused, "The scheduler's priorities are -100 to 100.")
            }
            return ChargingRules(priority: priority, shape: ChargingShape(startCost: cost))
        }

        private func least(below power: Power, _ phases: [Int]) throws -> Power? {
            guard powerMin == nil || currents.currentMin == nil else {
                throw ValidationError("Say --power-min or --current-min, not both.")
            }
            guard let powerMin = powerMin ?? currents.power(currents.currentMin, phases) else {
                guard currents.currentStep == nil else {
                    throw ValidationError("--current-step needs --current-min, or --power-min.")
                }
                return nil
            }
            guard powerMin > 0, powerMin <= 1000,
                let least = try? Power(milliwatts: Int64((powerMin * 1_000_000).rounded())), least <= power
            else { throw ValidationError("The least power must be above 0 and at most the highest.") }
            return least
        }

        private func step(below power: Power) throws -> Power? {
            guard let powerStep else { return nil }
            guard currents.currentStep == nil else {
                throw ValidationError("Say --power-step or --current-step, not both.")
            }
            guard powerStep > 0, case let step = Power(kilowatts: powerStep), .zero < step, step <= power else {
                throw ValidationError("--power-step must be above 0 and at most --power.")
            }
            return step
        }

        private func taper(below power: Power) throws -> VehicleTraits.Taper? {
            guard let taperFrom else {
                guard taperPower == nil else { throw ValidationError("--taper-power goes with --taper-from.") }
                return nil
            }
            guard 1...99 ~= taperFrom else { throw ValidationError("--taper-from must be 1 to 99 percent.") }
            guard let taperPower, taperPower > 0, case let least = Power(kilowatts: taperPower), least <= power else {
                throw ValidationError("--taper-from needs a --taper-power of more than 0 and at most --power.")
            }
            return VehicleTraits.Taper(percent: taperFrom, powerAtFull: least)
        }

        private func phaseNumbers() throws -> [Int] {
            let texts = phases.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = Swift.Set(texts.compactMap { Int($0) }.filter { 1...3 ~= $0 })
            guard numbers.count == texts.count else { throw ValidationError("--phases must be some of 1,2,3.") }
            return numbers.sorted()
        }

        /// - Returns: `nil` for heating and cooling.
        private func traits() throws -> VehicleTraits? {
            guard battery != nil || power != nil || !currents.isEmpty else { return nil }
            let phases = try phaseNumbers()
            guard power == nil || currents.currentMax == nil else {
                throw ValidationError("Say --power or --current-max, not both.")
            }
            guard let battery, let power = power ?? currents.power(currents.currentMax, phases) else {
                throw ValidationError("A vehicle needs --battery, and --power or --current-max.")
            }
            guard battery > 0, battery <= 10_000 else {
                throw ValidationError("--battery must be above 0, up to 10000 kWh.")
            }
            guard power > 0, power <= 1000,
                let power = try? Power(milliwatts: Int64((power * 1_000_000).rounded()))
            else { throw ValidationError("--power must be above 0 and at most 1000 kW.") }
            guard 0.5...1 ~= efficiency else { throw ValidationError("--efficiency must be 0.5 to 1.") }
            return VehicleTraits(
                batteryCapacity: Energy(milliwattHours: Int64((battery * 1_000_000).rounded())), powerMax: power,
                efficiency: efficiency, powerMin: try least(below: power, phases), phases: phases,
                powerStep: try step(below: power), currentStep: try currents.step(below: power, phases),
                taper: try taper(below: power))
        }
    }
}
