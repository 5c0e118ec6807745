"""The HTTP API as programs use it: against the real services, and against its own OpenAPI document.

    python Tests/Browser/test_api.py            # BIN=.build/debug
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from household import SERVICES, Household

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
BINARIES = os.environ.get("BIN", str(PACKAGE / ".build/debug"))
CAR = "simulated-car"
# What the document says of answers, and that what it forbids is refused. Not that all else is taken: which device can have
# which goal, and by when, no schema tells.
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
          "negative_data_rejection", "unsupported_method"]


class HomeTests:
    """A home of its own for each class of tests."""

    settings = {}

    @classmethod
    def setUpClass(cls):
        cls.home = Household(BINARIES, cls.settings)
        cls.addClassCleanup(cls.home.remove)
        for name in SERVICES + ["energy-dashboard", "device-simulator"]:
            cls.home.start(name)
        deadline = time.monotonic() + 60
        while True:
            venues = cls.ask("GET", "/venues")[2]["venues"]
            if venues:
                cls.venue = f"/venues/{venues[0]['id']}"
                if CAR in [device["id"] for device in cls.ask("GET", cls.venue + "/devices")[2].get("devices", [])]:
                    break
            if time.monotonic() > deadline:
                raise RuntimeError("the simulated car does not show")
            time.sleep(0.1)
        cls.car = f"{cls.venue}/devices/{CAR}"

    @classmethod
    def ask(cls, method, path, body=None, **headers):
        """The status, the headers and the document."""
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(cls.home.url + "/api/v1" + path, body, headers, method=method)
        try:
            reply = urllib.request.urlopen(request, timeout=20)
        except urllib.error.HTTPError as refused:
            reply = refused
        with reply:
            text = reply.read()
            return reply.status, reply.headers, json.loads(text) if text else None

    @staticmethod
    def in_hours(hours):
        time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
        return time.isoformat(timespec="seconds")


class DocumentTests(HomeTests, unittest.TestCase):
    def test_answers_are_as_the_document_says(self):
        config = self.home.folder / "schemathesis.toml"
        venue = self.venue.split("/")[-1]
        config.write_text(f'[parameters]\n"path.venue" = "{venue}"\n"path.device" = "{CAR}"\n')
        run = subprocess.run(
            [str(pathlib.Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run",
             self.home.url + "/api/v1/openapi.json", "--phases", "examples,coverage,fuzzing", "--max-examples", "40",
             "--checks", ",".join(CHECKS), "--continue-on-failure", "--no-color"],
            capture_output=True, text=True, cwd=self.home.folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class APITests(HomeTests, unittest.TestCase):
    # The car arrives as the home starts, and with it comes a goal.
    settings = {"device-simulator": "simulation:\n  history: 0\n"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        deadline = time.monotonic() + 60
        while not cls.ask("GET", cls.car + "/plan")[2]["goals"]:
            if time.monotonic() > deadline:
                raise RuntimeError("the simulated car has no goal")
            time.sleep(0.1)
        # A goal that the car sets takes the place of these tests' own, and what was asked for with them ends.
        cls.home.stop("device-simulator")

    def test_a_goal_is_tried_set_and_taken_back(self):
        wish = {"state_of_charge": 90, "ready_by": self.in_hours(20)}
        before = self.ask("GET", self.car + "/plan")[2]["goals"]
        status, _, preview = self.ask("POST", self.car + "/goals/preview", wish)
        self.assertEqual(status, 200, preview)
        self.assertLessEqual(preview["best"]["rating"], preview["at_once"]["rating"])
        self.assertEqual(self.ask("GET", self.car + "/plan")[2]["goals"], before)
        status, _, plan = self.ask("POST", self.car + "/goals", wish | {"keeps_others": True})
        self.assertEqual(status, 201, plan)
        [added] = [goal for goal in plan["goals"] if goal["id"] not in [other["id"] for other in before]]
        self.assertEqual(added["state_of_charge"], 90)
        wished = datetime.datetime.fromisoformat(wish["ready_by"])
        self.assertEqual(datetime.datetime.fromisoformat(added["ready_by"]), wished)
        self.assertEqual(self.ask("DELETE", f"{self.car}/goals/{added['id']}")[0], 204)
        self.assertEqual(self.ask("GET", self.car + "/plan")[2]["goals"], before)

    def test_the_car_charges_now_until_it_is_resumed(self):
        goal = {"state_of_charge": 100, "ready_by": self.in_hours(30), "keeps_others": True}
        self.assertEqual(self.ask("POST", self.car + "/goals", goal)[0], 201)
        status, _, plan = self.ask("POST", self.car + "/override", {"action": "chargeNow"})
        self.assertEqual((status, plan.get("override")), (200, "chargeNow"), plan)
        status, _, plan = self.ask("POST", self.car + "/override", {"action": "resume"})
        self.assertEqual((status, plan.get("override")), (200, None), plan)

    def test_an_event_is_declared_listed_and_cancelled(self):
        wish = {"kind": "reduce", "start": self.in_hours(3), "end": self.in_hours(5), "reason": "A test"}
        status, _, event = self.ask("POST", self.venue + "/events", wish)
        self.assertEqual((status, event["kind"], event["scope"], event["reason"]), (201, "reduce", "venue", "A test"))
        listed = self.ask("GET", self.venue + "/events")[2]["events"]
        self.assertIn(event, listed)
        self.assertEqual(self.ask("DELETE", f"{self.venue}/events/{event['id']}")[0], 204)
        self.assertNotIn(event, self.ask("GET", self.venue + "/events")[2]["events"])
        self.assertEqual(self.ask("DELETE", f"{self.venue}/events/{event['id']}")[0], 404)

    def test_sources_rate_plans_and_limits_are_those_of_the_home(self):
        [venue] = [venue for venue in self.ask("GET", "/venues")[2]["venues"] if self.venue.endswith(venue["id"])]
        sources = self.ask("GET", self.venue + "/sources")[2]
        self.assertEqual(sources["region"], venue["region"])
        self.assertTrue(any(source["is_in_use"] for source in sources["sources"]), sources)
        plans = self.ask("GET", "/rate-plans")[2]["rate_plans"]
        self.assertIn(venue["rate_plan"], [plan["id"] for plan in plans])
        limits = self.ask("GET", self.venue + "/limits")[2]
        self.assertTrue(limits["is_default"], limits)

    def test_what_is_wrong_is_named(self):
        soon = self.in_hours(2)
        for body, words in [
            (b"", "body must be a JSON object, but is empty"),
            (b"[1]", "body must be a JSON object"),
            ({"state_of_charge": 80, "ready_by": soon + "*"}, "ready_by must be a time with an offset"),
            ({"state_of_charge": 80}, "ready_by must be present, or weekly, and not both, but is absent"),
            ({"ready_by": soon}, "exactly one of state_of_charge, energy_mwh, reduce_max_ms and run"),
            ({"state_of_charge": 80, "run": True, "ready_by": soon}, "exactly one of"),
            ({"state_of_charge": 101, "ready_by": soon}, "state_of_charge must be 1 to 100, but is 101"),
            ({"state_of_charge": "80", "ready_by": soon}, "state_of_charge must be a whole number"),
            ({"state_of_charge": 80.5, "ready_by": soon}, "body must have whole numbers"),
            ({"state_of_charge": 80, "ready_by": "tomorrow"}, "ready_by must be a time with an offset"),
            ({"state_of_charge": 80, "ready_by": "9999-12-31T00:00:00Z"}, "ready_by must be"),
            ({"state_of_charge": 80, "ready_by": "2020-01-01T00:00:00Z"}, "ready_by must be in the future"),
            ({"state_of_charge": 80, "readyby": soon}, "must have only state_of_charge, energy_mwh"),
            ({"state_of_charge": None, "ready_by": soon}, "state_of_charge must have a value, or be left out"),
            ({"energy_mwh": 10**30, "ready_by": soon}, "body must have whole numbers of at most 64 bits"),
            ({"run": True, "weekly": {"days": [], "time": "07:00"}}, "weekly.days must have a day"),
            ({"run": True, "weekly": {"days": ["someday"], "time": "07:00"}}, "weekly.days must be of monday"),
            ({"run": True, "weekly": {"days": ["monday"], "time": "25:00"}}, "weekly.time must be a time of day"),
            ({"run": True, "weekly": {"days": ["monday"]}}, "weekly.time must be present"),
            ({"run": True, "ready_by": soon}, "run is for appliances"),
        ]:
            with self.subTest(body=body):
                status, headers, problem = self.ask("POST", self.car + "/goals", body)
                self.assertEqual((status, headers["content-type"]), (400, "application/problem+json"), problem)
                self.assertIn(words, problem["detail"])
                self.assertNotIn("unix_ms", problem["detail"])
        for method, path, body, status, words in [
            ("GET", self.venue + "/history?range=decade", None, 400, "range must be one of day, week"),
            ("GET", self.venue + "/history?at=1979-12-31", None, 400, "at must be a date from 1980 on"),
            ("GET", "/venues/home/devices", None, 400, "venue must be a UUID"),
            ("GET", self.venue + "/devices/nobody/plan", None, 404, "no device of the venue has the id 'nobody'"),
            ("DELETE", self.car + "/goals/one", None, 400, "goal must be a UUID"),
            ("POST", self.venue + "/events", {"kind": "party", "start": soon, "end": soon}, 400, "kind must be one of"),
            ("POST", self.venue + "/events", {"kind": "reduce", "start": soon, "end": soon}, 400, "end must be after"),
            ("POST", self.venue + "/events", {"kind": "reduce", "start": soon, "end": self.in_hours(200)}, 400, "7 d"),
            ("DELETE", self.venue + "/events/one", None, 400, "event must be a UUID"),
            ("POST", self.car + "/override", {"action": "explode"}, 400, "action must be one of chargeNow, pause"),
            ("PUT", self.car + "/goals", {}, 405, "method must be one of POST"),
            ("POST", "/venus", {}, 404, "there is nothing at /api/v1/venus"),
        ]:
            with self.subTest(path=path):
                answer = self.ask(method, path, body)
                self.assertEqual(answer[0], status, answer[2])
                self.assertIn(words, answer[2]["detail"])
        text = self.ask("POST", self.car + "/override", b"{}", **{"Content-Type": "text/plain"})
        self.assertIn("content-type must be application/json", text[2]["detail"])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
