import EnergyDashboard
import EnergyTransport
import ServiceRuntime

/// What can be set for the pages.
enum PageSettings {
    private static let address = ConfigurationKey<String>.address(
        "pages.address", default: "tcp://127.0.0.1:7450",
        help:
            "Where browsers find the pages. Whoever reaches it may see and change everything: on another address than "
            + "this machine's own it needs a proxy with a login before it.")
    private static let behindLogin = ConfigurationKey<Bool>.flag(
        "pages.behind-login", default: false,
        help: "Say yes when a proxy with a login stands before an address that other machines reach.")
    private static let hosts = ConfigurationKey<String>.text(
        "pages.hosts", allowed: "names separated by commas",
        help: "The names under which browsers ask for the pages, beside localhost and addresses in numbers.")

    static let declarations = [address.declaration, behindLogin.declaration, hosts.declaration]

    /// - Throws: ``StartError`` for an address that others reach without a login.
    static func read(_ configuration: ServiceConfiguration) throws -> DashboardSettings {
        let text = configuration[address]
        guard let place = TCPAddress(text), let port = place.port else {
            throw StartError("pages.address is \(text): browsers need tcp://HOST:PORT")
        }
        guard place.isLoopback || configuration[behindLogin] else {
            throw StartError(
                "pages.address is \(text), which other machines reach: put a proxy with a login before it and say "
                    + "pages.behind-login: true, or use tcp://127.0.0.1:\(port)")
        }
        let names = configuration[hosts].split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
        let host = place.host == "*" ? "0.0.0.0" : place.host
        return DashboardSettings(host: host, port: Int(port), hosts: Set(names))
    }
}
