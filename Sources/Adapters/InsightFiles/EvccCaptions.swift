/// What evcc calls the columns of its sessions, in small letters: English first, then German, then its other languages.
enum EvccCaptions {
    static let start = [
        "created", "startzeit", "начално време", "hora d'inici", "vytvořeno", "oprettet", "δημιουργήθηκε",
        "hora de inicio", "luotu", "créé", "stvoreno", "elindítva", "creato", "作成日時", "erstallt", "sukurta",
        "izveidots", "aangemaakt", "opprettet", "utworzenie", "hora de início", "creat", "создано", "vytvorené",
        "ustvarjeno", "starttid", "உருவாக்கப்பட்டது", "başlama zamanı", "створено", "创建时间",
    ]
    static let end = [
        "finished", "endzeit", "завършено", "hora de finalització", "ukončeno", "færdig", "τελείωσε", "terminado",
        "päättynyt", "terminé", "završeno", "befejezve", "finito", "終了日時", "fäerdeg", "pabaigta", "pabeigts",
        "beëindigd", "fullført", "zakończenie", "hora final", "terminat", "закончено", "dokončené", "končano",
        "färdig", "முடிந்தது", "bitiş zamanı", "завершено", "完成时间",
    ]
    static let energy = [
        "energy (kwh)", "charged energy (kwh)", "energie (kwh)", "енергия (kwh)", "energia (kwh)", "energi (kwh)",
        "ενέργεια (kwh)", "energía (kwh)", "énergie (kwh)", "energija (kwh)", "電力量 (kwh)", "enerģija (kwh)",
        "электроэнергия (квт/ч)", "ஆற்றல் (கிலோவாட்)", "enerji (kwh)", "енергія (квт/год)", "电能 (kwh)",
    ]
    static let runtime = [
        "duration", "charge duration", "ladedauer", "продължителност", "trvání", "varighed", "διάρκεια",
        "«duración»", "kesto", "durée", "trajanje", "időtartam", "durata", "時間", "oplueddauer", "trukmė", "ilgums",
        "duur", "varighet", "czas trwania", "duração", "продолжительность", "trvanie", "laddtid", "காலம்",
        "doldurma süresi", "тривалість", "时长",
    ]
    static let charger = [
        "charging point", "loadpoint", "ladepunkt", "зарядна точка", "punt de càrrega", "nabíjecí bod",
        "σημείο φόρτισης", "punto de carga", "latauspiste", "point de charge", "mjesto punjenja", "töltőpont",
        "punto di ricarica", "充電ポイント", "luedstatioun", "įkroviklis", "uzlādes punkts", "oplaadpunt",
        "punkt obciążenia", "posto de carregamento", "punct de încărcare", "зарядная станция", "nabíjací bod",
        "polnilno mesto", "laddplats", "சார்சிங் பாயிண்ட்", "doldurma noktası", "точка зарядки", "充电点",
    ]
    static let vehicle = [
        "vehicle", "fahrzeug", "превозно средство", "vozidlo", "køretøj", "όχημα", "vehículo", "ajoneuvo",
        "véhicule", "vozilo", "jármű", "veicolo", "車両", "gefier", "automobilis", "transportlīdzeklis", "voertuig",
        "kjøretøy", "pojazd", "veículo", "vehicul", "транспортное средство", "fordon", "வண்டி", "araç",
        "транспортний засіб", "车辆",
    ]
    static let firstPercent = [
        "soc start (%)", "ladestand start (%)", "soc ved start (%)", "alkuvaraus (%)", "edc début (%)",
        "soc-start (%)", "įkrovimo pradžia (%)", "uzlādes līmenis sākumā (%)", "początkowy poziom naładowania (%)",
        "soc inicial (%)", "začiatok soc (%)", "soc தொடக்கம் (%)",
    ]
    static let lastPercent = [
        "soc end (%)", "soc stop (%)", "ladestand ende (%)", "soc konec (%)", "soc ved slut (%)", "loppuvaraus (%)",
        "edc de fin (%)", "soc enn (%)", "įkrovimo pabaiga (%)", "uzlādes līmenis beigās (%)", "soc eind (%)",
        "końcowy poziom naładowania (%)", "soc final (%)", "koniec soc (%)", "soc slut (%)", "soc முடிவு (%)",
    ]
}
