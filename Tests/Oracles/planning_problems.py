"""Random problems. The kinds:

solo      one load of any type, with and without what couples it to the home
coupled   two to four loads and batteries that share limits, photovoltaics, a demand charge
switched  two to four loads of one power with minimum run and pause behind one fuse that binds
phases    cars on one and three phases, with steps of amperes, behind a main fuse and a circuit
block     one block at any start, also between the edges of slots
scarce    loads of different priority that cannot all have what they need
exclusive loads with minimum runs that may not run beside each other, beside others, and what their peak costs
feedin    photovoltaics, batteries and loads whose currents toward the grid are limited too, and negative prices
setback   buildings that may be left to cool for a while, each time for long enough, and are warm again at the end
amperes   one car in steps of amperes, used whole but for the last slot, with rules for its runs and several goals
stepped   loads with steps and rules for runs, whose slots may be used in part, and needs of less than one run
storage   batteries with targets and a least that they may not reach, beside cars
"""

import math
import random


def time(minute):
    day, minute = divmod(minute, 1440)
    return f"2026-03-{2 + day:02d}T{minute // 60:02d}:{minute % 60:02d}:00+01:00"


def minute(text):
    return (int(text[8:10]) - 2) * 1440 + int(text[11:13]) * 60 + int(text[14:16])


def problem(kind, seed):
    random_ = random.Random(f"{kind} {seed}")
    return {
        "solo": lambda r: home(r, 1),
        "coupled": lambda r: home(r, r.randint(2, 4)),
        "switched": switched,
        "phases": phases,
        "block": block,
        "scarce": scarce,
        "amperes": amperes,
        "stepped": stepped,
        "storage": storage,
        "setback": setback,
        "feedin": feedin,
        "exclusive": exclusive,
    }[kind](random_)


def slots(r, count, length, lowest):
    return [
        dict(start=time(k * length), end=time((k + 1) * length),
             price=0.2 if r.random() < 0.1 else round(r.uniform(lowest, 0.5), 4),
             carbon=round(r.uniform(20, 700), 1))
        for k in range(count)
    ]


# Homes of everything


def home(r, loads):
    count, length = r.choice([8, 12, 16, 24]), r.choice([15, 30, 60])
    given = dict(slots=slots(r, count, length, -0.1 if r.random() < 0.3 else 0.05), time_limit_seconds=60)
    export = r.choice([0, 0.05, 0.08])
    has_base, has_pv = r.random() < 0.4, r.random() < 0.3
    for slot in given["slots"]:
        slot["export_price"] = export
        slot["base_load_kw"] = round(r.uniform(0, 2), 3) if has_base else 0
        slot["pv_kw"] = round(max(0, r.uniform(-3, 6)), 3) if has_pv else 0
    kinds = ["fixed", "fixed", "modulating", "modulating", "course", "any", "step", "thermal", "goals", "battery"]
    given["loads"] = [dict(name=f"load {k}") | load(r, r.choice(kinds), count, length) for k in range(loads)]
    given["limits"] = limits(r, given["loads"])
    if r.random() < 0.2:
        given["objective"] = "carbon"
    elif r.random() < 0.2:
        given["objective"] = dict(money=1, carbon=0.1)
    return given


