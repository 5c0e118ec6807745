"""The best plan of a problem, found with scipy's HiGHS at gap 0, or by trying every minute for one block.

Written from the format's description, slot by slot, with the plainest rows that say it: none of the rows, cuts and
closed methods of what it checks. Loads' windows are at edges of slots here, except for the kind `block`.
"""

import math

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix

from planning_problems import minute


class Model:
    def __init__(self):
        self.cost, self.lower, self.upper, self.whole, self.rows, self.constant = [], [], [], [], [], 0.0

    def column(self, lower=0, upper=numpy.inf, cost=0.0, whole=0):
        self.cost.append(cost)
        self.lower.append(lower)
        self.upper.append(upper)
        self.whole.append(whole)
        return len(self.cost) - 1

    def flag(self, most=1, cost=0.0):
        return self.column(0, most, cost, 1)

    def row(self, terms, least=-numpy.inf, most=numpy.inf):
        self.rows.append((terms, least, most))

    def solve(self, cost):
        entries = [(row, column, factor) for row, (terms, _, _) in enumerate(self.rows) for column, factor in terms]
        rows, columns, factors = zip(*entries)
        matrix = coo_matrix((factors, (rows, columns)), shape=(len(self.rows), len(cost))).tocsr()
        bounds = LinearConstraint(matrix, [row[1] for row in self.rows], [row[2] for row in self.rows])
        return milp(cost, constraints=bounds, integrality=self.whole, bounds=Bounds(self.lower, self.upper),
                    options=dict(mip_rel_gap=0, time_limit=120))


def weights(given):
    objective = given.get("objective", "money")
    if isinstance(objective, str):
        objective = {objective: 1}
    money, carbon = objective.get("money", 0), objective.get("carbon", 0)
    imports = [money * slot["price"] + carbon * slot.get("carbon", 0) / 1000 for slot in given["slots"]]
    return money, imports, [money * slot.get("export_price", 0) for slot in given["slots"]]


def best(given):
    """The objective and what is missing in all; nothing if no plan keeps the limits."""
    starts_anywhere = [load.get("one_block") or ("profile_kw" in load and load.get("start_anywhere", True))
                       for load in given["loads"]]
    return best_block(given) if any(starts_anywhere) else Home(given).best()


