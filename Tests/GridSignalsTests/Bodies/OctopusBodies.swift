/// As the service answers: the newest first.
enum OctopusBodies {
    static func page(_ rows: [String], next: String? = nil) -> String {
        let next = next.map { "\"\($0)\"" } ?? "null"
        return #"{"count":\#(rows.count),"next":\#(next),"previous":null,"results":[\#(rows.joined(separator: ","))]}"#
    }

    static func row(
        _ from: String, _ to: String?, _ withVAT: String, without: String = "0", method: String? = nil
    ) -> String {
        let to = to.map { "\"\($0)\"" } ?? "null"
        let method = method.map { "\"\($0)\"" } ?? "null"
        return """
            {"value_exc_vat":\(without),"value_inc_vat":\(withVAT),"valid_from":"\(from)","valid_to":\(to),\
            "payment_method":\(method)}
            """
    }
}
