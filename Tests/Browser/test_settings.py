"""The first run and the settings as people use them: in a browser, against the real services.

    python Tests/Browser/test_settings.py            # BIN=.build/debug, SCREENSHOTS=folder to keep pictures
"""

import json
import subprocess
import sys
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from household import SERVICES, Household
from pages import BINARIES, PageTestCase

EMPTY = {"guidance-publisher": "venues: []\nrate-plans: []\n"}
CONTRACT = '{"grid": {"price": 0.31, "zones": [{"hours": "0-5", "price": 0.19}]}, "currency": "USD"}'


HOME = {"guidance-publisher": """venues:
  - {name: Home, region: CISO, time-zone: America/Los_Angeles, rate-plan: home-tou}
"""}
SEVERAL = json.dumps({"items": [
    {"label": label, "name": f"Rate {label}", "energyratestructure": [[{"rate": price}]],
     "energyweekdayschedule": [[0] * 24] * 12, "energyweekendschedule": [[0] * 24] * 12}
    for label, price in [("A", 0.11), ("B", 0.22)]]})


class StartTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.open_browser()

    def setUp(self):
        self.home = Household(BINARIES, EMPTY)
        self.addCleanup(self.home.remove)
        for name in ["guidance-publisher", "energy-dashboard"]:
            self.home.start(name)
        self.browser.screen(1280)
        self.browser.complaints()

    def test_a_new_home_ends_with_guidance_for_its_place(self):
        self.open("/")
        self.assertTrue(self.browser.current_url.endswith("/start"))
        self.choose("Grid region", "CISO")
        self.follow("button", "Next")
        self.fill("textbox", "Name of the home", "Our place")
        # What is known of the region is filled in, and what does not belong to the answer is not there.
        self.assertEqual(self.element("combobox", "Time zone").get_attribute("value"), "America/Los_Angeles")
        for name in ["price", "level-1", "document", "plan-name"]:
            self.assertFalse(self.browser.find_element(By.NAME, name).is_displayed(), name)
        self.element("radio", "The same at all times").click()
        self.assertFalse(self.browser.find_element(By.NAME, "document").is_displayed())
        self.fill("textbox", "Price per kWh", "0.32")
        self.assertEqual(self.element("textbox", "Currency").get_attribute("value"), "USD")
        self.follow("button", "Begin")
        self.browser.wait_for_text("Your home is set up")
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, "Our place")
        self.browser.wait("document.querySelectorAll('#guidance .hits rect').length > 20")
        self.assertIn("$0.320", self.text)
        self.assertEqual(self.browser.complaints(), [])

    def test_most_of_europe_needs_no_settings(self):
        for theme, width in [("light", 390), ("dark", 1280)]:
            self.browser.screen(width, theme=theme)
            self.open("/start")
            self.keep_picture(f"start-region-{theme}-{width}")
            self.choose("Grid region", "DE")
            self.follow("button", "Next")
            self.assertIn("Germany", self.text)
            self.assertIn("energy-charts-price:DE-LU", self.text)
            self.element("radio", "The market's price of each hour").click()
            self.keep_picture(f"start-home-{theme}-{width}")

    def test_what_is_wrong_is_named_and_nothing_is_lost(self):
        self.open("/start?region=DE")
        self.fill("textbox", "Name of the home", "Our place")
        self.fill("combobox", "Time zone", "Mars/Base")
        self.follow("button", "Begin")
        zone = self.element("combobox", "Time zone")
        self.assertEqual((zone.get_attribute("value"), zone.get_attribute("aria-invalid")), ("Mars/Base", "true"))
        self.assertIn("Must be a time zone", self.text)
        self.assertEqual(self.element("textbox", "Name of the home").get_attribute("value"), "Our place")

    def test_the_demo_is_looked_at(self):
        self.open("/")
        self.follow("button", "Look at the demo")
        self.browser.wait_for_text("This is the demo")
        self.browser.wait("document.querySelectorAll('#guidance .hits rect').length > 20")

    def test_the_first_page_has_no_barrier(self):
        self.assert_no_barriers({"start": "/start", "start-home": "/start?region=DE"})


