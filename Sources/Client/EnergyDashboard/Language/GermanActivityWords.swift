internal import EnergyModel

/// German, as sentences without their full stop.
struct GermanActivityWords: ActivityWords {
    let weekdays = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]
    let months = ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."]

    let pluggedIn = "Eingesteckt"
    let unplugged = "Ausgesteckt"

    func charging(_ reason: ActiveReason) -> String {
        switch reason {
        case .cleanerEnergyAvailable: "Lädt: sauberere Energie ist da"
        case .lowerElectricityRatesAvailable: "Lädt: Strom ist jetzt günstiger"
        case .userInitiated: "Lädt: von Hand gestartet"
        case .userResumed: "Lädt wieder: von Hand fortgesetzt"
        case .scheduledStart: "Lädt nach Plan"
        case .scheduledResume: "Lädt wieder nach Plan"
        case .demandResponseEnded: "Lädt wieder: die Bitte des Netzes ist vorbei"
        case .batteryThermalManagementCompleted: "Lädt wieder: der Akku hat die richtige Temperatur"
        case .batteryHealthManagementCompleted: "Lädt wieder: die Akkupflege ist fertig"
        case .chargerFaultCleared: "Lädt wieder: die Ladestation geht wieder"
        case .sufficientPowerRestored: "Lädt wieder: es ist genug Leistung da"
        case .loadBalancingCompleted: "Lädt wieder: andere Geräte brauchen weniger"
        case .unknown: "Lädt"
        }
    }

    func waiting(_ reason: IdleReason) -> String {
        switch reason {
        case .targetStateOfChargeReached: "Fertig: das Ziel ist erreicht"
        case .batteryFull: "Fertig: der Akku ist voll"
        case .targetAlreadyReached: "Lädt nicht: das Ziel war schon erreicht"
        case .scheduledEnd: "Nach Plan beendet"
        case .scheduledPause: "Nach Plan pausiert"
        case .waitingForCleanerEnergy: "Wartet auf sauberere Energie"
        case .waitingForLowerElectricityRates: "Wartet auf günstigeren Strom"
        case .userPaused: "Pausiert: von Hand"
        case .userStopped: "Angehalten: von Hand"
        case .chargerFault: "Lädt nicht: die Ladestation ist gestört"
        case .demandResponseActive: "Wartet: das Netz bittet, weniger zu verbrauchen"
        case .batteryThermalManagement: "Wartet: der Akku ist zu warm oder zu kalt"
        case .batteryHealthManagement: "Wartet: der Akku wird geschont"
        case .insufficientPower: "Wartet: es ist nicht genug Leistung da"
        case .loadBalancing: "Wartet: was sonst läuft, braucht die Leistung"
        case .unknown: "Lädt nicht"
        }
    }

    func starts(_ clock: String) -> String { "beginnt \(clock)" }
    func overdue(_ clock: String) -> String { "sollte es seit \(clock)" }
    func ready(_ clock: String) -> String { "fertig bis \(clock)" }
    func ready(_ clock: String, charge: String) -> String { "\(charge) bis \(clock)" }

    func goingOn(_ use: ActivityUse, since clock: String, kilowattHours: String?) -> String {
        let soFar = kilowattHours.map { ": bisher \($0) kWh" } ?? ""
        return switch use {
        case .charging: "Lädt seit \(clock)\(soFar)"
        case .givingBack: "Speist ein seit \(clock)\(soFar)"
        case .heatingOrCooling: "Läuft seit \(clock)"
        }
    }

    func over(_ use: ActivityUse, kilowattHours: String?, length: String?) -> String {
        let time = length.map { " in \($0)" } ?? ""
        return switch (use, kilowattHours) {
        case (.charging, let energy?): "\(energy) kWh\(time) geladen"
        case (.charging, nil): "Nichts geladen\(time)"
        case (.givingBack, let energy?): "\(energy) kWh\(time) eingespeist"
        case (.givingBack, nil): "Nichts eingespeist\(time)"
        case (.heatingOrCooling, _): length.map { "\($0) gelaufen" } ?? "Kaum gelaufen"
        }
    }

    func length(days: Int64, hours: Int64, minutes: Int64) -> String {
        if days > 0 { return "\(days) T" + (hours > 0 ? " \(hours) Std." : "") }
        if hours > 0 { return "\(hours) Std." + (minutes > 0 ? " \(minutes) Min." : "") }
        return "\(minutes) Min."
    }

    func clean(_ share: String, isLeast: Bool) -> String { "\(isLeast ? "mindestens " : "")\(share) davon sauber" }
    func cost(_ amount: String, _ use: ActivityUse) -> String {
        use == .givingBack ? "das kostete \(amount)" : "für \(amount)"
    }
    func earned(_ amount: String) -> String { "\(amount) verdient" }
    func saved(_ amount: String) -> String { "\(amount) gespart" }
    func costMore(_ amount: String) -> String { "\(amount) mehr als sofort" }
    func carbonSaved(kilograms: String) -> String { "\(kilograms) kg CO₂ gespart" }
    let repaired = "von Hand berichtigt"
}
