#include "CCbc.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <coin/CbcEventHandler.hpp>
#include <coin/CbcModel.hpp>
#include <coin/CbcSolver.hpp>
#include <coin/ClpEventHandler.hpp>
#include <coin/ClpPrimalColumnDantzig.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/OsiClpSolverInterface.hpp>

namespace {

constexpr double unknownBound = -std::numeric_limits<double>::infinity();
/// CBC's own.
constexpr double noCutoff = 1e50;

/// When to stop, and what was found and proven before.
struct Watch {
    std::chrono::steady_clock::time_point end;
    /// The problem as it was given.
    const OsiClpSolverInterface &problem;
    /// Seconds before the end at which CBC stops by itself, where it looks at the clock in time: then all it has proven counts.
    double reserve;
    double bound = unknownBound;
    /// The best solution, and what it costs: CBC forgets it, or hands out the relaxation instead, where it is broken off.
    std::vector<double> best = {};
    double cost = std::numeric_limits<double>::infinity();
    /// A relaxation was cut short. CBC takes it for one without a solution: what it says from then on proves nothing.
    bool isUp = false;
    /// Nodes after which a better solution ends a search, for one that begins anew below it.
    int nodesMin = 0;
    /// Of the search: only what costs less is looked for.
    double cutoff = noCutoff;
    bool cutsFlow = true;

    double secondsLeft() const {
        return std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count() - reserve;
    }

    bool stops() {
        isUp = isUp || std::chrono::steady_clock::now() >= end;
        return isUp;
    }

    /// Whether what was found costs so much less that all is better looked at anew, without what is too dear now.
    bool beginsAnew(int nodes) const { return nodes >= nodesMin && cost < cutoff - gainShare * (cutoff - bound); }

    void note(double bound) {
        if (!isUp && bound < noCutoff) this->bound = std::max(this->bound, bound);
    }

    /// - values: one for each column; may be null.
    void note(const double *values) {
        if (!values) return;
        double cost = 0;
        for (int column = 0; column < problem.getNumCols(); ++column) {
            cost += values[column] * problem.getObjCoefficients()[column];
        }
        if (cost >= this->cost || !isSolution(values)) return;
        best.assign(values, values + problem.getNumCols());
        this->cost = cost;
    }

private:
    static constexpr double tolerance = 1e-6;
    /// Of what the best may cost less.
    static constexpr double gainShare = 0.2;

    bool isSolution(const double *values) const {
        auto isWithin = [](double value, double lower, double upper) {
            double most = tolerance * std::max(1.0, std::abs(value));
            return value >= lower - most && value <= upper + most;
        };
        for (int column = 0; column < problem.getNumCols(); ++column) {
            double value = values[column];
            if (!isWithin(value, problem.getColLower()[column], problem.getColUpper()[column])) return false;
            if (problem.isInteger(column) && std::abs(value - std::round(value)) > tolerance) return false;
        }
        std::vector<double> sums(problem.getNumRows());
        problem.getMatrixByCol()->times(values, sums.data());
        for (int row = 0; row < problem.getNumRows(); ++row) {
            if (!isWithin(sums[row], problem.getRowLower()[row], problem.getRowUpper()[row])) return false;
        }
        return true;
    }
};

/// Looks at the clock after each step of the simplex. Every copy of the problem that CBC makes gets a clone.
class StepHandler final : public ClpEventHandler {
public:
    explicit StepHandler(Watch *watch) : watch(watch) {}
    ClpEventHandler *clone() const override { return new StepHandler(*this); }

    int event(Event event) override {
        bool isStep = event == endOfIteration || event == endOfFactorization;
        return isStep && watch->stops() ? 5 : -1;
    }

private:
    Watch *watch;
};

/// Notes each solution, and the bound after each node of the tree.
class NodeHandler final : public CbcEventHandler {
public:
    explicit NodeHandler(Watch *watch) : watch(watch) {}
    CbcEventHandler *clone() const override { return new NodeHandler(*this); }