class ExampleTests(PageTestCase):
    """What `make run-all` shows to whoever is new."""

    @classmethod
    def setUpClass(cls):
        cls.home = Household(BINARIES)
        cls.addClassCleanup(cls.home.remove)
        for name in ["guidance-publisher", "energy-dashboard"]:
            cls.home.start(name)
        cls.open_browser()

    def test_the_example_leads_to_ones_own_place_and_is_removed(self):
        self.assert_no_barriers({"example": "/"})
        self.browser.screen(1280)
        self.open("/")
        self.assertIn("Home is an example", self.text)
        self.follow("link", "Set up your own place")
        self.choose("Grid region", "PJM")
        self.follow("button", "Next")
        self.fill("textbox", "Name of the home", "Our place")
        self.element("radio", "I do not know").click()
        self.follow("button", "Begin")
        self.browser.wait_for_text("Your home is set up")
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, "Our place")
        self.keep_picture("example-left")
        self.follow("button", "Remove the example Home")
        self.browser.wait_for_text("Done: Remove the home.")
        self.open("/")
        self.assertNotIn("example", self.text)
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, "Our place")
        self.home.stop("guidance-publisher")
        self.home.start("guidance-publisher")
        self.open("/settings")
        self.browser.wait_for_text("Our place")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#venues .card")), 1)


class SettingsTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Household(BINARIES, HOME)
        cls.addClassCleanup(cls.home.remove)
        for name in SERVICES + ["energy-dashboard"]:
            cls.home.start(name)
        cls.open_browser()

    def setUp(self):
        self.browser.screen(1280)
        self.browser.delete_all_cookies()
        self.browser.complaints()

    def test_a_home_is_added_changed_and_removed(self):
        self.open("/settings")
        self.follow("link", "Add a home")
        self.fill("textbox", "Name of the home", "Cabin")
        self.choose("Grid region", "PJM")
        self.fill("combobox", "Time zone", "America/New_York")
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        self.follow("link", "Change, Cabin")
        self.fill("textbox", "How much the price counts", "101")
        self.follow("button", "Save")
        self.assertIn("must be a number from 0 to 100", self.text)
        self.fill("textbox", "How much the price counts", "30")
        self.fill("textbox", "Name of the home", "Hut")
        self.follow("button", "Save")
        self.follow("link", "Change, Hut")
        self.assertEqual(self.element("textbox", "How much the price counts").get_attribute("value"), "30")
        self.browser.find_element(By.CSS_SELECTOR, ".removal summary").click()
        self.follow("button", "Remove the home")
        self.browser.wait_for_text("Done: Remove the home.")
        self.assertNotIn("Hut", self.text)

    def test_a_second_click_sends_nothing_twice(self):
        self.open("/settings/venue")
        prevented = self.browser.execute_script("""
            const prevented = [];
            window.addEventListener("submit", (event) => {
              prevented.push(event.defaultPrevented);
              event.preventDefault();
            });
            const save = document.querySelector("main form button");
            for (const click of [1, 2]) save.form.requestSubmit(save);
            return prevented;""")
        self.assertEqual(prevented, [False, True])

    def test_the_clock_of_the_browser_is_proposed(self):
        self.browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setTimezoneOverride", {"timezoneId": ""})
        self.open("/settings/venue")
        self.assertEqual(self.element("combobox", "Time zone").get_attribute("value"), "Europe/Berlin")

    def test_a_home_of_the_configuration_says_why_it_stays(self):
        self.open("/settings")
        self.follow("link", "Change, Home")
        self.browser.find_element(By.CSS_SELECTOR, ".removal summary").click()
        self.follow("button", "Remove the home")
        self.assertIn("is one of the configured", self.text)

    def test_a_contract_is_read_from_a_file(self):
        contract = self.home.folder / "contract.json"
        contract.write_text(CONTRACT)
        self.open("/settings")
        self.follow("link", "Add a rate plan")
        self.fill("textbox", "Name of the rate plan", "Night rate")
        self.browser.find_element(By.ID, "file").send_keys(str(contract))
        self.browser.wait("document.getElementById('field-document').value !== ''")
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        card = [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "#rate-plans .card") if "Night rate" in item.text][0]
        self.assertIn("in force", card)
        self.follow("link", "Look at its prices, Night rate")
        self.assertIn("Rate plan: Night rate", self.text)
        self.assertIn("0.19", self.text)

    def test_a_contract_that_no_home_has_is_removed(self):
        self.open("/settings/rate-plan")
        self.element("radio", "The same at all times").click()
        self.fill("textbox", "Name of the rate plan", "Trial rate")
        self.fill("textbox", "Price per kWh", "0.5")
        self.fill("textbox", "Currency", "USD")
        self.element("checkbox", "Home buys under it").click()
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        self.follow("link", "Replace, Trial rate")
        self.browser.find_element(By.CSS_SELECTOR, ".removal summary").click()
        self.follow("button", "Remove the rate plan")
        self.browser.wait_for_text("Done: Remove the rate plan.")
        self.assertNotIn("Trial rate", self.text)

    def test_the_fuse_of_a_home_is_set_and_taken_away(self):
        self.open("/settings")
        self.follow("link", "Change the limits")
        self.fill("textbox", "Main fuse, in A", "much")
        self.follow("button", "Save")
        self.assertIn("Main fuse, in A must be a number", self.text)
        self.fill("textbox", "Main fuse, in A", "25")
        self.fill("textbox", "What runs anyway, in kW", "0.6")
        self.keep_picture("settings-limits")
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        self.assertIn("Main fuse of 25 A on each of three phases", self.text)
        self.assertIn("0.6 kW run anyway", self.text)
        self.follow("link", "Change the limits")
        self.fill("textbox", "Main fuse, in A", "")
        self.fill("textbox", "What runs anyway, in kW", "")
        self.follow("button", "Save")
        self.browser.wait_for_text("None is known: plans use all the power that devices can take.")

    def test_a_contract_that_is_wrong_is_named_and_nothing_is_lost(self):
        self.open("/settings/rate-plan")
        self.fill("textbox", "Text of the file", '{"zones": "all"}')
        self.follow("button", "Save")
        field = self.element("textbox", "Text of the file")
        self.assertEqual(field.get_attribute("value"), '{"zones": "all"}')
        self.assertEqual(field.get_attribute("aria-invalid"), "true")

    def test_of_a_file_with_several_rates_one_is_chosen(self):
        self.open("/settings/rate-plan")
        self.browser.execute_script("document.getElementById('field-document').value = arguments[0]", SEVERAL)
        self.follow("button", "Save")
        choice = self.element("combobox", "Which rate of the file")
        self.assertEqual(choice.get_attribute("aria-invalid"), "true")
        self.assertIn("The file has 2 rates: choose one.", self.text)
        self.keep_picture("settings-rates")
        choice.send_keys("Rate B")
        self.element("checkbox", "buys under it").click()
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        self.assertIn("Rate B", self.text)

    def test_without_a_script_nothing_is_offered_that_needs_one(self):
        for is_disabled in [True, False]:
            self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": is_disabled})
            self.open("/settings/rate-plan")
            self.assertEqual(self.browser.find_element(By.ID, "file").is_displayed(), not is_disabled)

    def test_hours_are_painted_and_chosen(self):
        self.open("/settings/rate-plan")
        self.element("radio", "By the hour").click()
        self.fill("textbox", "Name of the rate plan", "Painted")
        self.fill("textbox", "Currency", "USD")
        self.fill("textbox", "Price 1 per kWh", "0.2")
        self.fill("textbox", "Price 2 per kWh", "0.45")
        cells = self.browser.find_elements(By.CSS_SELECTOR, ".hours tr td:nth-child(2)")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", cells[18])
        ActionChains(self.browser).click_and_hold(cells[16]).move_to_element(cells[18]).move_to_element(
            cells[20]).release().perform()
        # Without a pointer each hour is chosen.
        choice = self.element("combobox", "All year, or the first season, Saturday and Sunday, 10:00–11:00")
        choice.send_keys("2")
        self.keep_picture("settings-hours")
        values = self.browser.execute_script(
            "return [...document.querySelectorAll('.hours select')].map((cell) => cell.value)")
        # Workdays and weekends in turn.
        self.assertEqual(values[0:48:2], ["1"] * 16 + ["2"] * 5 + ["1"] * 3)
        self.assertEqual(values[1:48:2], ["1"] * 10 + ["2"] + ["1"] * 13)
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        self.follow("link", "Replace, Painted")
        evening = self.element("combobox", "All year, or the first season, Monday to Friday, 20:00–21:00")
        self.assertEqual(evening.get_attribute("value"), "2")
        for theme, width in [("light", 1280), ("dark", 360)]:
            self.browser.screen(width, theme=theme)
            self.keep_picture(f"settings-hours-{theme}-{width}")

    def test_a_key_is_prepared(self):
        self.open("/settings")
        self.follow("link", "Prepare a key")
        self.fill("textbox", "What the client is called", "Wall tablet")
        self.follow("button", "Show the commands")
        self.assertEqual(self.element("textbox", "What the client is called").get_attribute("aria-invalid"), "true")
        self.fill("textbox", "What the client is called", "wall-tablet")
        self.element("checkbox", "control").click()
        self.follow("button", "Show the commands")
        self.assertIn("energyctl keys client wall-tablet --allow guidance,insights,schedules,control --qr", self.text)
        self.keep_picture("settings-key-commands")

    def test_a_device_is_added_and_changed(self):
        self.open("/settings")
        self.follow("link", "Add a device")
        self.fill("textbox", "Name", "Zoe")
        self.fill("textbox", "Battery, in kWh", "fifty")
        self.fill("textbox", "Highest charging power", "11")
        self.follow("button", "Save")
        self.assertIn("Battery, in kWh must be a number from 0.1 to 10000.", self.text)
        self.assertEqual(self.element("textbox", "Highest charging power").get_attribute("value"), "11")
        self.fill("textbox", "Battery, in kWh", "52")
        self.follow("button", "Save")
        self.browser.wait_for_text("Done: Save.")
        self.follow("link", "Change, Zoe")
        self.fill("textbox", "Highest charging power", "22")
        self.fill("textbox", "Priority", "7")
        self.follow("button", "Save")
        self.assertIn("52.0 kWh · 22.0 kW", self.text)
        self.follow("link", "Change, Zoe")
        self.assertEqual(self.element("textbox", "Priority").get_attribute("value"), "7")
        self.open("/plan")
        self.assertIn("Zoe", self.text)

    def test_long_names_fit_a_phone_and_two_of_one_name_are_told_apart(self):
        name = "N" * 300
        for _ in range(2):
            self.open("/settings/device")
            self.fill("textbox", "Name", name)
            self.fill("textbox", "Battery, in kWh", "52")
            self.fill("textbox", "Highest charging power", "11")
            self.follow("button", "Save")
            self.browser.wait_for_text("Done: Save.")
        self.browser.screen(390)
        for path in ["/", "/plan", "/history", "/activity", "/settings"]:
            self.open(path)
            self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390, path)
        self.open("/plan")
        named = [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, ".card h2") if "NNN" in item.text]
        self.assertEqual(len(set(named)), 2, named)

    def test_a_time_to_use_less_is_declared_and_cancelled(self):
        self.open("/settings")
        self.follow("link", "Declare a time to use less")
        self.fill("textbox", "How long, in hours", "0")
        self.follow("button", "Declare")
        self.assertIn("How long, in hours must be a number", self.text)
        self.fill("textbox", "How long, in hours", "1.5")
        self.fill("textbox", "Why", "Heat wave")
        self.follow("button", "Declare")
        self.browser.wait_for_text("Heat wave")
        self.open("/")
        self.browser.wait_for_text("The grid asks to use less")
        self.open("/settings")
        self.follow("button", "Cancel it, Use nothing that can wait")
        self.browser.wait_for_text("Done: Cancel it.")
        self.assertNotIn("Heat wave", self.text)

    def test_sources_and_keys_are_told(self):
        self.open("/settings")
        self.assertIn("CISO: climatology", self.text)
        self.assertIn("energyctl keys client wall-tablet --allow guidance,insights,schedules --qr", self.text)

    def test_a_source_is_tested(self):
        self.open("/settings")
        self.follow("button", "Test, CISO: climatology")
        told = self.browser.find_element(By.ID, "tested")
        self.assertIn("Its value for now is", told.text)
        self.assertEqual(told.get_attribute("role"), "status")
        self.keep_picture("settings-tested")

    def test_no_page_has_a_barrier_in_any_theme_or_width(self):
        self.assert_no_barriers({
            "settings": "/settings", "settings-venue": "/settings/venue", "settings-rate-plan": "/settings/rate-plan",
            "settings-device": "/settings/device", "settings-event": "/settings/event",
            "settings-key": "/settings/key", "settings-limits": "/settings/limits"})


