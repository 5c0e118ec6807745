/// The version that `--version`, reflection, logs and manuals name.
public enum SoftwareVersion {
    public static let current = "0.1.0"
}
