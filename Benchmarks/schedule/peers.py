"""The same problems by others: EMHASS as it comes and at gap 0, and HiGHS (scipy) at gap 0 with a model of its own.

Usage: peers.py <file>. Each line is {"problem": ..., "objective": ..., "ms": ...}: a problem in the format of
`energyctl schedule solve` whose loads have one power, minimum run and pause, and share an import limit, with what
gridtide found. Prints a line for each, then {"cost_gap_max": ..., "vs_emhass": {...}}.

EMHASS keeps a minimum run only until its horizon ends: a run may begin in the last slot. Here each run has its full
length in the plan. So EMHASS is given as many more slots as the longest minimum run may need, in which no load may run: what
begins too late for its minimum run is then as impossible for EMHASS as for the others. (Without them it solves another
problem: for the third of these, 26.776420 instead of 26.813415, which HiGHS finds too if runs may be cut off.)
"""

import asyncio
import json
import logging
import pathlib
import statistics
import sys
import time

import emhass
import numpy
import pandas
from emhass import utils
from emhass.optimization import Optimization

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Oracles"))
from planning_model import Home  # noqa: E402

root = pathlib.Path(emhass.__file__).parent
paths = dict(root_path=root, data_path=pathlib.Path("/nonexistent"), associations_path=root / "data/associations.csv",
             defaults_path=root / "data/config_defaults.json")
logger = logging.getLogger("emhass")
logger.setLevel(logging.CRITICAL)


def by_emhass(problem, gap):
    """The loads' cost, and milliseconds."""
    slots, loads = problem["slots"], problem["loads"]
    steps = [round(load["energy_kwh"] / load["power_kw"] * 4) for load in loads]
    count, within = len(loads), len(slots)
    after = max(load["min_run_minutes"] for load in loads) // 15
    config = asyncio.run(utils.build_config(paths, logger, str(paths["defaults_path"])))
    config |= dict(
        optimization_time_step=15, lp_solver_mip_rel_gap=gap, number_of_deferrable_loads=count,
        nominal_power_of_deferrable_loads=[load["power_kw"] * 1000 for load in loads],
        minimum_power_of_deferrable_loads=[0.0] * count, operating_hours_of_each_deferrable_load=[0] * count,
        treat_deferrable_load_as_semi_cont=[True] * count, set_deferrable_load_single_constant=[False] * count,
        set_deferrable_startup_penalty=[0.0] * count, set_deferrable_max_startups=[0] * count,
        deferrable_load_max_cost=[0.0] * count, cost_forecast_per_deferrable_load=[None] * count,
        is_electric_load=[True] * count, start_timesteps_of_each_deferrable_load=[0] * count,
        end_timesteps_of_each_deferrable_load=[within] * count,
        def_minimum_on_time=[load["min_run_minutes"] // 15 for load in loads],
        def_minimum_off_time=[load["min_pause_minutes"] // 15 for load in loads],
        maximum_power_from_grid=problem["limits"]["import_kw"] * 1000, costfun="cost")
    params = asyncio.run(utils.build_params(paths, {}, config, logger))
    retrieve, optimise, plant = utils.get_yaml_parse(json.dumps(params, default=str), logger)
    retrieve["optimization_time_step"] = pandas.Timedelta("15min")
    index = pandas.date_range(slots[0]["start"], periods=within + after, freq="15min")
    frame = pandas.DataFrame(index=index)
    frame["unit_load_cost"] = [slot["price"] for slot in slots] + [slots[-1]["price"]] * after
    frame["unit_prod_price"] = 0.0
    pv = numpy.zeros(within + after)
    base = numpy.array([slot["base_load_kw"] * 1000 for slot in slots] + [0.0] * after)
    start = time.perf_counter()
    plan = Optimization(retrieve, optimise, plant, "unit_load_cost", "unit_prod_price", "cost", paths, logger,
                        num_timesteps=within + after).perform_optimization(
        frame, pv, base, frame["unit_load_cost"].values, frame["unit_prod_price"].values, def_total_timestep=steps,
        def_total_hours=[0] * count, def_start_timestep=[0] * count, def_end_timestep=[within] * count)
    took = (time.perf_counter() - start) * 1000
    if "P_deferrable0" not in plan:
        return None, took, "no plan"
    powers = sum(plan[f"P_deferrable{k}"].values for k in range(count))
    status = str(plan["optim_status"].iloc[0])
    asked = sum(load["energy_kwh"] for load in loads)
    if abs(powers.sum() / 4000 - asked) > 0.01:
        status += f", {powers.sum() / 4000:.2f} of {asked:.2f} kWh"
    return float((powers * frame["unit_load_cost"].values).sum() / 4000), took, status


def main():
    gaps, ours, theirs, theirs_exact, dearer = [], [], [], [], []
    for line in open(sys.argv[1]):
        given = json.loads(line)
        problem = given["problem"]
        base = sum(slot["price"] * slot["base_load_kw"] / 4 for slot in problem["slots"])
        mine = given["objective"] - base
        start = time.perf_counter()
        optimum = Home(problem).best()[0] - base
        exact = (time.perf_counter() - start) * 1000
        gaps.append(abs(mine - optimum) / abs(optimum))
        ours.append(given["ms"])
        said = f"gridtide {mine:.6f} in {given['ms']:.1f} ms; HiGHS {optimum:.6f} in {exact:.0f} ms"
        for name, gap, times in [("EMHASS", 0.01, theirs), ("EMHASS at gap 0", 0.0, theirs_exact)]:
            cost, took, status = by_emhass(problem, gap)
            times.append(took)
            said += f"; {name} " + (f"{cost:.6f}" if cost is not None else "none") + f" in {took:.0f} ms ({status})"
            if cost is not None and gap and status == "Optimal":
                dearer.append(cost / mine - 1)
        print(said, flush=True)
    print(json.dumps(dict(
        cost_gap_max=max(gaps),
        vs_emhass=dict(
            gridtide_ms=round(statistics.median(ours), 2), emhass_ms=round(statistics.median(theirs), 1),
            emhass_exact_ms=round(statistics.median(theirs_exact), 1),
            emhass_dearer_max=round(max(dearer), 6) if dearer else None))))


main()
