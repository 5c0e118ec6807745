"""What tests of the pages share: finding what is on a page as people do, and looking for barriers."""

import os
import pathlib
import unittest

from axe_core_python.selenium import Axe
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from browser import Browser

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
BINARIES = os.environ.get("BIN", str(PACKAGE / ".build/debug"))
SCREENSHOTS = os.environ.get("SCREENSHOTS")


class PageTestCase(unittest.TestCase):
    """With `home` and `browser`, which `setUpClass` or `setUp` of a subclass make."""

    @classmethod
    def open_browser(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.quit)

    def open(self, path):
        self.browser.get(self.home.url + path)

    def element(self, role, name):
        """The one that assistive technology finds by this role and name."""
        # What is only told is a part of its own, and parts are put together with spaces.
        found = [item for item in self.browser.find_elements(By.CSS_SELECTOR, ":is(main, header, footer) :not(option)")
                 if item.aria_role == role and name in item.accessible_name.replace(" ,", ",")]
        self.assertEqual(len(found), 1, f"{role} '{name}': {[item.accessible_name for item in found]}")
        return found[0]

    def press(self, role, name):
        """As a person would: where the page was just drawn anew, the button that stands there now."""
        for _ in range(10):
            try: return self.element(role, name).click()
            except StaleElementReferenceException: continue
        self.fail(f"{role} '{name}' does not stand still")

    def follow(self, role, name):
        """Presses what leads to another page, and waits for that."""
        self.browser.leave_by(self.element(role, name))

    def fill(self, role, name, text):
        field = self.element(role, name)
        field.clear()
        field.send_keys(text)

    def choose(self, name, value):
        Select(self.element("combobox", name)).select_by_value(value)

    @property
    def text(self):
        return self.browser.find_element(By.TAG_NAME, "main").text

    def assert_no_barriers(self, pages):
        """In both themes and three widths; pages: paths by the names of their pictures."""
        for theme in ["light", "dark"]:
            for width in [360, 768, 1440]:
                for name, path in pages.items():
                    with self.subTest(page=name, theme=theme, width=width):
                        self.browser.screen(width, theme=theme)
                        self.open(path)
                        self.keep_picture(f"{name}-{theme}-{width}")
                        self.browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
                        self.assert_no_violation()
                        self.assertLessEqual(
                            self.browser.execute_script("return document.documentElement.scrollWidth"), width)

    def assert_no_violation(self):
        """Of the page as it is shown now."""
        found = Axe().run(self.browser, options={
            "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
        told = [(item["id"], [node["html"][:200] for node in item["nodes"][:3]]) for item in found["violations"]]
        self.assertEqual(told, [])

    def keep_picture(self, name):
        if SCREENSHOTS:
            os.makedirs(SCREENSHOTS, exist_ok=True)
            self.browser.save_screenshot(f"{SCREENSHOTS}/{name}.png")
