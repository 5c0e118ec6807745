"""A second opinion on plans: HiGHS (scipy), with a model written from the format's description alone.

Usage: planning_oracle.py. Reads one request a line and answers each with one line:

    problem <kind> <seed>   a random problem in the format of `energyctl schedule solve`; kinds: planning_problems.py
    plan <document>         what was planned for it: "agrees", or what is wrong with it
    refused <message>       that no plan was found for it: "agrees" if there is none

Run as `planning_oracle.py <kind> <first seed> <count> <command>` it asks a command that takes a problem on its
standard input and prints the plan, as `energyctl schedule solve -` does.
"""

import json
import os
import subprocess
import sys

from planning_check import check
from planning_model import best, storage_targets
from planning_problems import minute, problem


def short_of_storage(given, battery, faults):
    """What a battery lacks in all, by what it stores; the plan itself tells the worst of it."""
    load = next(load for load in given["loads"] if load["name"] == battery["name"])
    length = minute(given["slots"][0]["end"]) - minute(given["slots"][0]["start"])
    stored, least = battery["stored_kwh"], load["min_soc"] / 100 * load["capacity_kwh"]
    lacks = [max(0, percent / 100 * load["capacity_kwh"] - stored[end - 1])
             for end, percent in storage_targets(load, len(given["slots"]), length)]
    low = sum(max(0, least - held) for held in stored) * length / 60 if load["initial_soc"] < load["min_soc"] else 0
    if abs(max(lacks + [least - stored[-1]]) - battery["missing_kwh"]) > 1e-5:
        faults.append(f"{battery['name']} lacks {lacks} and says {battery['missing_kwh']}")
    return sum(lacks) + low


def verdict(given, plan):
    answer = best(given)
    if answer is None:
        return "there is no plan, but one was found"
    objective, missing = answer
    faults = check(given, plan)
    if plan["status"] != "optimal":
        faults.append(f"status {plan['status']}")
    if abs(plan["objective"] - objective) > 1e-6 * max(1, abs(objective)):
        faults.append(f"objective {plan['objective']!r} instead of {objective!r} (method {plan['method']})")
    planned = sum((load.get("missing_kwh") or 0) + (load.get("discomfort_kh") or 0) for load in plan["loads"])
    planned += sum(short_of_storage(given, battery, faults) for battery in plan["batteries"])
    # Of several goals the plan says what the worst one lacks; their sum is what is made small.
    has_goals = any("goals" in load and "max_charge_kw" not in load for load in given["loads"])
    if planned > missing + 1e-5 or (planned < missing - 1e-5 and not has_goals):
        faults.append(f"missing {planned} instead of {missing}")
    return "; ".join(faults) or "agrees"


def serve():
    # HiGHS writes a line of its own at times, and not by Python's standard output.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    given = None
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\n").partition(" ")
        try:
            if verb == "problem":
                kind, seed = rest.split(" ")
                given = problem(kind, int(seed))
                print(json.dumps(given), file=answers, flush=True)
            elif verb == "plan":
                print(verdict(given, json.loads(rest)), file=answers, flush=True)
            else:
                print("agrees" if best(given) is None else "there is a plan", file=answers, flush=True)
        except Exception as error:  # whatever it is, the test shall show it
            print(f"error {type(error).__name__}: {error}".replace("\n", " "), file=answers, flush=True)


def ask(kind, first, count, command):
    bad = 0
    for seed in range(first, first + count):
        given = problem(kind, seed)
        run = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True)
        if run.returncode == 0:
            said = verdict(given, json.loads(run.stdout))
        else:
            said = "agrees" if best(given) is None else f"there is a plan, but: {run.stderr.strip()}"
        if said != "agrees":
            bad += 1
            print(f"{kind} {seed}: {said}")
    print(f"{count} problems of kind {kind}, {bad} differ")
    return bad


if len(sys.argv) > 1:
    sys.exit(1 if ask(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]) else 0)
serve()
