import Testing

@testable import EnergyDashboard

struct HTMLTests {
    @Test func `what a device calls itself stays text`() {
        let name = #"<script>alert("x")</script> & 'co'"#
        let html = HTML.element("p", [Attribute("title", name)]) { name }
        let escaped = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;"
        #expect(html.description == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func `an attribute without a value is left out, or is there without one`() {
        let html = HTML.void("input", [Attribute("value", nil), Attribute("required", if: true), Attribute("x", 1.25)])
        #expect(html.description == "<input required=\"\" x=\"1.3\">")
    }

    @Test(arguments: [(0.04, "0"), (-0.5, "-0.5"), (12, "12"), (.nan, "0"), (.infinity, "0"), (1e300, "0")])
    func `a number of a drawing has a point and no more digits than are seen`(value: Double, text: String) {
        #expect(SVGNumber.text(value) == text)
    }
}
