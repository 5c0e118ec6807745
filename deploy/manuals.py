#!/usr/bin/env python3
"""Writes the manuals of energyctl, a page for each of its commands, from what it says of itself.

    energyctl --experimental-dump-help | deploy/manuals.py FOLDER VERSION

help2man reads GNU's form of help, which the services have and energyctl's argument parser has not: it loses the examples.
"""

import datetime
import itertools
import json
import os
import pathlib
import re
import sys
import textwrap

HEADING = r"[A-Z][A-Z ]+"
# Of what stays as it is, on a terminal of 80 columns.
WIDTH = 67
COMMON = {"json", "endpoints", "client", "timeout", "version", "help"}


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return "\\&" + text if text.startswith(".") else text


def folded(line):
    """A command that is wider than a page, as a shell takes it over several lines; what is said of a name, beside it."""
    gap = re.search(r"(?<=\S) {2,}(?=\S)", line)
    if len(line) > WIDTH and gap:
        column = " " * gap.end()
        yield from textwrap.wrap(line, WIDTH, subsequent_indent=column, break_long_words=False, break_on_hyphens=False)
        return
    is_command = line.startswith("energyctl ")
    while is_command and len(line) > WIDTH and (cut := line.rfind(" -", 6, WIDTH - 1)) > 0:
        yield line[:cut] + " \\"
        line = "    " + line[cut + 1:]
    yield line


def prose(lines):
    """Sentences below a heading are filled: on a terminal they are indented to stand below it."""
    heading = None
    for index, line in enumerate(lines):
        if re.fullmatch(HEADING, line):
            block = list(itertools.takewhile(lambda line: line.startswith("  "), lines[index + 1:]))
            is_prose = not line.startswith("EXAMPLE") and not any("  " in line.strip() for line in block)
            heading = line if is_prose else None
        elif not line.startswith("  "):
            heading = None
        yield line.strip() if heading and line != heading else line


def discussion(text):
    """Headings stay headings, indented lines stay as they are, the rest is filled."""
    lines, preformatted = [], False
    for line in prose((text or "").split("\n")):
        indented = line.startswith("  ")
        if preformatted and not indented and line:
            is_apart = lines[-1] == ""
            lines += [".fi", ".RE"] + ([".PP"] if is_apart else [])
            preformatted = False
        if not line:
            lines.append("" if preformatted else ".PP")
        elif re.fullmatch(HEADING, line):
            lines.append(f".SH {line}")
        elif indented:
            if not preformatted:
                lines += [".RS 4", ".nf"]
                preformatted = True
            lines += map(escaped, folded(line[2:]))
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


def values(argument):
    return [value for value in argument.get("allValues") or [] if value]


def value_name(argument):
    """What there is to choose from, where the name only says the option's again."""
    name = argument["valueName"]
    is_option = argument["kind"] == "option" and name == argument["preferredName"]["name"]
    return "|".join(values(argument)) if is_option and values(argument) else name


def term(argument):
    value = f"\\fI{escaped(value_name(argument))}\\fR"
    if argument["kind"] == "positional":
        return value
    names = ", ".join(spelling(name) for name in argument["names"])
    return f"{names} {value}" if argument["kind"] == "option" else names


def described(argument):
    lines = [".TP", term(argument), escaped(argument.get("abstract") or "")]
    choices, said = values(argument), argument.get("abstract") or ""
    if choices and value_name(argument) == argument["valueName"] and not all(value in said for value in choices):
        lines.append("One of " + ", ".join(f"\\fB{escaped(value)}\\fR" for value in choices) + ".")
    if default := argument.get("defaultValue"):
        lines.append(f"Default: {escaped(default.removesuffix('.0'))}.")
    if argument.get("discussion"):
        lines += [".sp"] + [line for line in map(escaped, argument["discussion"].split("\n")) if line]
    return [line for line in lines if line]


def own(command):
    shown = [
        argument for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True)
        and not (argument.get("names") and argument["preferredName"]["name"] in COMMON)
    ]
    return joined(shown)


def joined(arguments):
    """A flag and what it is when it is not, which the parser tells as two, are one."""
    result = []
    for argument in arguments:
        name = argument["preferredName"]["name"] if argument.get("names") else ""
        if result and name.startswith("no-") and result[-1].get("abstract") == argument.get("abstract"):
            result[-1] = result[-1] | {"names": result[-1]["names"] + argument["names"]}
        else:
            result.append(argument)
    return result


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
        text = term(argument).replace(", ", "|") if argument["kind"] == "flag" else term(argument).split(", ")[-1]
        if argument["kind"] != "positional" or argument["isOptional"]:
            text = f"[{text}]" if argument["isOptional"] else text
        # What belongs together is not parted.
        lines.append((text + ("..." if argument["isRepeating"] else "")).replace(" ", "\\ "))
    return lines + ["[\\fIcommon\\ options\\fR]"]


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
        ".ad l", ".nh", ".ss 12 0", ".SH NAME", f"{escaped(title)} \\- {escaped(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS",
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
