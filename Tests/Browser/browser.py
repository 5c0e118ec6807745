"""A headless Chromium, and how to wait for what a page shows."""

import os
import time

from selenium import webdriver
from selenium.common.exceptions import JavascriptException, TimeoutException
from selenium.webdriver.chrome.service import Service

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
DRIVER = os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")
WAIT_SECONDS_MAX = 60

# Answers as soon as the condition holds: it is looked at after each change of the page, and not by the clock.
WAIT = """
const [condition, done] = arguments;
const holds = new Function("return (" + condition + ");");
function look() {
  let value = null;
  try { value = holds(); } catch {}
  if (!value) return false;
  observer.disconnect();
  document.removeEventListener("readystatechange", look);
  done(value === true ? true : String(value));
  return true;
}
const observer = new MutationObserver(look);
if (!look()) {
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  document.addEventListener("readystatechange", look);
}
"""


class Browser(webdriver.Chrome):
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        # Chromium's own sandbox needs rights that a build machine's root does not give.
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--lang=en-US"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service(DRIVER))
        self.set_script_timeout(WAIT_SECONDS_MAX)

    def screen(self, width, height=900, theme="light"):
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": theme},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def wait(self, condition):
        """Until the JavaScript expression is true; returns what it is. On the next page, should this one be left."""
        deadline = time.monotonic() + WAIT_SECONDS_MAX - 1
        while True:
            try: return self.execute_async_script(WAIT, condition)
            # A page that is left takes the script with it, which Chromium may call a timeout, too.
            except (JavascriptException, TimeoutException):
                if time.monotonic() > deadline: raise

    def wait_for_text(self, text):
        return self.wait(f"document.querySelector('main').innerText.includes({text!r})")

    def leave_by(self, element):
        """Clicks what leads to another page, and returns when that one is there: a click alone does not wait for it."""
        self.execute_script("window.isLeft = true")
        element.click()
        self.wait("!window.isLeft && document.readyState === 'complete'")

    def before_pages(self, script):
        """Runs the script before those of each page that is opened; returns what takes that back."""
        return self.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})["identifier"]

    def no_longer_before_pages(self, identifier):
        self.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})

    def complaints(self):
        """What the browser logged: errors of scripts, and what the content security policy kept out."""
        return [entry["message"] for entry in self.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