def best_block(given):
    """One block or course alone, begun at each minute in turn."""
    load, slots = given["loads"][0], given["slots"]
    if "profile_kw" in load:
        course = [(load["profile_step_minutes"], power) for power in load["profile_kw"]]
    else:
        course = [(round(load["energy_kwh"] / load["power_kw"] * 60), load["power_kw"])]
    _, prices, _ = weights(given)
    length = minute(slots[0]["end"]) - minute(slots[0]["start"])
    powers = [power for minutes, power in course for _ in range(minutes)]
    first, last = minute(load["earliest_start"]), minute(load["deadline"]) - len(powers)
    costs = [sum(power / 60 * prices[(start + k) // length] for k, power in enumerate(powers))
             for start in range(first, last + 1)]
    if not costs:
        raise ValueError("the block does not fit into its window")
    return min(costs) + load["start_cost"], 0


def storage_targets(load, count, length):
    """What a battery should hold at the end of which slots, in percent."""
    final = load["min_soc"] if load.get("end_value_per_kwh", 0) > 0 else min(load["initial_soc"], load.get("max_soc", 100))
    targets = [(minute(goal["by"]) // length, goal["soc"]) for goal in load.get("goals", [])]
    if "target_soc" in load:
        targets.append((minute(load["deadline"]) // length, load["target_soc"]))
    return targets + [(count, load.get("final_soc", final))]


class Home:
    def __init__(self, given):
        self.given, self.limits = given, given.get("limits", {})
        self.count = len(given["slots"])
        self.length = minute(given["slots"][0]["end"]) - minute(given["slots"][0]["start"])
        self.hours = self.length / 60
        self.money, self.imports, self.exports = weights(given)
        self.model = Model()
        # By slot, in kWh; by name, then slot, in kW while running; by name and slot, whether it is on.
        self.energy = [[] for _ in range(self.count)]
        self.drawn = {}
        self.running = {load["name"]: [[] for _ in range(self.count)] for load in given["loads"]}
        self.on = {}
        # (priority, column, weight)
        self.missing = []
        self.limited = "import_kw" in self.limits or "circuits" in self.limits or "fuse" in self.limits
        for load in given["loads"]:
            before = [len(terms) for terms in self.energy]
            if "max_charge_kw" in load:
                self.add_battery(load)
            elif "profile_kw" in load:
                self.add_course(load)
            else:
                self.add_load(load)
            for slot, terms in enumerate(self.energy):
                self.drawn[load["name"], slot] = terms[before[slot]:]
        self.add_home()

    def best(self):
        cost = numpy.array(self.model.cost)
        first = cost.copy()
        for _, column, weight in self.missing:
            first[column] += 1000 * weight
        found = self.model.solve(first)
        if found.x is None:
            return None
        missing = sum(weight * found.x[column] for _, column, weight in self.missing)
        if missing > 1e-6:
            for priority in sorted({priority for priority, _, _ in self.missing}, reverse=True):
                level = [(column, weight) for other, column, weight in self.missing if other == priority]
                least = numpy.zeros(len(cost))
                for column, weight in level:
                    least[column] += weight
                known = sum(weight * found.x[column] for column, weight in level)
                again = self.model.solve(least)
                # HiGHS ends with an error at times, and finds nothing within less of what it has found.
                found = again if again.x is not None else found
                self.model.row(level, most=min(known, found.x @ least) + 1e-7)
            found = self.model.solve(cost)
            missing = sum(weight * found.x[column] for _, column, weight in self.missing)
        return float(cost @ found.x) + self.model.constant, missing

    # Loads

    def add_battery(self, load):
        model, hours, capacity = self.model, self.hours, load["capacity_kwh"]
        charge_max, discharge_max = load["max_charge_kw"] * hours, load["max_discharge_kw"] * hours
        wear, worth = load.get("wear_cost_per_kwh", 0) * self.money, load.get("end_value_per_kwh", 0) * self.money
        before, targets = None, storage_targets(load, self.count, self.length)
        for slot in range(self.count):
            is_last = slot == self.count - 1
            charge, discharge = model.column(0, charge_max, wear), model.column(0, discharge_max, wear)
            charges = model.flag()
            model.row([(charge, 1), (charges, -charge_max)], most=0)
            model.row([(discharge, 1), (charges, discharge_max)], most=discharge_max)
            top = max(load.get("max_soc", 100), load["initial_soc"]) / 100 * capacity
            stored = model.column(min(load["min_soc"], load["initial_soc"]) / 100 * capacity, top,
                                  -worth if is_last else 0)
            # It is not charged above its most.
            over = top - load.get("max_soc", 100) / 100 * capacity
            model.row([(stored, 1), (charges, over)], most=top)
            # What it should hold at the end of the slot; below its least it is short for as long as it is.
            wanted = [(load["min_soc"], hours)] if load["initial_soc"] < load["min_soc"] else []
            wanted += [(percent, 1) for end, percent in targets if end == slot + 1]
            for percent, weight in wanted:
                missing = model.column()
                self.missing.append((load.get("priority", 0), missing, weight))
                model.row([(stored, 1), (missing, 1)], percent / 100 * capacity)
            known = load["initial_soc"] / 100 * capacity if before is None else 0
            model.row([(stored, 1), (charge, -load["charge_efficiency"]), (discharge, 1 / load["discharge_efficiency"])]
                      + ([(before, -1)] if before is not None else []), known, known)
            before = stored
            self.energy[slot] += [(charge, 1), (discharge, -1)]
            self.running[load["name"]][slot] = [(charge, 1 / hours), (discharge, -1 / hours)]

    def add_course(self, load):
        powers, (first, last) = load["profile_kw"], self.window(load)
        nowhere = self.model.column(0, 1)
        self.missing.append((load.get("priority", 0), nowhere, sum(powers) * self.hours))
        choice = [(nowhere, 1)]
        for start in range(first, last - len(powers) + 1):
            chosen = self.model.flag(cost=load.get("start_cost", 0))
            choice.append((chosen, 1))
            for step, power in enumerate(powers):
                self.energy[start + step].append((chosen, power * self.hours))
                self.running[load["name"]][start + step].append((chosen, power))
                self.on.setdefault((load["name"], start + step), []).append((chosen, 1))
        self.model.row(choice, 1, 1)

    def window(self, load):
        first = minute(load["earliest_start"]) // self.length if "earliest_start" in load else 0
        last = minute(load["deadline"]) // self.length if "deadline" in load else self.count
        return first, last

    def powers(self, load):
        """Least and most, kW, and the step."""
        phases = load.get("phases", [1, 2, 3])
        ampere = 0.23 * len(phases)
        if "power_kw" in load:
            return load["power_kw"], load["power_kw"], None
        if "max_current_a" in load:
            step = load.get("current_step_a")
            return load["min_current_a"] * ampere, load["max_current_a"] * ampere, step and step * ampere
        least, most, step = load.get("min_power_kw", 0), load["max_power_kw"], load.get("power_step_kw")
        # With a rule for its runs power flows as long as it is on.
        return least or (0 if self.is_free(load) else step or most / 5), most, step

    def is_free(self, load):
        return not any(load.get(name) for name in
                       ("min_run_minutes", "min_pause_minutes", "max_runs", "one_block", "start_cost"))

    def needs(self, load):
        """What is needed by which slot."""
        if "goals" in load:
            return [(minute(goal["by"]) // self.length, goal["energy_kwh"]) for goal in load["goals"]]
        if "target_soc" in load:
            energy = (load["target_soc"] - load["initial_soc"]) / 100 * load["capacity_kwh"] / load["efficiency"]
        else:
            energy = load["energy_kwh"]
        return [(self.window(load)[1], energy)]

    def partial(self, load):
        """How slots may be used in part, by the format's default."""
        least, most, step = self.powers(load)
        if "partial_slots" in load:
            return load["partial_slots"]
        return "any" if self.is_free(load) and least in (0, most) else "last"

    def most(self, load, energy):
        """What it needs, or what is next to it of what whole slots can give."""
        least, most, step = (power * self.hours if power else 0 for power in self.powers(load))
        if self.partial(load) != "never" or not least:
            return energy
        step = step or (least if least == most else 0)
        taken = max(least, math.ceil(energy / step - 1e-6) * step if step else energy)
        if math.floor(taken / least + 1e-9) * most < taken - 1e-9:
            return math.ceil(taken / most) * least
        return taken

    def add_load(self, load):
        model, hours, building = self.model, self.hours, load.get("thermal")
        least, most, step = self.powers(load)
        partial = "never" if building else self.partial(load)
        first, last = (0, self.count) if building else self.window(load)
        ons, energies, shorts = [], [], []
        for slot in range(self.count):
            is_open = first <= slot < last and self.given["slots"][slot]["price"] <= load.get("max_price", math.inf)
            on, energy = model.flag(1 if is_open else 0), model.column(0, most * hours)
            model.row([(energy, 1), (on, -most * hours)], most=0)
            short = []
            if partial == "last":
                # May use less, and nothing comes after it.
                flag = model.flag()
                model.row([(flag, 1), (on, -1)], most=0)
                for earlier in shorts:
                    model.row([(on, 1), (earlier, 1)], most=1)
                shorts.append(flag)
                short = [(flag, 1)]
            self.running[load["name"]][slot] = self.power(
                least, most, step, partial, self.is_free(load), energy, on, short)
            self.energy[slot].append((energy, 1))
            self.on[load["name"], slot] = [(on, 1)]
            ons.append(on)
            energies.append(energy)
        self.switch(load, ons, energies, least, most, step, partial, self.count if building else last)
        if building:
            self.comfort(load, building, energies)
            return
        needs = self.needs(load)
        for end, energy in needs:
            missing = model.column(0, energy)
            self.missing.append((load.get("priority", 0), missing, 1))
            model.row([(energies[slot], 1) for slot in range(min(self.count, end))] + [(missing, 1)], energy)
        take = load["max_energy_kwh"] if "max_energy_kwh" in load else self.most(load, needs[-1][1])
        model.row([(energy, 1) for energy in energies], most=take)
        if partial == "last" and least == most and take <= needs[-1][1]:
            # On for as many slots as it needs, not for empty ones to make a run look long.
            model.row([(on, 1) for on in ons], most=math.ceil(take / (most * hours) - 1e-9))

    def power(self, least, most, step, partial, free, energy, on, short):
        """Ties a slot's energy to being on; the kW that count against limits."""
        model, hours = self.model, self.hours
        if step and (partial != "any" or self.limited or not free):
            level = model.column(0, math.floor(most / step + 1e-9), 0, 1)
            model.row([(level, step), (on, -most)], most=1e-12)
            model.row([(level, step), (on, -least)], -1e-12)
            model.row([(energy, 1), (level, -step * hours)], most=0)
            if partial != "any":
                model.row([(energy, 1), (level, -step * hours)] + [(flag, most * hours) for flag, _ in short], 0)
            return [(level, step)]
        if partial != "any":
            model.row([(energy, 1), (on, -least * hours)] + [(flag, least * hours) for flag, _ in short], 0)
        if least == 0:
            return [(energy, 1 / hours)]
        power = model.column(0, most)
        model.row([(power, 1), (on, -least)], 0)
        model.row([(power, hours), (energy, -1)], 0)
        return [(power, 1)]

    def switch(self, load, ons, energies, least, most, step, partial, end):
        model, count, is_once = self.model, self.count, False
        powers = self.running[load["name"]]
        run = int(load.get("min_run_minutes", 0)) // self.length
        pause = int(load.get("min_pause_minutes", 0)) // self.length
        fills = least > 0 and (partial == "any" or (partial == "last" and least < most))
        if run > (0 if fills else 1) and least > 0 and "thermal" not in load:
            needed = self.needs(load)[-1][1] / (least * self.hours)
            if needed < run:
                # Less than one such run: once, for what it needs.
                is_full = fills or (partial == "never" and least < most)
                slots = math.floor(needed + 1e-9) if is_full else math.ceil(needed - 1e-9)
                is_once, run = True, min(run, max(0 if fills else 1, slots))
        if run <= (0 if fills else 1) and not is_once and not pause and not load.get("max_runs") and not load.get("start_cost"):
            return
        starts = []
        for slot in range(count):
            start = model.flag(cost=load.get("start_cost", 0))
            before = [(ons[slot - 1], 1)] if slot else []
            model.row([(start, 1), (ons[slot], -1)] + before, 0)
            model.row([(start, 1), (ons[slot], -1)], most=0)
            if slot:
                model.row([(start, 1), (ons[slot - 1], 1)], most=1)
            starts.append(start)
        for slot in range(count):
            # Of what a run lasts at least its first slot is none where only a part of it is used.
            short = model.flag(1 if partial == "any" and least < most and run else 0)
            model.row([(short, 1), (starts[slot], -1)], most=0)
            for is_whole, first in (([(starts[slot], 1), (short, -1)], slot), ([(short, 1)], slot + 1)):
                for later in range(first, first + run):
                    model.row(is_whole + ([(ons[later], -1)] if later < end else []), most=0)
                    if fills and least < most and later < end:
                        # A minimum run is of slots that draw power.
                        model.row([(energies[later], 1)]
                                  + [(flag, -least * self.hours * factor) for flag, factor in is_whole], 0)
                        if step:
                            self.whole(energies[later], powers[later], is_whole, most * self.hours)
            if fills and least == most:
                # With one power what it takes says how long it runs, also in its first slot and its last.
                model.row([(energy, 1) for energy in energies[slot:slot + run + 1]]
                          + [(starts[slot], -least * self.hours * run)], 0)
            for later in range(slot + 1, min(count, slot + 1 + pause)):
                # Switched off after this slot, it stays off.
                model.row([(ons[slot], 1), (ons[slot + 1], -1), (ons[later], 1)], most=1)
        for slot in range(1, count - 1 if fills and partial == "any" else 1):
            # Inside a run power flows, too.
            model.row([(energies[slot], 1)] + [(on, -least * self.hours) for on in ons[slot - 1:slot + 2]],
                      -2 * least * self.hours)
            if step and least < most:
                self.whole(energies[slot], powers[slot], [(ons[slot - 1], 1), (ons[slot + 1], 1)], most * self.hours, 2)
        if is_once:
            model.row([(start, 1) for start in starts], most=1)
        if load.get("max_runs"):
            model.row([(start, 1) for start in starts], most=load["max_runs"])

    def whole(self, energy, power, flags, most, count=1):
        """Where the flags are `count` together it draws its power all through the slot."""
        self.model.row([(energy, 1)] + [(column, -factor * self.hours) for column, factor in power]
                       + [(flag, -most * factor) for flag, factor in flags], -most * count)

    def comfort(self, load, building, energies):
        model, hours, before, lowered = self.model, self.hours, None, []
        kept = math.exp(-hours / (building["resistance_k_per_kw"] * building["capacity_kwh_per_k"]))
        gain = (1 - kept) * building["resistance_k_per_kw"] * building["cop"] / hours
        for slot in range(self.count):
            temperature, cold, hot = model.column(-numpy.inf), model.column(), model.column()
            known = (1 - kept) * building["outdoor_c"][slot] + (kept * building["initial_c"] if before is None else 0)
            model.row([(temperature, 1), (energies[slot], -gain)]
                      + ([(before, -kept)] if before is not None else []), known, known)
            before = temperature
            self.missing += [(load.get("priority", 0), cold, hours), (load.get("priority", 0), hot, hours)]
            below = [(temperature, 1), (cold, 1)]
            if building.get("setback_k"):
                flag = model.flag()
                lowered.append((flag, hours))
                below.append((flag, building["setback_k"]))
            model.row(below, building["comfort_min_c"])
            model.row([(temperature, 1), (hot, -1)], most=building["comfort_max_c"])
            if slot == self.count - 1 and "final_c" in building:
                model.row([(temperature, 1), (cold, 1)], building["final_c"])
        least = building.get("setback_min_minutes", 0) // self.length
        for slot in range(self.count if lowered and least > 1 else 0):
            # Begun in this slot it lasts so long, or does not begin.
            begins = [(lowered[slot][0], 1)] + ([(lowered[slot - 1][0], -1)] if slot else [])
            for later in range(slot, slot + least):
                model.row(begins + ([(lowered[later][0], -1)] if later < self.count else []), most=0)
        if lowered:
            model.row(lowered, most=building["setback_minutes"] / 60)

    # The home

    def base(self, slot):
        """kW on each phase."""
        own = self.given["slots"][slot].get("base_load_kw")
        if own is None:
            of_all = self.given.get("base_load_kw", 0)
            own = of_all[slot] if isinstance(of_all, list) else of_all
        return own if isinstance(own, list) else [own / 3] * 3

    def add_home(self):
        model, limits, hours = self.model, self.limits, self.hours
        peak = None
        if "demand_charge" in limits:
            charge = limits["demand_charge"]
            peak = model.column(charge["peak_so_far_kw"], numpy.inf, charge["price_per_kw"] * self.money)
            model.constant -= charge["price_per_kw"] * charge["peak_so_far_kw"] * self.money
        for slot in range(self.count):
            base, pv = sum(self.base(slot)), self.given["slots"][slot].get("pv_kw", 0)
            imported = model.column(cost=self.imports[slot])
            exported = model.column(0, limits.get("export_kw", 1e4) * hours, -self.exports[slot])
            imports = model.flag()
            model.row([(imported, 1), (imports, -1e3)], most=0)
            model.row([(exported, 1), (imports, 1e3)], most=1e3)
            wasted = model.column(0, pv * hours if self.may_waste() else 0)
            model.row([(imported, 1), (exported, -1), (wasted, -1)]
                      + [(column, -factor) for column, factor in self.energy[slot]], (base - pv) * hours,
                      (base - pv) * hours)
            if peak is not None:
                model.row([(peak, 1), (imported, -1 / hours)], 0)
            if "import_kw" in limits:
                self.limit([load["name"] for load in self.given["loads"]], slot, lambda _: 1,
                           limits["import_kw"] - base + pv, [(wasted, 1 / hours)])
            self.limit_circuits(slot, pv, wasted)
            for group in limits.get("exclusive", []):
                model.row([term for name in group for term in self.on.get((name, slot), [])] or [(imported, 0)], most=1)

    def may_waste(self):
        return self.given.get("pv_curtailable", "export_kw" in self.limits or "fuse" in self.limits)

    def limit_circuits(self, slot, pv, wasted):
        phases = {load["name"]: load.get("phases", [1, 2, 3]) for load in self.given["loads"]}
        for circuit in self.limits.get("circuits", []):
            if "power_kw" in circuit:
                self.limit(circuit["loads"], slot, lambda _: 1, circuit["power_kw"])
                self.limit_back(circuit["loads"], slot, lambda _: 1, circuit["power_kw"])
        for fuse, names, has_base in [(self.limits.get("fuse"), list(phases), True)] + [
                (circuit, circuit["loads"], False) for circuit in self.limits.get("circuits", [])]:
            if not fuse or "current_a" not in fuse:
                continue
            for phase in (1, 2, 3):
                most = fuse["current_a"] * 0.23
                anyway = self.base(slot)[phase - 1] - pv / 3 if has_base else 0
                share = lambda name: 1 / len(phases[name]) if phase in phases[name] else 0
                more = [(wasted, 1 / 3 / self.hours)] if has_base else []
                self.limit(names, slot, share, most - anyway, more)
                self.limit_back(names, slot, share, most + anyway, more)

    def limit(self, names, slot, share, room, more=()):
        terms = [(column, factor * share(name)) for name in names for column, factor in self.running[name][slot]
                 if share(name)]
        if terms:
            self.model.row(terms + list(more), most=max(0, room))

    def limit_back(self, names, slot, share, room, more=()):
        """The same toward the grid, of what is drawn and given on average."""
        if not self.may_waste():
            # Photovoltaics that are too much already: nothing adds to them.
            room = max(0, room)
        terms = [(column, factor / self.hours * share(name)) for name in names
                 for column, factor in self.drawn.get((name, slot), []) if share(name)] + list(more)
        if terms:
            self.model.row(terms, -room)
