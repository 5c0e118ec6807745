#ifndef CCBC_H
#define CCBC_H

#ifdef __cplusplus
extern "C" {
#endif

/// A linear problem, some of whose columns are whole numbers: find the lowest cost within all bounds.
struct CCbcProblem;

/// Begin with all columns continuous.
///
/// - starts: where each column's numbers begin in `indices` (of rows) and `factors`; one more than there are columns.
/// - lower, upper, costs: one for each column; infinite is `DBL_MAX`.
/// - row_lower, row_upper: one for each row.
struct CCbcProblem *ccbc_new(
    int columns, int rows, const int *starts, const int *indices, const double *factors, const double *lower,
    const double *upper, const double *costs, const double *row_lower, const double *row_upper);

void ccbc_delete(struct CCbcProblem *problem);

void ccbc_set_integer(struct CCbcProblem *problem, int column);

/// From now on the problem is solved without flow cover cuts.
void ccbc_omit_flow_cuts(struct CCbcProblem *problem);

enum CCbcStatus {
    CCBC_OPTIMAL,
    /// The time was up; `bound` says how much better the best could be.
    CCBC_FEASIBLE,
    CCBC_INFEASIBLE,
    /// The time was up before any solution was found.
    CCBC_UNKNOWN
};

/// Solves a problem once, for at most `seconds`: unlike with CBC's own C interface each step of the simplex looks at the
/// clock, so that no relaxation takes longer than there is time.
///
/// Not to be called while another call runs: CBC keeps its parameters in variables of the process.
///
/// - cutoff: only solutions that cost less are looked for; infinite for all.
/// - values: one for each column; the solution, if there is one.
/// - bound: no solution costs less, of those looked for; minus infinity if nothing is known.
enum CCbcStatus ccbc_solve(struct CCbcProblem *problem, double seconds, double cutoff, double *values, double *bound);

#ifdef __cplusplus
}
#endif

#endif
