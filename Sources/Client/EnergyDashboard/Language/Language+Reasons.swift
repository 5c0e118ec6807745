internal import EnergyModel

extension Language {
    /// Why a device runs or waits, as a sentence.
    func reason(_ reason: ScheduleReason) -> String {
        switch self {
        case .english: Self.english(reason)
        case .german: Self.german(reason)
        }
    }

    private static func english(_ reason: ScheduleReason) -> String {
        switch reason {
        case .cleanerEnergy: "Runs while energy is clean."
        case .lowerRates: "Runs while electricity is cheap."
        case .deadline: "Runs now to be ready in time."
        case .waitingForCleanerEnergy: "Waits for cleaner energy."
        case .waitingForLowerRates: "Waits for cheaper electricity."
        case .targetReached: "The target is reached."
        case .reduced: "Does with less, to save."
        case .normal: "Runs as it likes."
        case .noGuidance: "Runs: without guidance there is nothing to wait for."
        case .loadBalancing: "Waits: what else runs needs the power."
        case .abovePriceCeiling: "Waits: the price is above your ceiling."
        case .aboveCarbonCeiling: "Waits: the carbon is above your ceiling."
        case .away: "Not expected to be here."
        case .chargeNow: "Charges now, as you asked."
        case .minimumCharge: "Charges: below the least that you want at any time."
        case .paused: "Paused, as you asked."
        case .stopped: "Stopped, as you asked."
        case .supplying: "Supplies the home while the grid is dear or dirty."
        case .comfort: "Runs to keep it comfortable."
        case .preconditioning: "Runs right before the deadline, as you asked."
        case .waitingForPreconditioning: "Waits: the rest is for right before the deadline."
        case .beingPlanned: "Its plan is being made."
        case .ownSolar: "Runs on your own solar power."
        case .waitingForSolar: "Waits for your own solar power."
        case .longRun: "Runs on, to be switched less often."
        case .longPause: "Waits, to be switched less often."
        case .noBetterTime: "Runs: no better time is free."
        case .laterIsAsGood: "Waits: later is as good."
        case .comfortable: "Off: it stays comfortable."
        case .peakShaving: "Runs so that the peak stays low."
        case .lowPeak: "Waits, to keep the peak low."
        case .guaranteed: "Runs above the ceiling: so much is guaranteed."
        case .tooLittleTime: "Does not run: too little time is left."
        }
    }

    private static func german(_ reason: ScheduleReason) -> String {
        switch reason {
        case .cleanerEnergy: "Läuft, solange die Energie sauber ist."
        case .lowerRates: "Läuft, solange Strom günstig ist."
        case .deadline: "Läuft jetzt, um rechtzeitig fertig zu sein."
        case .waitingForCleanerEnergy: "Wartet auf sauberere Energie."
        case .waitingForLowerRates: "Wartet auf günstigeren Strom."
        case .targetReached: "Das Ziel ist erreicht."
        case .reduced: "Kommt mit weniger aus, um zu sparen."
        case .normal: "Läuft nach Belieben."
        case .noGuidance: "Läuft: ohne Empfehlung gibt es nichts abzuwarten."
        case .loadBalancing: "Wartet: was sonst läuft, braucht die Leistung."
        case .abovePriceCeiling: "Wartet: der Preis liegt über Ihrer Grenze."
        case .aboveCarbonCeiling: "Wartet: das CO₂ liegt über Ihrer Grenze."
        case .away: "Wird nicht hier erwartet."
        case .chargeNow: "Lädt jetzt, wie gewünscht."
        case .minimumCharge: "Lädt: unter dem, was immer da sein soll."
        case .paused: "Pausiert, wie gewünscht."
        case .stopped: "Angehalten, wie gewünscht."
        case .supplying: "Versorgt das Zuhause, solange das Netz teuer oder schmutzig ist."
        case .comfort: "Läuft, damit es angenehm bleibt."
        case .preconditioning: "Läuft kurz vor der Frist, wie gewünscht."
        case .waitingForPreconditioning: "Wartet: der Rest ist für kurz vor der Frist."
        case .beingPlanned: "Der Plan wird gerade gemacht."
        case .ownSolar: "Läuft mit eigenem Sonnenstrom."
        case .waitingForSolar: "Wartet auf eigenen Sonnenstrom."
        case .longRun: "Läuft weiter, um seltener geschaltet zu werden."
        case .longPause: "Wartet, um seltener geschaltet zu werden."
        case .noBetterTime: "Läuft: Keine bessere Zeit ist frei."
        case .laterIsAsGood: "Wartet: später ist es genauso gut."
        case .comfortable: "Aus: es bleibt angenehm."
        case .peakShaving: "Läuft so, dass die Spitze klein bleibt."
        case .lowPeak: "Wartet, damit die Spitze klein bleibt."
        case .guaranteed: "Läuft über der Grenze: so viel ist garantiert."
        case .tooLittleTime: "Läuft nicht: dafür reicht die Zeit nicht mehr."
        }
    }
}
