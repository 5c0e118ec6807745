"""Whether a plan keeps its problem's limits, and costs what it says; from the plan's own numbers."""

from planning_model import weights
from planning_problems import minute

ALMOST = 1e-5


def check(given, plan):
    faults = []
    slots = [(minute(slot["start"]), minute(slot["end"])) for slot in plan["slots"]]
    length = minute(given["slots"][0]["end"]) - minute(given["slots"][0]["start"])
    _, imports, exports = weights(given)
    limits, cost = given.get("limits", {}), 0.0
    loads = {load["name"]: load for load in given["loads"]}
    for index, (start, end) in enumerate(slots):
        slot, hours = given["slots"][start // length], (end - start) / 60
        own = slot.get("base_load_kw", given.get("base_load_kw", 0))
        if "base_load_kw" not in slot and isinstance(own, list):
            own = own[start // length]
        base = sum(own) if isinstance(own, list) else own
        drawn = base - slot.get("pv_kw", 0) + plan["slots"][index]["curtailed_kw"]
        drawn += sum(load["energy_kwh"][index] for load in plan["loads"]) / hours
        drawn += sum(battery["power_kw"][index] for battery in plan["batteries"])
        said = plan["slots"][index]["import_kw"] - plan["slots"][index]["export_kw"]
        if abs(said - drawn) > ALMOST:
            faults.append(f"slot {index} draws {drawn} kW and says {said}")
        cost += hours * (max(0, drawn) * imports[start // length] + min(0, drawn) * exports[start // length])
        # Where what runs anyway breaks the limit, nothing that is planned may add to it.
        if "import_kw" in limits and drawn > max(limits["import_kw"], base - slot.get("pv_kw", 0)) + ALMOST:
            faults.append(f"slot {index} draws {drawn} kW of {limits['import_kw']}")
        if "export_kw" in limits and -drawn > limits["export_kw"] + ALMOST:
            faults.append(f"slot {index} gives {-drawn} kW of {limits['export_kw']}")
        for circuit in limits.get("circuits", []):
            power = sum(load["energy_kwh"][index] / hours for load in plan["loads"] if load["name"] in circuit["loads"])
            power += sum(battery["power_kw"][index] for battery in plan["batteries"]
                         if battery["name"] in circuit["loads"])
            if "power_kw" in circuit and abs(power) > circuit["power_kw"] + ALMOST:
                faults.append(f"slot {index} takes {power} kW of circuit {circuit['name']}")
        if isinstance(base, (int, float)) and "fuse" in limits and isinstance(own, list):
            faults += check_fuse(limits["fuse"], own, slot, plan, index, hours, loads, given)
        for group in limits.get("exclusive", []):
            on = [load["name"] for load in plan["loads"] if load["name"] in group and load["energy_kwh"][index] > 0]
            if len(on) > 1:
                faults.append(f"slot {index} runs {on} at once")
    if abs(cost - plan["totals"]["objective"]) > ALMOST and is_only_energy(given):
        faults.append(f"costs {cost} and says {plan['totals']['objective']}")
    for load in plan["loads"]:
        faults += check_load(loads[load["name"]], load)
    return faults


def is_only_energy(given):
    return "demand_charge" not in given.get("limits", {}) and not any(
        load.get(name) for load in given["loads"] for name in ("start_cost", "wear_cost_per_kwh", "end_value_per_kwh"))


def check_load(asked, load):
    faults = []
    if abs(sum(run["energy_kwh"] for run in load["runs"]) - sum(load["energy_kwh"])) > ALMOST:
        faults.append(f"{load['name']}: runs do not add up to its energy")
    for run in load["runs"]:
        if "earliest_start" in asked and run["start"] < asked["earliest_start"] or (
                "deadline" in asked and run["end"] > asked["deadline"]):
            faults.append(f"{load['name']} runs outside its window")
        if "max_power_kw" in asked and run["power_kw"] > asked["max_power_kw"] + ALMOST:
            faults.append(f"{load['name']} runs at {run['power_kw']} kW")
    return faults


def check_fuse(fuse, own, slot, plan, index, hours, loads, given):
    faults, most = [], fuse["current_a"] * 0.23
    pv = slot.get("pv_kw", 0) - plan["slots"][index]["curtailed_kw"]
    drawn = {load["name"]: load["energy_kwh"][index] / hours for load in plan["loads"]}
    drawn |= {battery["name"]: battery["power_kw"][index] for battery in plan["batteries"]}
    for phase in (1, 2, 3):
        anyway = own[phase - 1] - pv / 3
        power = anyway + sum(kw / len(on) for name, kw in drawn.items()
                             for on in [loads[name].get("phases", [1, 2, 3])] if phase in on)
        least = min(-most, anyway) if given.get("pv_curtailable") is False else -most
        if not least - ALMOST <= power <= max(most, anyway) + ALMOST:
            faults.append(f"slot {index} carries {power} kW on phase {phase} of {most}")
    return faults