def load(r, kind, count, length):
    hours = length / 60
    first, last = r.randint(0, count // 3), r.randint(count // 2, count)
    window = dict(earliest_start=time(first * length), deadline=time(last * length))
    if kind == "course":
        return window | dict(
            profile_kw=[round(r.uniform(0.1, 3), 2) for _ in range(r.randint(1, 4))], profile_step_minutes=length,
            start_anywhere=False)
    if kind == "thermal":
        return thermal(r, count, length)
    if kind == "battery":
        return battery(r)
    most = r.choice([1.4, 2.3, 3.68, 7.36, 11.04])
    load = window | dict(max_power_kw=most, partial_slots="any")
    steps = r.uniform(0.5, (last - first) * 0.7)
    if kind == "fixed":
        load["min_power_kw"] = most
        if r.random() < 0.6:
            steps = round(steps) or 1
    if kind == "modulating":
        load["min_power_kw"] = r.choice([0, 0.3 * most, 0.5 * most])
    if kind == "step":
        step = round(most / 4, 4)
        load |= dict(min_power_kw=step * 2, power_step_kw=step, max_power_kw=step * 4)
    load["energy_kwh"] = round(steps * load["max_power_kw"] * hours, 3)
    if kind in ("fixed", "modulating", "step"):
        shape(r, load, length)
        load["partial_slots"] = r.choice(["last", "any"] if kind == "fixed" else ["never", "last", "last", "any"])
    need = load["energy_kwh"]
    if kind == "goals":
        middle = r.randint(first + 1, last)
        del load["energy_kwh"]
        early = round(min(need * 0.6, (middle - first) * most * hours * 0.8), 3)
        load["goals"] = [dict(by=time(middle * length), energy_kwh=early),
                         dict(by=time(last * length), energy_kwh=need)]
    if r.random() < 0.2:
        load["max_energy_kwh"] = round(need * 1.3, 3)
    if r.random() < 0.15:
        load["max_price"] = 0.4
    return load


def shape(r, load, length):
    if r.random() < 0.6:
        load["min_run_minutes"] = length * r.randint(1, 3)
    if r.random() < 0.4:
        load["min_pause_minutes"] = length * r.randint(1, 3)
    if r.random() < 0.3:
        load["max_runs"] = r.randint(1, 3)
    if r.random() < 0.3:
        load["start_cost"] = round(r.uniform(0, 0.3), 3)
    load["start_anywhere"] = False


def thermal(r, count, length):
    building = dict(
        resistance_k_per_kw=r.uniform(3, 8), capacity_kwh_per_k=r.uniform(0.5, 3), cop=3, initial_c=21,
        outdoor_c=[round(r.uniform(-5, 10), 1) for _ in range(count)], comfort_min_c=20, comfort_max_c=r.choice([23.5, 24]))
    load = dict(max_power_kw=3, min_power_kw=r.choice([0, 1]), thermal=building)
    if r.random() < 0.3:
        load["min_run_minutes"] = 2 * length
    if r.random() < 0.3:
        building |= dict(setback_k=1.5, setback_minutes=3 * length)
    return load


def battery(r):
    load = dict(
        capacity_kwh=10, initial_soc=r.choice([20, 50, 80]), max_charge_kw=5, max_discharge_kw=4,
        charge_efficiency=0.95, discharge_efficiency=0.93, min_soc=10)
    if r.random() < 0.3:
        load["wear_cost_per_kwh"] = 0.02
    if r.random() < 0.3:
        load["end_value_per_kwh"] = 0.2
    return load


def limits(r, loads):
    limits, several = {}, len(loads) > 1
    if not several and r.random() > 0.3:
        return limits
    if r.random() < 0.75:
        limits["import_kw"] = r.choice([4, 8, 12, 17])
    if r.random() < 0.2:
        limits["demand_charge"] = dict(price_per_kw=r.choice([0.1, 1]), peak_so_far_kw=r.choice([0, 3]))
    names = [load["name"] for load in loads if "max_charge_kw" not in load]
    if r.random() < 0.2 and several and names:
        limits["exclusive"] = [names[:2]]
    if r.random() < 0.2:
        limits["export_kw"] = 3
    if r.random() < 0.3 and several:
        limits["circuits"] = [dict(name="garage", power_kw=8, loads=[load["name"] for load in loads][:2])]
    return limits


# One thing each


def switched(r):
    count, length = r.choice([12, 16, 24]), 15
    given = dict(slots=slots(r, count, length, -0.05 if r.random() < 0.2 else 0.05), time_limit_seconds=60, loads=[])
    for k in range(r.randint(2, 4)):
        most, used = r.choice([2.3, 3.68, 7.36, 11.04]), r.randint(2, count // 2)
        load = dict(name=f"load {k}", power_kw=most, energy_kwh=round(used * most / 4, 6))
        if r.random() < 0.3:
            load["energy_kwh"] = round((used - r.random() * 0.9) * most / 4, 4)
        shape(r, load, length)
        if r.random() < 0.2:
            load = dict(name=f"load {k}", profile_kw=[round(r.uniform(0.5, 3), 2) for _ in range(r.randint(1, 5))],
                        start_anywhere=False)
        if r.random() < 0.4:
            load |= dict(earliest_start=time(r.randint(0, 3) * length), deadline=time(r.randint(count - 3, count) * length))
        given["loads"].append(load)
    given["limits"] = dict(import_kw=r.choice([7.4, 11.1, 12, 15, 17.25]))
    if r.random() < 0.5:
        given["base_load_kw"] = [round(r.uniform(0, 2), 3) for _ in range(count)]
    if r.random() < 0.2:
        given["limits"]["exclusive"] = [[load["name"] for load in given["loads"]][:2]]
    return given


def phases(r):
    count, length = r.choice([6, 8]), 30
    given = dict(slots=slots(r, count, length, 0.05), time_limit_seconds=60, loads=[])
    for slot in given["slots"]:
        slot["base_load_kw"] = [round(r.uniform(0, 1), 3) for _ in range(3)]
    for k in range(r.randint(2, 3)):
        on = r.choice([[1], [2], [3], [1, 2, 3], [1, 2, 3]])
        load = dict(name=f"car {k}", type="ev", phases=on, min_current_a=6, max_current_a=r.choice([10, 16]),
                    capacity_kwh=r.choice([40, 60]), initial_soc=r.randint(10, 60), efficiency=0.9,
                    partial_slots=r.choice(["never", "last", "any"]))
        if r.random() < 0.5 and load["partial_slots"] == "any":
            load["current_step_a"] = r.choice([1, 2])
        power = 0.23 * len(on) * load["max_current_a"]
        load["target_soc"] = round(min(100, load["initial_soc"] + r.uniform(0.1, 0.35) * count / 2 * power * 90
                                       / load["capacity_kwh"]), 2)
        given["loads"].append(load)
    given["limits"] = dict(
        fuse=dict(current_a=r.choice([16, 25, 32])),
        circuits=[dict(name="garage", current_a=r.choice([16, 20]), loads=[load["name"] for load in given["loads"]][1:])])
    return given


def stepped(r):
    count, length = r.choice([5, 6, 8]), r.choice([30, 60])
    given = dict(slots=slots(r, count, length, -0.1 if r.random() < 0.3 else 0.05), time_limit_seconds=60, loads=[])
    for k in range(r.randint(1, 2)):
        step, steps = r.choice([0.5, 1]), r.randint(2, 4)
        load = dict(name=f"load {k}", min_power_kw=step * r.choice([1, 2]), max_power_kw=step * steps, power_step_kw=step,
                    partial_slots=r.choice(["any", "any", "last"]))
        shape(r, load, length)
        used = r.uniform(0.1, 1) if r.random() < 0.3 else r.uniform(1, count * 0.8)
        load["energy_kwh"] = round(used * load["max_power_kw"] * length / 60, 3)
        given["loads"].append(load)
    if r.random() < 0.4:
        given["limits"] = dict(import_kw=r.choice([2, 3, 5]))
    return given


def amperes(r):
    count, length = r.choice([6, 8, 12]), r.choice([15, 30, 60])
    given = dict(slots=slots(r, count, length, -0.1 if r.random() < 0.3 else 0.05), time_limit_seconds=60)
    phases, amperes = r.choice([[1], [1, 2, 3]]), r.choice([1, 2, 3])
    load = dict(name="car", phases=phases, power_step_kw=round(0.23 * len(phases) * amperes, 5),
                partial_slots=r.choice(["last", "last", "never"]))
    load["min_power_kw"] = round(load["power_step_kw"] * math.ceil(6 / amperes), 5)
    load["max_power_kw"] = round(load["power_step_kw"] * (r.choice([10, 16, 32]) // amperes), 5)
    if r.random() < 0.3:
        given["limits"] = dict(import_kw=round(load["max_power_kw"] * r.uniform(0.7, 1), 2))
    if r.random() < 0.2:
        load["prefer"] = "late"
    if r.random() < 0.8:
        shape(r, load, length)
    used = r.uniform(0.1, 1) if r.random() < 0.2 else r.uniform(1, count * 0.8)
    load["energy_kwh"] = round(used * load["max_power_kw"] * length / 60, 3)
    if r.random() < 0.3:
        need, middle = load.pop("energy_kwh"), r.randint(1, count - 1)
        load["goals"] = [dict(by=time(middle * length), energy_kwh=round(need * r.uniform(0.2, 0.6), 3)),
                         dict(by=time(count * length), energy_kwh=need)]
    elif r.random() < 0.2:
        load["max_energy_kwh"] = round(load["energy_kwh"] * 1.3, 3)
    given["loads"] = [load]
    return given


def block(r):
    count, length = r.choice([12, 24, 48]), r.choice([15, 30, 60])
    given = dict(slots=slots(r, count, length, -0.1 if r.random() < 0.3 else 0.05))
    first, last = r.randint(0, count // 3) * length - r.randint(0, 7), r.randint(count // 2, count) * length
    first = max(0, first)
    window = dict(earliest_start=time(first), deadline=time(last))
    if r.random() < 0.5:
        step = r.choice([5, 10, 25])
        course = [round(r.uniform(0.1, 3), 2) for _ in range(min((last - first) // step, r.randint(1, 6)))]
        given["loads"] = [dict(name="dishwasher", profile_kw=course, profile_step_minutes=step) | window]
    else:
        power = r.choice([1.5, 3, 6, 12])
        minutes = r.randint(10, min(last - first, (count // 3) * length))
        given["loads"] = [dict(name="car", power_kw=power, energy_kwh=power * minutes / 60, one_block=True) | window]
    given["loads"][0]["start_cost"] = r.choice([0, 0.1])
    return given


def scarce(r):
    count, length = r.choice([8, 12]), 30
    given = dict(slots=slots(r, count, length, 0.05), time_limit_seconds=60, loads=[])
    for k in range(r.randint(2, 3)):
        most = r.choice([3.68, 7.36, 11.04])
        given["loads"].append(dict(
            name=f"car {k}", max_power_kw=most, min_power_kw=r.choice([0, most * 0.375, most]),
            energy_kwh=round(r.uniform(0.6, 1.2) * count * length / 60 * most, r.choice([0, 3])), priority=r.randint(0, 2),
            partial_slots="any", deadline=time(r.randint(count // 2, count) * length)))
    given["limits"] = dict(import_kw=r.choice([7.4, 11.1]))
    return given


def storage(r):
    count, length = r.choice([6, 8, 12]), r.choice([30, 60])
    given = dict(slots=slots(r, count, length, -0.1 if r.random() < 0.3 else 0.05), time_limit_seconds=60, loads=[])
    for slot in given["slots"]:
        slot["export_price"] = 0.05
        slot["base_load_kw"] = round(r.uniform(0, 2), 3)
        slot["pv_kw"] = round(max(0, r.uniform(-3, 6)), 3)
    for k in range(r.randint(1, 2)):
        load = battery(r) | dict(name=f"battery {k}", initial_soc=r.choice([0, 5, 20, 50, 80]),
                                 max_charge_kw=r.choice([1, 3, 5]), priority=r.randint(0, 1))
        if r.random() < 0.5:
            load |= dict(target_soc=r.choice([40, 80, 100]), deadline=time(r.randint(1, count) * length))
        else:
            ends = sorted(r.sample(range(1, count + 1), r.randint(1, 3)))
            load["goals"] = [dict(by=time(end * length), soc=r.choice([20, 50, 90])) for end in ends]
        if r.random() < 0.3:
            load["final_soc"] = r.choice([10, 60, 100])
        if r.random() < 0.3:
            targets = [load.get("target_soc", 0), load.get("final_soc", 0)] + [g["soc"] for g in load.get("goals", [])]
            load |= dict(max_soc=max(targets + [60]), initial_soc=r.choice([50, 90, 100]))
        given["loads"].append(load)
    if r.random() < 0.6:
        given["loads"].append(dict(name="car", max_power_kw=3.68, energy_kwh=round(r.uniform(1, 20), 3),
                                   priority=r.randint(0, 1), partial_slots="any"))
    if r.random() < 0.6:
        given["limits"] = dict(import_kw=r.choice([3, 5, 8]))
    return given


def feedin(r):
    count, length = r.choice([6, 8, 12]), r.choice([30, 60])
    given = dict(slots=slots(r, count, length, r.choice([-0.3, 0.05])), time_limit_seconds=60, loads=[])
    lowest = r.choice([-0.2, 0.02])
    for slot in given["slots"]:
        slot["export_price"] = round(r.uniform(lowest, 0.3), 3)
        slot["base_load_kw"] = [round(r.uniform(0, 1.5), 3) for _ in range(3)]
        slot["pv_kw"] = round(max(0, r.uniform(-4, 18)), 3)
    for k in range(r.randint(0, 2)):
        given["loads"].append(battery(r) | dict(name=f"battery {k}", phases=r.choice([[1], [2], [1, 2, 3]])))
    for k in range(r.randint(1, 2)):
        car = dict(name=f"car {k}", max_power_kw=r.choice([3.68, 7.36]), partial_slots="any",
                   energy_kwh=round(r.uniform(1, 12), 3), phases=r.choice([[1], [3], [1, 2, 3]]))
        if r.random() < 0.5:
            car |= dict(min_power_kw=car["max_power_kw"])
        if r.random() < 0.3:
            car |= dict(max_energy_kwh=20)
        given["loads"].append(car)
    given["limits"] = limits = {}
    if r.random() < 0.7:
        limits["fuse"] = dict(current_a=r.choice([10, 16, 20]))
    if r.random() < 0.3:
        limits["export_kw"] = r.choice([2, 6])
    if r.random() < 0.3:
        limits["import_kw"] = r.choice([6, 12])
    names = [load["name"] for load in given["loads"]]
    if r.random() < 0.6:
        circuit = dict(name="garage", loads=r.sample(names, r.randint(1, len(names))))
        limits["circuits"] = [circuit | r.choice([dict(power_kw=3), dict(current_a=8), dict(power_kw=2, current_a=6)])]
    if "export_kw" not in limits and r.random() < 0.5:
        given["pv_curtailable"] = r.random() < 0.5
    return given


def exclusive(r):
    count, length = r.choice([8, 10, 12]), r.choice([15, 30, 60])
    given = dict(slots=slots(r, count, length, 0.05), time_limit_seconds=60, loads=[])
    for slot in given["slots"]:
        slot["base_load_kw"] = round(r.uniform(0, 1.5), 3)
    for k in range(r.randint(2, 3)):
        most, share = r.choice([2.3, 3.68, 7.36, 11.04]), r.choice([1, 0.4, 0.2])
        first, last = r.randint(0, count // 3), r.randint(count // 2 + 1, count)
        load = dict(name=f"load {k}", max_power_kw=most, min_power_kw=share * most, start_anywhere=False,
                    earliest_start=time(first * length), deadline=time(last * length),
                    partial_slots=r.choice(["last", "any"] if share == 1 else ["never", "last", "any"]),
                    energy_kwh=max(1, round(r.uniform(1.5, (last - first) * 0.55) * most * length / 60, r.choice([0, 3]))),
                    min_run_minutes=length * r.randint(2, 3), priority=r.choice([0, 0, 1]))
        if r.random() < 0.4:
            load["min_pause_minutes"] = length * r.randint(1, 3)
        given["loads"].append(load)
    names = [load["name"] for load in given["loads"]]
    given["limits"] = dict(import_kw=r.choice([8, 12, 17]), exclusive=[r.sample(names, r.randint(2, len(names)))])
    given["limits"]["demand_charge"] = dict(price_per_kw=r.choice([0.1, 0.5, 1]), peak_so_far_kw=r.choice([0, 3]))
    return given


def setback(r):
    count, length = r.choice([8, 12, 16]), r.choice([30, 60])
    given = dict(slots=slots(r, count, length, 0.05), time_limit_seconds=60, loads=[])
    for k in range(r.randint(1, 2)):
        load = thermal(r, count, length) | dict(name=f"building {k}")
        load["thermal"] |= dict(setback_k=r.choice([1, 1.5, 3]), setback_minutes=r.randint(2, 6) * length,
                                initial_c=r.choice([18, 20, 21]))
        if r.random() < 0.7:
            load["thermal"]["setback_min_minutes"] = r.randint(1, load["thermal"]["setback_minutes"] // length) * length
        if r.random() < 0.7:
            load["thermal"]["final_c"] = r.choice([18, 20, 20.5, 22, 23])
        given["loads"].append(load)
    if r.random() < 0.4:
        given["limits"] = dict(import_kw=r.choice([2, 3, 4]))
    return given
