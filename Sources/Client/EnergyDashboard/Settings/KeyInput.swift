internal import EnergyModel
internal import EnergyTransport
internal import Foundation

/// What a client is to be called and may do. A page makes no key, and sees none: it says which commands do, so that the
/// key and its QR code are only where the keys are.
struct KeyInput: Hashable, Sendable {
    static let nameMax = 64

    var name = ""
    var permissions: Set<Permission> = [.guidance, .insights, .schedules]
    /// `nil` is every place.
    var venue: UUID?

    init() {}

    init(_ request: PageRequest) {
        name = FormText.line(request, "name")
        permissions = Set(Permission.allCases.filter { request.field("allow-\($0.rawValue)") == "yes" })
        venue = UUID(uuidString: request.field("only"))
    }

    func problems(_ language: Language) -> FormProblems {
        var problems: FormProblems = [:]
        if !isName { problems["name"] = language(.mustBeKeyName) }
        if permissions.isEmpty { problems["allow"] = language(.mustBePermission) }
        return problems
    }

    /// What a shell takes as it is: nothing in it needs quotes.
    private var isName: Bool {
        1...Self.nameMax ~= name.utf8.count
            && name.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || "-_.".utf8.contains($0)
            }
    }

    /// - Precondition: nothing is wrong with the input.
    var commands: [(word: Word, command: String)] {
        let allowed = Permission.allCases.filter(permissions.contains).map(\.rawValue).joined(separator: ",")
        let only = venue.map { " --venue \($0.uuidString.lowercased())" } ?? ""
        return [
            (.keyMakeQR, "energyctl keys client \(name) --allow \(allowed)\(only) --qr"),
            (.keyPicture, "energyctl keys qr \(name) --svg \(name).svg"),
            (.keysRevoke, "energyctl keys revoke \(name)"),
        ]
    }

    // MARK: Fields

    @HTMLBuilder func fields(_ venues: [Venue], _ language: Language, _ problems: FormProblems) -> HTML {
        Form.input(
            "name", language(.keyName), value: name, hint: language(.keyNameHint), error: problems["name"],
            extra: [Attribute("maxlength", "\(Self.nameMax)"), Attribute("autocomplete", "off")])
        HTML.element(
            "fieldset",
            [
                Attribute("aria-describedby", problems["allow"] == nil ? nil : "error-allow"),
                Attribute("class", problems["allow"] == nil ? nil : "wrong"),
            ]
        ) {
            HTML.element("legend") { language(.keyMay) }
            for permission in Permission.allCases {
                Form.check(
                    "allow-\(permission.rawValue)", "\(permission.rawValue): \(language(permission.word))",
                    isOn: permissions.contains(permission))
            }
            if let error = problems["allow"] {
                let first = "field-allow-\(Permission.allCases[0].rawValue)"
                Form.problem("allow", FieldProblem(id: first, label: language(.keyMay), text: error))
            }
        }
        Form.select(
            "only", language(.keyOnly),
            [("", language(.keyEverywhere))] + venues.map { ($0.id.uuidString.lowercased(), $0.name) },
            chosen: venue?.uuidString.lowercased() ?? "")
    }
}

extension Permission {
    fileprivate var word: Word {
        switch self {
        case .guidance: .keyMayGuidance
        case .events: .keyMayEvents
        case .insights: .keyMayInsights
        case .schedules: .keyMaySchedules
        case .control: .keyMayControl
        case .admin: .keyMayAdmin
        }
    }
}
