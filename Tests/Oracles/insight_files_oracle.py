"""Reads exported files with readers that are not ours, and says as JSON what stands in them.

A line of input is FORMAT PATH; a line of output is the answer.
"""
import csv
import datetime
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

ATOM = "{http://www.w3.org/2005/Atom}"
ESPI = "{http://naesb.org/espi}"


def read_csv(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    header, rows = rows[0], rows[1:]
    assert len(set(header)) == len(header), "a column is there twice"
    assert all(len(row) == len(header) for row in rows), "rows are not all as long as the header"
    return [dict(zip(header, row)) for row in rows]


def text(element, name):
    found = element.find(ESPI + name)
    return None if found is None else found.text


def rule(bits):
    """A DstRuleType in words."""
    if bits == 0xFFFFFFFF:
        return None
    return {
        "month": bits >> 28, "operator": bits >> 25 & 7, "day": bits >> 20 & 31, "weekday": bits >> 17 & 7,
        "hour": bits >> 12 & 31, "seconds": bits & 4095,
    }


def links(entry, kind):
    return [link.get("href") for link in entry.findall(ATOM + "link") if link.get("rel") == kind]


def read_espi(path):
    feed = ElementTree.parse(path).getroot()
    assert feed.tag == ATOM + "feed", feed.tag
    said = {"ids": [], "times": [], "usagePoints": 0, "readingTypes": {}, "meters": {}, "blocks": []}
    for entry in feed.findall(ATOM + "entry"):
        said["ids"].append(entry.findtext(ATOM + "id"))
        content = [child for child in entry.find(ATOM + "content") if child.tag.startswith(ESPI)]
        assert len(content) == 1, "an entry has one resource"
        resource, itself = content[0], (links(entry, "self") or [""])[0]
        if resource.tag == ESPI + "LocalTimeParameters":
            said["times"].append({
                "tz": int(text(resource, "tzOffset")), "dst": int(text(resource, "dstOffset")),
                "start": rule(int(text(resource, "dstStartRule"), 16)),
                "end": rule(int(text(resource, "dstEndRule"), 16)),
            })
        elif resource.tag == ESPI + "UsagePoint":
            said["usagePoints"] += 1
        elif resource.tag == ESPI + "ReadingType":
            said["readingTypes"][itself] = {
                name: int(text(resource, name) or 0)
                for name in ("uom", "powerOfTenMultiplier", "flowDirection", "currency", "intervalLength")
            }
        elif resource.tag == ESPI + "MeterReading":
            said["meters"][itself] = links(entry, "related")
        elif resource.tag == ESPI + "IntervalBlock":
            readings = [
                {
                    "start": int(reading.find(ESPI + "timePeriod").findtext(ESPI + "start")),
                    "duration": int(reading.find(ESPI + "timePeriod").findtext(ESPI + "duration")),
                    "value": int(text(reading, "value")), "cost": int(text(reading, "cost") or 0),
                }
                for reading in resource.findall(ESPI + "IntervalReading")
            ]
            span = resource.find(ESPI + "interval")
            said["blocks"].append({
                "up": (links(entry, "up") or [""])[0], "readings": readings,
                "start": int(span.findtext(ESPI + "start")) if span is not None else 0,
                "duration": int(span.findtext(ESPI + "duration")) if span is not None else 0,
            })
    return said


def read_openmetrics(path):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    with open(path, encoding="utf-8") as file:
        families = list(text_string_to_metric_families(file.read()))
    return [
        {"name": sample.name, "type": family.type, "unit": family.unit, "labels": sample.labels,
         "value": sample.value, "time": float(sample.timestamp)}
        for family in families for sample in family.samples
    ]


PAIR = re.compile(r"((?:\\.|[^\\,= ])+)=((?:\\.|[^\\,= ])+)")


def read_influx(path):
    points = []
    with open(path, encoding="utf-8", newline="") as file:
        for line in file.read().split("\n")[:-1]:
            match = re.fullmatch(r"((?:\\.|[^\\ ])+) ((?:\\.|[^\\ ])+) (-?[0-9]+)", line)
            assert match, line
            series, fields, time = match.groups()
            measurement, _, tags = series.partition(",")
            unescape = lambda value: re.sub(r"\\([,= ])", r"\1", value)
            pairs = PAIR.findall(tags)
            assert ",".join(f"{key}={value}" for key, value in pairs) == tags, tags
            assert [key for key, _ in pairs] == sorted(key for key, _ in pairs), "tags are not sorted"
            points.append({
                "measurement": measurement, "tags": {key: unescape(value) for key, value in pairs},
                "fields": {key: float(value) for key, value in PAIR.findall(fields)}, "time": int(time),
            })
    return points


def read_stamps(stamps):
    """Milliseconds since 1970 of ISO 8601 times with offsets, which commas part."""
    times = [datetime.datetime.fromisoformat(stamp) for stamp in stamps.split(",")]
    assert all(time.tzinfo is not None for time in times), "a time without offset"
    return [round(time.timestamp() * 1000) for time in times]


READERS = {
    "csv": read_csv, "espi": read_espi, "openmetrics": read_openmetrics, "influx": read_influx, "stamps": read_stamps,
}

for line in sys.stdin:
    form, _, path = line.rstrip("\n").partition(" ")
    try:
        answer = READERS[form](path)
    except Exception as error:
        answer = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