    CbcAction event(CbcEvent event) override {
        if (getModel()->getNumCols() == watch->problem.getNumCols()) watch->note(getModel()->bestSolution());
        if (event == node) {
            watch->note(getModel()->getBestPossibleObjValue());
            if (watch->beginsAnew(getModel()->getNodeCount())) return stop;
        }
        return watch->isUp ? stop : noAction;
    }

private:
    Watch *watch;
};

/// CBC calls it between its steps; 1: the first relaxation has been solved.
int noteRelaxation(CbcModel *model, int step) {
    auto watch = static_cast<Watch *>(model->getApplicationData());
    if (step == 1 && watch && model->solver()->isProvenOptimal()) watch->note(model->solver()->getObjValue());
    return 0;
}

// CBC's preprocessing and its heuristics are off: with all it has CBC 2.10.8 has called plans optimal that cost 0.2 % more than
// the optimum. Its cuts are what proves most plans in a tenth of the time, but for Gomory's, which are the least exact and
// make some problems slow, and those of probing: with them one of 1,018 models of random homes, and a home with a battery and a
// car in steps, ended with a false proof; without them all agree with HiGHS, in nine tenths of the time. Diving, too, is off:
// with it 2 of 1,650 models ended with a false proof, and what it found is found as soon below the cost of a plan that is known.
std::vector<const char *> arguments(const char *cutoff, bool cutsFlow) {
    return {
        "CCbc", "-timeMode", "elapsed", "-preprocess", "off", "-cuts", "on", "-gomoryCuts", "off", "-probingCuts", "off",
        "-flowCoverCuts", cutsFlow ? "on" : "off", "-heuristicsOnOff", "off", "-increment", "1e-9",
        "-integerTolerance", "1e-9", "-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-cutoff", cutoff, "-solve",
        "-quit"};
}

/// - Returns: `CCBC_UNKNOWN` where it is to begin anew, or has run out of time.
CCbcStatus searchOnce(OsiClpSolverInterface &solver, Watch &watch, double *values) {
    CbcModel model(solver);
    NodeHandler nodes(&watch);
    CbcSolverUsefulData parameters;
    CbcMain0(model, parameters);
    parameters.noPrinting_ = true;
    model.setLogLevel(0);
    model.setMaximumSeconds(watch.secondsLeft());
    model.setAllowableGap(0);
    model.setAllowableFractionGap(0);
    model.passInEventHandler(&nodes);
    model.setApplicationData(&watch);
    char cutoff[32];
    std::snprintf(cutoff, sizeof cutoff, "%.17g", watch.cutoff);
    auto given = arguments(cutoff, watch.cutsFlow);
    CbcMain1(int(given.size()), given.data(), model, noteRelaxation, parameters);

    if (!watch.isUp) {
        if (model.isProvenInfeasible() || model.isInitialSolveProvenPrimalInfeasible()) return CCBC_INFEASIBLE;
        if (model.isInitialSolveProvenOptimal()) watch.note(model.getBestPossibleObjValue());
        if (model.isProvenOptimal()) {
            std::copy_n(model.getColSolution(), model.getNumCols(), values);
            return CCBC_OPTIMAL;
        }
    }
    watch.note(model.bestSolution());
    return CCBC_UNKNOWN;
}

/// Branch and bound. Where a better solution is found on the way all begins anew: below its cost columns are fixed that were
/// not before, and the tree is another one. Some plans in steps are then proven in one second instead of twenty.
CCbcStatus search(OsiClpSolverInterface &solver, double cutoff, Watch &watch, double *values) {
    constexpr int nodesMin = 100, growth = 10, searchesMax = 4;
    // A share of the cost: what is less comes of floating point.
    constexpr double gainMin = 1e-9;
    watch.nodesMin = nodesMin;
    for (int searches = 1;; ++searches) {
        watch.cutoff = std::min({cutoff, noCutoff, watch.cost - gainMin * std::max(1.0, std::abs(watch.cost))});
        auto status = searchOnce(solver, watch, values);
        if (status == CCBC_OPTIMAL) return status;
        bool isLast = searches == searchesMax || watch.secondsLeft() <= 0 || !watch.beginsAnew(watch.nodesMin);
        if (status == CCBC_INFEASIBLE || isLast) {
            if (watch.best.empty()) return status;
            std::copy(watch.best.begin(), watch.best.end(), values);
            // Where there is nothing below the best of an earlier search, that is the optimum.
            return status == CCBC_INFEASIBLE ? CCBC_OPTIMAL : CCBC_FEASIBLE;
        }
        watch.nodesMin = searches + 1 < searchesMax ? watch.nodesMin * growth : std::numeric_limits<int>::max();
    }
}

CCbcStatus relax(OsiClpSolverInterface &solver, Watch &watch, double *values) {
    // As for whole numbers: with Clp's own a battery was charged with 3 mWh more than it holds.
    solver.setDblParam(OsiPrimalTolerance, 1e-9);
    solver.setDblParam(OsiDualTolerance, 1e-9);
    solver.initialSolve();
    if (watch.isUp) return CCBC_UNKNOWN;
    if (solver.isProvenPrimalInfeasible() || solver.isProvenDualInfeasible()) return CCBC_INFEASIBLE;
    if (!solver.isProvenOptimal()) return CCBC_UNKNOWN;
    watch.note(solver.getObjValue());
    std::copy_n(solver.getColSolution(), solver.getNumCols(), values);
    return CCBC_OPTIMAL;
}

}  // namespace

struct CCbcProblem {
    OsiClpSolverInterface solver;
    bool cutsFlow = true;
};

CCbcProblem *ccbc_new(
    int columns, int rows, const int *starts, const int *indices, const double *factors, const double *lower,
    const double *upper, const double *costs, const double *row_lower, const double *row_upper) {
    auto problem = new CCbcProblem;
    problem->solver.messageHandler()->setLogLevel(0);
    problem->solver.loadProblem(
        columns, rows, starts, indices, factors, lower, upper, costs, row_lower, row_upper);
    return problem;
}

void ccbc_delete(CCbcProblem *problem) { delete problem; }

void ccbc_set_integer(CCbcProblem *problem, int column) { problem->solver.setInteger(column); }

void ccbc_omit_flow_cuts(CCbcProblem *problem) { problem->cutsFlow = false; }

CCbcStatus ccbc_solve(CCbcProblem *problem, double seconds, double cutoff, double *values, double *bound) {
    auto length = std::chrono::duration<double>(seconds);
    auto &solver = problem->solver;
    const OsiClpSolverInterface given(solver);
    Watch watch{
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(length), given,
        seconds * 0.05};
    watch.cutsFlow = problem->cutsFlow;
    StepHandler steps(&watch);
    solver.getModelPtr()->passInEventHandler(&steps);
    // The other choice, steepest edge, ends the process by an assertion where rounding has turned a reduced cost's sign.
    // Only what the dual simplex leaves is for the primal one, so that the plainer choice costs little.
    ClpPrimalColumnDantzig plain;
    solver.getModelPtr()->setPrimalColumnPivotAlgorithm(plain);
    auto status = solver.getNumIntegers() > 0 ? search(solver, cutoff, watch, values) : relax(solver, watch, values);
    *bound = watch.bound;
    return status;
}
