"""The dashboard as people use it: in a browser, against the real services.

    python Tests/Browser/test_dashboard.py            # BIN=.build/debug, SCREENSHOTS=folder to keep pictures
"""

import json
import sys
import unittest
import urllib.error
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from household import SERVICES, Household
from pages import BINARIES, PageTestCase

PAGES = {"now": "/", "plan": "/plan", "goal": "/plan/goal?device=simulated-car", "history": "/history",
         "history-year": "/history?range=year&measure=cost", "activity": "/activity", "grid": "/grid", "missing": "/nothing"}
CAR = "simulated-car"


class DashboardTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Household(BINARIES)
        cls.addClassCleanup(cls.home.remove)
        for name in SERVICES + ["energy-dashboard"]:
            cls.home.start(name)
        cls.open_browser()
        # Seen live: the page is open before there is any device, and is not loaded again.
        cls.browser.get(cls.home.url)
        cls.browser.execute_script("window.isSamePage = true")
        cls.text_before = cls.browser.find_element(By.ID, "now").text
        cls.home.start("device-simulator")
        cls.browser.wait("[...document.querySelectorAll('.card h3')].some(h => h.textContent === 'Simulated car')")
        cls.was_same_page = cls.browser.execute_script("return window.isSamePage === true")
        # The plan is there, and the past is counted.
        cls.browser.get(cls.home.url + "/plan")
        cls.browser.wait("document.querySelector('[value=chargeNow]')")
        cls.browser.get(cls.home.url + "/history?range=month&at=" + cls.last_month())
        cls.browser.wait("document.querySelectorAll('#bars .bar').length > 3")

    @staticmethod
    def last_month():
        import datetime
        return (datetime.date.today() - datetime.timedelta(days=10)).isoformat()

    def setUp(self):
        self.browser.screen(1280)
        self.browser.delete_all_cookies()
        self.browser.complaints()
        # A page that is drawn anew while a test looks at it is for the tests of that.
        self.still = self.browser.before_pages("window.EventSource = class { addEventListener() {} close() {} };")
        self.addCleanup(self.live)

    def live(self):
        """From the next page on, what is new is shown by itself."""
        if self.still: self.browser.no_longer_before_pages(self.still)
        self.still = None

    # Live

    def test_a_device_appears_on_an_open_page(self):
        self.assertIn("No device is planned here yet", self.text_before)
        self.assertTrue(self.was_same_page)

    def test_a_service_that_is_away_is_named_and_its_return_is_seen(self):
        self.live()
        self.open("/")
        self.browser.execute_script("window.isSamePage = true")
        # Only a part that stays is read aloud when it changes.
        told = "return window.told = [...document.querySelectorAll('#notices[role=status], #rating [role=status]')]"
        self.assertEqual(len(self.browser.execute_script(told)), 2)
        self.home.stop("guidance-publisher")
        self.browser.wait_for_text("guidance-publisher does not answer")
        self.browser.wait_for_text("Shown is what was known")
        self.browser.wait("document.querySelector('#guidance .bar') !== null")
        self.home.start("guidance-publisher")
        self.browser.wait("document.querySelectorAll('.notice:not([hidden])').length === 0")
        self.assertTrue(self.browser.execute_script("return window.isSamePage"))
        self.assertTrue(self.browser.execute_script("return window.told.every((part) => part.isConnected)"))

    def test_a_dashboard_that_is_away_is_said_and_its_return_is_seen(self):
        self.live()
        self.open("/")
        self.home.stop("energy-dashboard")
        self.assertNotIn(" error ", self.home.log("energy-dashboard"), "a stop is no error, even with pages open")
        self.browser.wait("!document.getElementById('offline').hidden")
        self.home.start("energy-dashboard")
        self.browser.wait("document.getElementById('offline').hidden")

    def test_a_dashboard_that_hangs_is_said_and_its_return_is_seen(self):
        self.live()
        self.open("/")
        self.home.hang("energy-dashboard")
        try: self.browser.wait("!document.getElementById('offline').hidden")
        finally: self.home.go_on("energy-dashboard")
        self.browser.wait("document.getElementById('offline').hidden")

    def test_the_lost_connection_is_said_in_the_column_of_the_page(self):
        for theme, width in [("light", 1440), ("dark", 1440), ("light", 390), ("dark", 390)]:
            self.browser.screen(width, theme=theme)
            self.open("/")
            places = self.browser.execute_script("""
                document.getElementById("offline").hidden = false;
                return ["offline", "now"].map((id) => document.getElementById(id).getBoundingClientRect())
                  .map((box) => [Math.round(box.left), Math.round(box.right)]);""")
            self.keep_picture(f"offline-{theme}-{width}")
            self.assertEqual(*places)

    def test_a_network_that_is_lost_is_said_and_its_return_is_seen(self):
        self.live()
        self.open("/")
        self.browser.execute_cdp_cmd("Network.enable", {})
        for is_offline in [True, False]:
            self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
                "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
            self.browser.wait(f"document.getElementById('offline').hidden === {str(not is_offline).lower()}")

    def test_a_page_asked_for_while_nobody_knows_a_home_mends_itself(self):
        self.live()
        self.home.stop("guidance-publisher")
        self.home.stop("energy-dashboard")
        self.home.start("energy-dashboard")
        self.open("/")
        try: self.browser.wait_for_text("guidance-publisher does not answer")
        finally: self.home.start("guidance-publisher")
        self.browser.wait("document.querySelector('#guidance .bar') !== null")
        self.assertEqual(self.browser.title, "Now · Gridtide")

    # What somebody does while something is new

    def change(self, action):
        """As another client would: the page learns of it."""
        venue = json.loads(self.fetch("/api/v1/venues")[2])["venues"][0]["id"]
        request = urllib.request.Request(
            f"{self.home.url}/api/v1/venues/{venue}/devices/{CAR}/override", json.dumps({"action": action}).encode(),
            {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=20).close()

    def test_a_page_does_nothing_that_nobody_pressed(self):
        self.open("/plan")
        # Drawn anew, the page would have the car here again, and pause it.
        self.browser.execute_script("document.querySelector('form:has([value=pause]) [name=device]').value = 'nobody'")
        self.live()
        self.follow("button", "Pause")
        self.browser.wait_for_text("This was refused")
        self.browser.execute_script("window.isSamePage = true")
        self.change("chargeNow")
        self.addCleanup(self.change, "resume")
        self.browser.wait_for_text("now, as you asked")
        self.assertTrue(self.browser.execute_script("return window.isSamePage"))
        self.assertTrue(self.browser.current_url.endswith("/plan"))
        self.assertIn("This was refused", self.text)

    def test_what_is_new_leaves_the_focus_and_what_is_unfolded(self):
        self.live()
        self.addCleanup(self.change, "resume")
        focused = "return document.activeElement.id || document.activeElement.textContent"
        for selector, action, text in [("#plan-table summary", "pause", "Paused, as you asked"),
                                       (f"#goal-{CAR}", "resume", "Charge now"),
                                       ("#plan-plot", "chargeNow", "now, as you asked")]:
            self.open("/plan")
            self.browser.find_element(By.CSS_SELECTOR, "#plan-table summary").click()
            self.browser.execute_script("document.querySelector(arguments[0]).focus()", selector)
            before = self.browser.execute_script(focused)
            self.change(action)
            self.browser.wait_for_text(text)
            self.assertEqual(self.browser.execute_script(focused), before)
            self.assertTrue(self.browser.find_element(By.ID, "plan-table").get_attribute("open"))

    def test_focus_on_what_is_gone_goes_to_what_was_around_it(self):
        self.live()
        self.addCleanup(self.change, "resume")
        self.open("/plan")
        self.browser.execute_script("document.getElementById('pause-simulated-car').focus()")
        self.change("chargeNow")
        self.browser.wait("document.getElementById('resume-simulated-car') !== null")
        self.assertEqual(self.browser.execute_script("return document.activeElement.id"), f"device-{CAR}")

    def test_what_is_chosen_but_not_yet_sent_stays_chosen(self):
        self.live()
        self.addCleanup(self.change, "resume")
        self.open("/activity")
        self.browser.execute_script("window.isHere = document.querySelector('[role=log]')")
        self.element("combobox", "Kind").send_keys("Plugged")
        asked = "performance.getEntriesByType('resource').filter((entry) => entry.initiatorType === 'fetch').length"
        self.browser.execute_script(f"window.asked = {asked}; new PerformanceObserver(() => {{ document.body.dataset.asked = {asked} }}).observe({{type: 'resource'}})")
        self.change("pause")
        self.browser.wait("Number(document.body.dataset.asked) > window.asked")
        self.assertEqual(self.element("combobox", "Kind").get_attribute("value"), "plug")
        # It is read aloud because it is the same.
        self.assertTrue(self.browser.execute_script("return window.isHere.isConnected"))

    def test_what_was_done_is_told_for_a_while_and_once(self):
        self.live()
        # As if time went faster.
        hurry = self.browser.before_pages("{ const wait = setTimeout; window.setTimeout = (done, time) => wait(done, time > 9000 && time < 21000 ? 1500 : time); }")
        self.addCleanup(self.browser.no_longer_before_pages, hurry)
        self.open("/plan")
        self.press("button", "Charge now")
        self.browser.wait_for_text("Done: Charge now.")
        self.assertTrue(self.browser.current_url.endswith("/plan"))
        self.browser.wait_for_text("now, as you asked")
        self.browser.wait("document.querySelector('#told .done') === null")
        self.press("button", "Back to the plan")
        self.browser.wait("document.querySelector('[value=chargeNow]')")

    # Pages

    def test_each_page_is_found_by_its_name(self):
        self.open("/")
        for name in ["Plan", "History", "Activity", "Settings", "Now"]:
            link = [item for item in self.browser.find_elements(By.CSS_SELECTOR, "nav a") if item.text == name][0]
            self.browser.leave_by(link)
            self.assertEqual(self.browser.find_element(By.CSS_SELECTOR, "[aria-current=page]").text, name)
            self.assertEqual(len(self.browser.find_elements(By.TAG_NAME, "h1")), 1)
            self.assertEqual(self.browser.complaints(), [])

    def test_a_chart_tells_its_values_by_keyboard(self):
        self.open("/")
        chart = self.element("slider", "How good the hours ahead are")
        first = chart.get_attribute("aria-valuetext")
        chart.send_keys(Keys.ARROW_RIGHT)
        second = chart.get_attribute("aria-valuetext")
        self.assertNotEqual(first, second)
        self.assertRegex(second, r"\d+:\d\d\s[AP]M–\d+:\d\d\s[AP]M · (Good|Fair|Avoid) \(\d\.\d\d\)")
        readout = self.browser.find_element(By.CSS_SELECTOR, "#guidance .readout")
        self.assertEqual(readout.get_property("textContent"), second)
        chart.send_keys(Keys.END)
        self.assertEqual(chart.get_attribute("aria-valuenow"), chart.get_attribute("aria-valuemax"))

    def test_a_chart_has_a_table_of_the_same(self):
        self.open("/")
        self.browser.find_element(By.CSS_SELECTOR, "#guidance-table summary").click()
        rows = self.browser.find_elements(By.CSS_SELECTOR, "#guidance-table tbody tr")
        stops = self.browser.find_elements(By.CSS_SELECTOR, "#guidance .hits rect")
        self.assertEqual(len(rows), len(stops))
        first = rows[0].find_element(By.TAG_NAME, "th").get_property("textContent")
        self.assertIn(first, stops[0].get_attribute("data-text"))

    def test_history_is_of_what_was_chosen(self):
        self.open("/history")
        self.browser.leave_by(self.browser.find_element(By.ID, "range-month"))
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#bars .hits rect")) in (28, 29, 30, 31), True)
        self.element("combobox", "Device").send_keys("Simulated car")
        self.element("combobox", "Quantity").send_keys("Cost")
        self.browser.leave_by(self.browser.find_element(By.ID, "history-apply"))
        self.assertIn(f"device={CAR}", self.browser.current_url)
        self.assertIn("measure=cost", self.browser.current_url)
        self.assertRegex(self.text, r"\d+ of \d+ sessions followed guidance\.")
        self.browser.leave_by(self.browser.find_element(By.ID, "earlier"))
        self.assertTrue(self.browser.find_elements(By.ID, "later"))

    def test_activity_is_told_in_sentences_and_filtered(self):
        self.open("/activity")
        self.element("combobox", "Kind").send_keys("Plugged")
        self.browser.leave_by(self.browser.find_element(By.ID, "activity-apply"))
        kinds = self.browser.execute_script("return [...document.querySelectorAll('.event')].map(e => e.className)")
        self.assertEqual(set(kinds), {"event kind-plug"})
        self.assertIn("Plugged in.", self.browser.find_element(By.TAG_NAME, "main").text)

    # Changes

    def test_why_a_plan_is_so_is_said_of_each_time_in_the_language_of_the_page(self):
        self.open("/")
        self.browser.leave_by(self.element("button", "Deutsch"))
        self.open("/plan")
        self.browser.find_element(By.CSS_SELECTOR, f"#why-{CAR} summary").click()
        lines = self.browser.find_elements(By.CSS_SELECTOR, f"#why-{CAR} li")
        self.assertTrue(lines)
        for line in lines: self.assertRegex(line.text, r"^(.* )?\d\d:\d\d–.*: (Läuft|Wartet|Lädt|Das Ziel)")

    def test_charge_now_and_back_to_the_plan(self):
        self.live()
        self.open("/plan")
        self.press("button", "Charge now")
        self.browser.wait_for_text("Done: Charge now.")
        self.browser.wait_for_text("now, as you asked")
        self.press("button", "Back to the plan")
        self.browser.wait("document.querySelector('[value=chargeNow]')")

    def test_a_goal_that_is_wrong_is_named_and_nothing_is_lost(self):
        self.open(f"/plan/goal?device={CAR}")
        amount = self.element("textbox", "How much")
        amount.clear()
        amount.send_keys("a lot")
        self.browser.find_element(By.ID, "weekday-2").click()
        self.browser.leave_by(self.browser.find_element(By.CSS_SELECTOR, "[value=save]"))
        amount = self.element("textbox", "How much")
        self.assertEqual(amount.get_attribute("value"), "a lot")
        self.assertEqual(amount.get_attribute("aria-invalid"), "true")
        self.assertTrue(self.browser.find_element(By.ID, "weekday-2").is_selected())
        self.assertIn("How much must be a number from 1 to 100", self.browser.find_element(By.TAG_NAME, "main").text)

    def test_who_goes_back_to_a_form_finds_what_was_typed_and_can_send_it_again(self):
        self.open(f"/plan/goal?device={CAR}")
        for typed in ["a lot", "90"]:
            self.fill("textbox", "How much", typed)
            self.browser.leave_by(self.browser.find_element(By.CSS_SELECTOR, "[value=preview]"))
        self.assertIn("At once", self.text)
        self.browser.back()
        self.browser.wait("document.getElementById('field-amount').value === 'a lot'")
        self.fill("textbox", "How much", "85")
        self.browser.leave_by(self.browser.find_element(By.CSS_SELECTOR, "[value=preview]"))
        self.assertIn("At once", self.text)

    def test_a_goal_is_tried_before_it_is_saved(self):
        self.open(f"/plan/goal?device={CAR}")
        amount = self.element("textbox", "How much")
        amount.clear()
        amount.send_keys("90")
        self.browser.leave_by(self.browser.find_element(By.CSS_SELECTOR, "[value=preview]"))
        table = self.browser.find_element(By.CSS_SELECTOR, "[aria-labelledby=preview-title] table").text
        self.assertIn("Cost", table)
        self.assertIn("At once", table)
        # The plan of it may come later than the page.
        self.live()
        self.browser.leave_by(self.browser.find_element(By.CSS_SELECTOR, "[value=save]"))
        self.browser.wait_for_text("90% full by")

    def test_a_language_that_is_chosen_in_a_form_keeps_what_was_typed(self):
        self.open(f"/plan/goal?device={CAR}")
        self.fill("textbox", "How much", "77")
        self.follow("button", "Deutsch")
        self.assertEqual(self.element("textbox", "Wie viel").get_attribute("value"), "77")
        self.follow("button", "Vorschau")
        self.follow("button", "English")
        self.assertEqual(self.element("textbox", "How much").get_attribute("value"), "77")
        self.assertTrue(self.browser.find_elements(By.ID, "preview-title"))
        self.open("/")
        self.assertEqual(self.browser.execute_script("return document.documentElement.lang"), "en")

    def test_the_focus_is_on_what_is_wrong_and_leads_to_its_field(self):
        self.open(f"/plan/goal?device={CAR}")
        self.fill("textbox", "How much", "a lot")
        self.browser.leave_by(self.browser.find_element(By.CSS_SELECTOR, "[value=save]"))
        self.assertEqual(self.browser.execute_script("return document.activeElement.id"), "form-problems")
        self.assertTrue(self.browser.title.startswith("Error: "))
        for theme, width in [("light", 1280), ("dark", 390)]:
            self.browser.screen(width, theme=theme)
            self.keep_picture(f"goal-wrong-{theme}-{width}")
        self.element("link", "How much must be a number").click()
        self.assertEqual(self.browser.execute_script("return document.activeElement.id"), "field-amount")

    def test_the_language_is_chosen_and_kept(self):
        self.open("/")
        self.browser.leave_by(self.element("button", "Deutsch"))
        self.assertEqual(self.browser.execute_script("return document.documentElement.lang"), "de")
        self.open("/history")
        self.assertIn("Verlauf", self.browser.find_element(By.TAG_NAME, "nav").text)

    # For everybody

    def test_no_page_has_a_barrier_in_any_theme_or_width(self):
        self.assert_no_barriers(PAGES)

    # What travels

    def fetch(self, path, method="GET", **headers):
        request = urllib.request.Request(self.home.url + path, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as reply:
                return reply.status, reply.headers, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def test_what_is_unchanged_is_not_sent_again(self):
        self.open("/")
        address = self.browser.find_element(By.CSS_SELECTOR, "link[rel=stylesheet]").get_attribute("href")
        path = address.removeprefix(self.home.url)
        _, headers, body = self.fetch(path, **{"Accept-Encoding": "gzip"})
        self.assertEqual(headers["content-encoding"], "gzip")
        self.assertEqual(body[:2], b"\x1f\x8b")
        status, _, body = self.fetch(path, **{"If-None-Match": headers["etag"]})
        self.assertEqual((status, body), (304, b""))

    def test_who_asks_only_for_the_headers_gets_those_of_the_page(self):
        for path in ["/settings", "/api/v1/venues"]:
            _, page, _ = self.fetch(path)
            status, headers, body = self.fetch(path, method="HEAD")
            self.assertEqual((status, headers["etag"], body), (200, page["etag"], b""))

    def test_foreign_scripts_sites_and_names_are_kept_out(self):
        _, headers, body = self.fetch("/")
        self.assertIn("default-src 'none'; script-src 'self'; style-src 'self'", headers["content-security-policy"])
        for inline in [b"<style", b"style=", b"onclick", b"javascript:"]:
            self.assertNotIn(inline, body)
        self.assertEqual(self.fetch("/", Host="attacker.example")[0], 403)
        for headers in [{"Origin": "http://attacker.example"}, {"Sec-Fetch-Site": "cross-site"}]:
            request = urllib.request.Request(
                self.home.url + "/plan/override", data=f"device={CAR}&action=pause".encode(), headers=headers)
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=20)
            self.assertEqual(refused.exception.code, 403)
            refused.exception.close()

    def test_history_is_handed_out_as_a_file(self):
        status, headers, body = self.fetch("/history.csv?range=month&at=" + self.last_month())
        lines = body.decode().splitlines()
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["content-disposition"])
        self.assertEqual(lines[0].split(",")[:4], ["\ufeffstart", "end", "venue", "device"])
        self.assertTrue(any(f",{CAR}," in line for line in lines[1:]))

    def test_a_file_of_no_known_range_and_a_method_that_an_address_has_not_are_refused(self):
        for method, path, status, said in [
            ("GET", "/history.csv?range=bad", 400, "range must be one of day, week, month, year, years"),
            ("GET", "/history.csv?at=2026-02-31", 400, "at must be a date"),
            ("PUT", "/plan", 405, "PUT is not for this address: it takes GET, HEAD."),
            ("POST", "/", 405, "it takes GET, HEAD."),
            ("GET", "/plan/override", 405, "it takes POST."),
            ("DELETE", "/nowhere", 404, "Gridtide"),
        ]:
            with self.subTest(method=method, path=path), self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(self.home.url + path, method=method), timeout=20)
            with refused.exception as answer:
                self.assertEqual(answer.code, status, path)
                self.assertIn(said, answer.read().decode())

    def test_health_and_metrics_are_where_every_process_has_them(self):
        address = self.home.http["energy-dashboard"].replace("tcp:", "http:")
        for path in ["/healthz", "/readyz", "/metrics"]:
            with urllib.request.urlopen(address + path, timeout=20) as reply:
                self.assertEqual(reply.status, 200)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
