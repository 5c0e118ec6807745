/// Where files live by default.
///
/// - Source: XDG Base Directory Specification 0.8; relative paths in the variables are ignored, as it demands.
public struct BaseDirectories: Sendable {
    /// `$XDG_CONFIG_HOME/gridtide`, else `~/.config/gridtide`
    public let configuration: String
    /// `$XDG_STATE_HOME/gridtide`, else `~/.local/state/gridtide`
    public let state: String

    public init(_ environment: [String: String]) {
        let home = environment["HOME"] ?? "/"
        func base(_ variable: String, _ fallback: String) -> String {
            guard let path = environment[variable], path.hasPrefix("/") else { return "\(home)/\(fallback)/gridtide" }
            return "\(path)/gridtide"
        }
        configuration = base("XDG_CONFIG_HOME", ".config")
        state = base("XDG_STATE_HOME", ".local/state")
    }
}
