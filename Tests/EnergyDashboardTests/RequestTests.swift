import Foundation
import Gzip
import Testing

@testable import EnergyDashboard

struct RequestTests {
    private func request(_ method: String, _ headers: [String: String]) -> PageRequest {
        var request = PageRequest()
        request.method = method
        request.headers = headers
        return request
    }

    @Test(arguments: [
        ("127.0.0.1:7450", true), ("localhost:7450", true), ("[::1]:7450", true), ("Gridtide.local", true),
        ("192.168.1.5", true), ("attacker.example", false), ("", false), ("127.0.0.1.attacker.example", false),
        ("1.2.3", false), ("a b", false),
    ])
    func `only our own names are answered`(host: String, isOurs: Bool) {
        let rules = RequestRules(hosts: ["gridtide.local"])
        #expect((rules.refusal(request("GET", ["host": host])) == nil) == isOurs)
    }

    @Test(arguments: [
        ([:], true), (["sec-fetch-site": "same-origin"], true), (["sec-fetch-site": "cross-site"], false),
        (["sec-fetch-site": "same-site"], false), (["origin": "http://127.0.0.1:7450"], true),
        (["origin": "http://127.0.0.1:7451"], false), (["origin": "http://attacker.example"], false),
        (["origin": "null"], false),
    ])
    func `a page of another site changes nothing`(headers: [String: String], isHeard: Bool) {
        let rules = RequestRules(hosts: [])
        let headers = headers.merging(["host": "127.0.0.1:7450"]) { $1 }
        #expect((rules.refusal(request("POST", headers)) == nil) == isHeard)
    }

    @Test func `a form is read as browsers send it`() {
        let fields = PageRequest.fields("a=1&b=x+y%26%C3%A4&a=2&c&=&bad=%FF")
        #expect(fields.map(\.name) == ["a", "b", "a", "c", ""])
        #expect(fields.map(\.value) == ["1", "x y&ä", "2", "", ""])
        #expect(PageRequest.fields(String(repeating: "x=1&", count: 1_000)).count == PageRequest.fieldsMax)
    }

    @Test(arguments: [
        ("/history?range=day", "/history?range=day"), ("//attacker.example", "/"), ("", "/"), ("/\\x", "/"),
    ])
    func `a choice of language comes back to our own page only`(back: String, address: String) {
        var request = PageRequest()
        request.form = [("back", back), ("language", "de")]
        let reply = LanguageChoice.reply(request)
        #expect(reply.headers.first { $0.name == "location" }?.value == address)
        #expect(LanguageChoice.cookie(.german).value.hasPrefix("language=de;"))
    }

    @Test func `what gzip made is smaller and has its header`() throws {
        let bytes = Array(String(repeating: "guidance ", count: 500).utf8)
        let compressed = try #require(Gzip.compressed(bytes))
        #expect(compressed.count < bytes.count / 10)
        #expect(compressed.prefix(2) == [0x1F, 0x8B])
        #expect(Gzip.compressed([1, 2, 3]) == nil)
        #expect(Gzip.compressed([]) == nil)
    }
}
