internal import EnergyModel
internal import EnergyTransport
internal import Foundation
internal import QRCodes
internal import ServiceEndpoints

/// A key that was just made, to be taken over by its device: shown once, and kept by no browser.
struct KeyHandover {
    let bundle: ClientBundle
    let permissions: Set<Permission>
    let context: PageContext

    private var language: Language { context.language }

    @HTMLBuilder func html() -> HTML {
        HTML.element("h1") { language(.keyMade, bundle.name) }
        HTML.element("p", [.class("notice"), .role("status")]) { language(.keyScan) }
        HTML.element("section", [.class("card")]) {
            if let code = QRCode(withoutComments: bundle.text) {
                HTML.void(
                    "img",
                    [
                        .class("qr"), Attribute("src", Self.address(code.svg, "image/svg+xml")),
                        Attribute("alt", language(.keyCode, bundle.name)),
                    ])
            } else {
                HTML.element("p") { language(.keyTooLong) }
            }
            for fact in context.facts(permissions, bundle.venues) { HTML.element("p") { fact } }
            if bundle.endpoints.areLocal {
                HTML.element("p", [.class("note")]) { language(.keyOnlyHere) }
                HTML.element("code", [.class("code")]) { "energyctl keys bundle \(bundle.name) --endpoints …" }
            }
            HTML.element("div", [.class("actions")]) {
                HTML.element(
                    "a",
                    [
                        .class("button primary"), .href(Self.address(bundle.text, "application/yaml")),
                        Attribute("download", "client.yaml"),
                    ]
                ) { language(.keyFile) }
                HTML.element("a", [.class("button"), .href(context.address("/settings") + "#keys")]) {
                    language(.pageSettings)
                }
            }
            HTML.element("details") {
                HTML.element("summary") { language(.keyFileText) }
                HTML.element("pre", [.class("code")]) { bundle.text }
            }
        }
    }

    /// A file within the page: it is asked for by nobody else, and left in no cache.
    private static func address(_ text: String, _ type: String) -> String {
        "data:\(type);base64,\(Data(text.utf8).base64EncodedString())"
    }
}

extension Endpoints {
    /// Whether only programs on the services' own machine find them all there.
    fileprivate var areLocal: Bool {
        ServiceKind.allCases.flatMap { self[$0].requestAddresses }.allSatisfy {
            $0.hasPrefix("ipc://") || TCPAddress($0)?.isLoopback == true
        }
    }
}
