#include "CCbc.h"

#include <algorithm>
#include <chrono>
#include <cmath>
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

/// When to stop, and what was found and proven before.
struct Watch {
    std::chrono::steady_clock::time_point end;
    /// The problem as it was given.
    const OsiClpSolverInterface &problem;
    double bound = unknownBound;
    /// The best solution, and what it costs: CBC forgets it, or hands out the relaxation instead, where it is broken off.
    std::vector<double> best = {};
    double cost = std::numeric_limits<double>::infinity();
    /// A relaxation was cut short. CBC takes it for one without a solution: what it says from then on proves nothing.
    bool isUp = false;

    bool stops() {
        isUp = isUp || std::chrono::steady_clock::now() >= end;
        return isUp;
    }

    void note(double bound) {
        if (!isUp && bound < 1e50) this->bound = std::max(this->bound, bound);
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

// CBC's preprocessing and most heuristics are off: with all it has CBC 2.10.8 has called plans optimal that cost 0.2 % more than
// the optimum. Its cuts are what proves most plans in a tenth of the time, but for Gomory's, which are the least exact and
// make some problems slow, and those of probing: with them one of 1,018 models of random homes, and a home with a battery and a
// car in steps, ended with a false proof; without them all agree with HiGHS, in nine tenths of the time.
//
// Only diving is on, and where there are few whole numbers: it then finds in a fraction of a second what the tree takes
// seconds for. Where there are many it takes all of the time.
constexpr int divingMax = 500;

std::vector<const char *> arguments(bool dives) {
    return {
        "CCbc", "-timeMode", "elapsed", "-preprocess", "off", "-cuts", "on", "-gomoryCuts", "off", "-probingCuts", "off",
        "-heuristicsOnOff", "off", "-divingVectorlength", dives ? "on" : "off", "-increment", "1e-9",
        "-integerTolerance", "1e-9", "-primalTolerance", "1e-9", "-dualTolerance", "1e-9", "-solve", "-quit"};
}

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
    auto given = arguments(solver.getNumIntegers() <= divingMax);
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
    std::copy(watch.best.begin(), watch.best.end(), values);
    return watch.best.empty() ? CCBC_UNKNOWN : CCBC_FEASIBLE;
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
    auto &solver = problem->solver;
    const OsiClpSolverInterface given(solver);
    Watch watch{
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(length), given};
    StepHandler steps(&watch);
    solver.getModelPtr()->passInEventHandler(&steps);
    // The other choice, steepest edge, ends the process by an assertion where rounding has turned a reduced cost's sign.
    // Only what the dual simplex leaves is for the primal one, so that the plainer choice costs little.
    ClpPrimalColumnDantzig plain;
    solver.getModelPtr()->setPrimalColumnPivotAlgorithm(plain);
    // CBC stops by itself a little earlier where it looks at the clock in time: then all it has proven counts.
    auto status =
        solver.getNumIntegers() > 0 ? search(solver, seconds * 0.95, watch, values) : relax(solver, watch, values);
    *bound = watch.bound;
    return status;
}
