#include "CCbc.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include <coin/CbcEventHandler.hpp>
#include <coin/CbcModel.hpp>
#include <coin/CbcSolver.hpp>
#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/OsiClpSolverInterface.hpp>

namespace {

constexpr double unknownBound = -std::numeric_limits<double>::infinity();

/// When to stop, and what was proven before.
struct Watch {
    std::chrono::steady_clock::time_point end;
    double bound = unknownBound;
    /// A relaxation was cut short. CBC takes it for one without a solution: what it says from then on proves nothing.
    bool isUp = false;

    bool stops() {
        isUp = isUp || std::chrono::steady_clock::now() >= end;
        return isUp;
    }

    void note(double bound) {
        if (!isUp && bound < 1e50) this->bound = std::max(this->bound, bound);
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

/// Notes the bound after each node of the tree.
class NodeHandler final : public CbcEventHandler {
public:
    explicit NodeHandler(Watch *watch) : watch(watch) {}
    CbcEventHandler *clone() const override { return new NodeHandler(*this); }

    CbcAction event(CbcEvent event) override {
        if (event == node) watch->note(getModel()->getBestPossibleObjValue());
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

// CBC's preprocessing, cuts and heuristics are off: with them CBC 2.10.8 has called plans optimal that cost 0.2 % more
// than the optimum.
const char *arguments[] = {
    "CCbc", "-timeMode", "elapsed", "-preprocess", "off", "-cuts", "off", "-heuristicsOnOff", "off", "-increment",
    "1e-9", "-integerTolerance", "1e-9", "-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-solve", "-quit"};

CCbcStatus search(OsiClpSolverInterface &solver, double seconds, Watch &watch, double *values) {
    CbcModel model(solver);
    NodeHandler nodes(&watch);
    CbcSolverUsefulData parameters;
    CbcMain0(model, parameters);
    parameters.noPrinting_ = true;
    model.setLogLevel(0);
    model.setMaximumSeconds(seconds);
    model.setAllowableGap(0);
    model.setAllowableFractionGap(0);
    model.passInEventHandler(&nodes);
    model.setApplicationData(&watch);
    CbcMain1(sizeof arguments / sizeof *arguments, arguments, model, noteRelaxation, parameters);

    if (!watch.isUp) {
        if (model.isProvenInfeasible() || model.isInitialSolveProvenPrimalInfeasible()) return CCBC_INFEASIBLE;
        if (model.isInitialSolveProvenOptimal()) watch.note(model.getBestPossibleObjValue());
        if (model.isProvenOptimal()) {
            std::copy_n(model.getColSolution(), model.getNumCols(), values);
            return CCBC_OPTIMAL;
        }
    }
    if (!model.bestSolution()) return CCBC_UNKNOWN;
    std::copy_n(model.bestSolution(), model.getNumCols(), values);
    return CCBC_FEASIBLE;
}

CCbcStatus relax(OsiClpSolverInterface &solver, Watch &watch, double *values) {
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

CCbcStatus ccbc_solve(CCbcProblem *problem, double seconds, double *values, double *bound) {
    auto length = std::chrono::duration<double>(seconds);
    Watch watch{std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(length)};
    StepHandler steps(&watch);
    auto &solver = problem->solver;
    solver.getModelPtr()->passInEventHandler(&steps);
    // CBC stops by itself a little earlier where it looks at the clock in time: then all it has proven counts.
    auto status =
        solver.getNumIntegers() > 0 ? search(solver, seconds * 0.95, watch, values) : relax(solver, watch, values);
    *bound = watch.bound;
    return status;
}