class KeyTests(PageTestCase):
    """Where the services demand keys."""

    @classmethod
    def setUpClass(cls):
        cls.home = Household(BINARIES, HOME)
        cls.addClassCleanup(cls.home.remove)
        cls.home.make_keys()
        for name in ["guidance-publisher", "energy-dashboard"]:
            cls.home.start(name)
        cls.open_browser()

    def scanned(self):
        """What a camera reads off the screen."""
        picture = self.home.folder / "screen.png"
        self.browser.save_screenshot(str(picture))
        # Of other kinds, some are seen by chance where there are none.
        command = ["zbarimg", "--raw", "-q", "-Sdisable", "-Sqrcode.enable", str(picture)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def test_a_key_is_made_scanned_and_opens_until_it_is_revoked(self):
        self.browser.screen(1280, height=1200)
        self.open("/settings")
        self.assertIn("owner", self.browser.find_element(By.ID, "keys").text)
        self.follow("link", "Make a key")
        self.fill("textbox", "What the client is called", "Wall tablet")
        self.follow("button", "Make a key")
        self.assertEqual(self.element("textbox", "What the client is called").get_attribute("aria-invalid"), "true")
        self.fill("textbox", "What the client is called", "wall-tablet")
        self.follow("button", "Make a key")
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, "The key of wall-tablet")
        self.browser.complaints()
        for theme, width in [("light", 1280), ("dark", 390)]:
            self.browser.screen(width, height=1200, theme=theme)
            self.assert_no_violation()
            self.keep_picture(f"key-made-{theme}-{width}")
            client = self.home.folder / f"scanned-{width}.yaml"
            client.write_text(self.scanned())
            client.chmod(0o600)
            self.assertIn("Home", self.home.control("venues", "--client", str(client)))
        self.assertEqual(self.browser.complaints(), [])
        self.home.control("keys", "revoke", "wall-tablet", "--keys", str(self.home.keys))
        self.open("/settings")
        named = [item.text for item in self.browser.find_elements(By.CSS_SELECTOR, "#keys h3")]
        self.assertEqual(named, ["owner"])

    def test_no_page_of_keys_has_a_barrier(self):
        self.assert_no_barriers({"keys": "/settings", "keys-make": "/settings/key"})


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
