internal import EnergyModel
internal import EnergyTransport
internal import EnergyWire
internal import Foundation
internal import KeyFiles
internal import ServiceEndpoints

extension Pages {
    /// Who may connect; `nil` where this process has no keys.
    func clients() throws(EnergyError) -> [String: AccessList.Client]? {
        guard let keys else { return nil }
        return try onKeys { () throws(KeyFileError) in try keys.access().clients }
    }

    /// Makes a client's key and shows it; without the keys, says which commands make one.
    func keyForm(_ request: PageRequest) async -> Reply {
        let input = request.method == "POST" ? KeyInput(request) : KeyInput()
        let title = request.language(keys == nil ? .keyPrepare : .keyMake)
        var status = 200
        var made: ClientBundle?
        var reply = await page(.settings, request, title: title, isLive: false, hasForm: made == nil) {
            (context) async throws(EnergyError) in
            var form = SettingsForm(title: title, action: keys == nil ? "/settings/key#commands" : "/settings/key")
            form.submit = keys == nil ? .keyCommands : .keyMake
            form.fields = { input.fields(context.venues, context.language, $0) }
            form.problems = input.problems(isTaken: try isTaken(input.name), context.language)
            if form.problems.isEmpty {
                form.save = { () async throws(EnergyError) in made = try handOver(input) }
            }
            status = await form.take(request)
            if let made { return KeyHandover(bundle: made, permissions: input.permissions, context: context).html() }
            let asked = form.html(
                context.language, intro: context.language(keys == nil ? .keySecret : .keySecretHere),
                venue: context.venue, back: context.address("/settings"))
            return request.isJudged && form.problems.isEmpty ? asked + commands(input, context.language) : asked
        }
        guard reply.status == 200 else { return reply }
        // A key is not shown again by going back.
        reply.cacheControl = "no-store"
        reply.status = status == 303 ? 200 : status
        return reply
    }

    private func isTaken(_ name: String) throws(EnergyError) -> Bool {
        // What is no name is no part of a path.
        guard let keys, AccessList.isNewName(name) else { return false }
        return try clients()?[name] != nil || FileManager.default.fileExists(atPath: keys.bundlePath(name))
    }

    /// - Returns: `nil` without keys: nothing can be made.
    private func handOver(_ input: KeyInput) throws(EnergyError) -> ClientBundle? {
        guard let keys else { return nil }
        return try onKeys { () throws(KeyFileError) in
            try keys.handOver(
                input.name, permissions: input.permissions, venues: input.venue.map { [$0] }, at: reader.clock.now)
        }
    }

    private func commands(_ input: KeyInput, _ language: Language) -> HTML {
        .element("section", [.class("card"), .id("commands"), Attribute("aria-labelledby", "commands-title")]) {
            HTML.element("h2", [.id("commands-title")]) { language(.keyRun) }
            KeySection.list(input.commands, language)
        }
    }

    private func onKeys<Value>(_ body: () throws(KeyFileError) -> Value) throws(EnergyError) -> Value {
        do throws(KeyFileError) { return try body() } catch { throw EnergyError(.conflict, error.description) }
    }
}
