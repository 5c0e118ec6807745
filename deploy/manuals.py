#!/usr/bin/env python3
"""Writes the manuals of energyctl, a page for each of its commands, from what it says of itself.

    energyctl --experimental-dump-help | deploy/manuals.py FOLDER VERSION

help2man reads GNU's form of help, which the services have and energyctl's argument parser has not: it loses the examples.
"""

import datetime
import json
import os
import pathlib
import re
import sys

COMMON = {"json", "endpoints", "client", "timeout", "version", "help"}


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def discussion(text):
    """Headings stay headings, indented lines stay as they are, the rest is filled."""
    lines, preformatted = [], False
    for line in (text or "").split("\n"):
        indented = line.startswith("  ")
        if preformatted and not indented and line:
            lines += [".fi", ".RE"]
            preformatted = False
        if not line:
            lines.append("" if preformatted else ".PP")
        elif re.fullmatch(r"[A-Z][A-Z ]+", line):
            lines.append(f".SH {line}")
        elif indented:
            if not preformatted:
                lines += [".RS 4", ".nf"]
                preformatted = True
            lines.append(escaped(line[2:]))
        else:
            lines.append(escaped(line))
    if preformatted:
        lines += [".fi", ".RE"]
    return tidied(lines)


def tidied(lines):
    """No blank lines, and no paragraph begun before a heading or the end: groff and lintian warn of both."""
    result = []
    for line in lines:
        if line == "":
            line = ".sp"
        if line.startswith(".SH") or line in (".fi", ".RE"):
            while result and result[-1] in (".PP", ".sp"):
                result.pop()
        if line == ".PP" and (not result or result[-1] == ".PP" or result[-1].startswith(".SH")):
            continue
        result.append(line)
    while result and result[-1] in (".PP", ".sp"):
        result.pop()
    return result


def spelling(name):
    dashes = "-" if name["kind"] == "short" else "--"
    return f"\\fB{escaped(dashes + name['name'])}\\fR"


def term(argument):
    value = f"\\fI{escaped(argument['valueName'])}\\fR"
    if argument["kind"] == "positional":
        return value
    names = ", ".join(spelling(name) for name in argument["names"])
    return f"{names} {value}" if argument["kind"] == "option" else names


def described(argument):
    lines = [".TP", term(argument), escaped(argument.get("abstract") or "")]
    values = [value for value in argument.get("allValues") or [] if value]
    if values:
        lines.append("One of " + ", ".join(f"\\fB{escaped(value)}\\fR" for value in values) + ".")
    if argument.get("defaultValue"):
        lines.append(f"Default: {escaped(argument['defaultValue'])}.")
    if argument.get("discussion"):
        lines += [".sp"] + [line for line in map(escaped, argument["discussion"].split("\n")) if line]
    return [line for line in lines if line]


def own(command):
    return [
        argument for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True)
        and not (argument.get("names") and argument["preferredName"]["name"] in COMMON)
    ]


def common(command):
    return [
        argument for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True)
        and argument.get("names") and argument["preferredName"]["name"] in COMMON
    ]


def subcommands(command):
    return [sub for sub in command.get("subcommands", []) if sub.get("shouldDisplay", True) and sub["commandName"] != "help"]


def synopsis(path, command):
    lines = [".HP", f".B {escaped(' '.join(path))}"]
    for argument in own(command):
        text = term(argument).split(", ")[-1]
        if argument["kind"] != "positional" or argument["isOptional"]:
            text = f"[{text}]" if argument["isOptional"] else text
        lines.append(text + ("..." if argument["isRepeating"] else ""))
    return lines + ["[\\fIcommon options\\fR]"]


def leaves(path, command):
    """What can be run: a command without others below it, or each of those."""
    below = subcommands(command)
    if not below:
        yield path, command
    for sub in below:
        yield from leaves(path + [sub["commandName"]], sub)


def page(path, command, version):
    title, name = "-".join(path), " ".join(path)
    stamp = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    date = datetime.datetime.fromtimestamp(stamp, datetime.timezone.utc).date()
    lines = [
        f'.TH {title.upper().replace("-", chr(92) + "-")} 1 {date} "Gridtide {version}" "User Commands"',
        ".ad l", ".nh", ".SH NAME", f"{escaped(title)} \\- {escaped(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS",
    ]
    everything = list(leaves(path, command)) if len(path) > 1 else []
    if len(path) == 1:
        lines += [f".B {name}", "\\fIcommand\\fR [\\fIoption\\fR...]"]
    for leaf, what in everything:
        lines += synopsis(leaf, what)
    lines += [".SH DESCRIPTION", escaped(command["abstract"])]
    text = discussion(command.get("discussion"))
    if text and not text[0].startswith(".SH"):
        lines.append(".PP")
    lines += text
    if len(path) == 1:
        lines.append(".SH COMMANDS")
        for sub in subcommands(command):
            lines += [".TP", f"\\fBenergyctl\\-{escaped(sub['commandName'])}\\fR(1)", escaped(sub["abstract"])]
    elif len(everything) == 1:
        if own(command):
            lines.append(".SH OPTIONS")
            for argument in own(command):
                lines += described(argument)
    else:
        for leaf, what in everything:
            heading = " ".join(leaf[1:]).upper()
            lines += [f'.SH "{escaped(heading)}"', escaped(what["abstract"])]
            below = discussion(what.get("discussion"))
            lines += [".PP"] if below and not below[0].startswith(".SH") else []
            # Below the command's own heading these are of the second rank.
            lines += [re.sub(r"^\.SH", ".SS", line) for line in below]
            if own(what):
                lines.append(".SS OPTIONS")
            for argument in own(what):
                lines += described(argument)
    return lines


def main():
    folder, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True, exist_ok=True)
    root = json.load(sys.stdin)["command"]
    name = root["commandName"]
    any_leaf = next(leaves([name], root))[1]
    lines = page([name], root, version)
    lines.append(".SH COMMON OPTIONS")
    for argument in common(any_leaf):
        lines += described(argument)
    services = ["guidance-publisher", "event-ingestor", "insight-service", "scheduler"]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(service)}\\fR(8)" for service in services)]
    (folder / f"{name}.1").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for sub in subcommands(root):
        path = [name, sub["commandName"]]
        lines = page(path, sub, version)
        lines += [
            ".SH COMMON OPTIONS",
            "\\fB\\-\\-json\\fR, \\fB\\-\\-endpoints\\fR, \\fB\\-\\-client\\fR, \\fB\\-\\-timeout\\fR and the exit status are "
            "those of every command: see \\fBenergyctl\\fR(1).",
            ".SH SEE ALSO", "\\fBenergyctl\\fR(1)",
        ]
        (folder / f"{'-'.join(path)}.1").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
