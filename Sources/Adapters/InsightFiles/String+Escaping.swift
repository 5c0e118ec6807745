extension String {
    /// With scalars replaced where `replacement` gives something. Scalars, not characters: a quotation mark with an accent
    /// on it is one character, but ends a quoted text all the same.
    func escaping(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let replacement = replacement(scalar) { text += replacement } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
