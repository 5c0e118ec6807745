#!/usr/bin/env python3
"""Has promtool read every query of the Grafana dashboard, and looks that its panels have queries and lie side by side."""
import json, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PANELS = json.loads((ROOT / "deploy/monitoring/grafana-dashboard.json").read_text())["panels"]

rules, taken = [], set()
for panel in PANELS:
    place = panel["gridPos"]
    cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
    if cells & taken or place["x"] + place["w"] > 24: sys.exit(f"'{panel['title']}' lies over another panel, or beside the page")
    taken |= cells
    if panel["type"] != "row" and not panel["targets"]: sys.exit(f"'{panel['title']}' asks for nothing")
    for target in panel.get("targets", []):
        # What Grafana puts in.
        query = target["expr"].replace("$__rate_interval", "1m").replace("$service", ".+")
        rules.append({"record": f"panel:{panel['id']}:{target['refId']}", "expr": query})
with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    # JSON is YAML.
    json.dump({"groups": [{"name": "panels", "rules": rules}]}, file)
    file.flush()
    sys.exit(subprocess.run(["promtool", "check", "rules", file.name]).returncode)
