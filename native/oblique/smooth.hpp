// Vectorized exp and log from elementary operations in a fixed order: the same bits on every machine.
#pragma once

namespace hornbeam {

// For margins m (row times theta times sign): doubt = 1 / (1 + exp(m)) and loss = ln(1 + exp(-m)), both with an error
// of a few units in the last place of 1.
void doubts_and_losses(const double* margins, int n, double* doubt, double* loss);

// out[i] = row i times theta; gradient[j] -= sum over rows of pull[i] row[i][j]. `stride` is a multiple of four.
void rows_times(const double* const* rows, int n, const double* theta, int stride, double* out);
void subtract_pulls(const double* const* rows, int n, const double* pull, int stride, double* gradient);

}  // namespace hornbeam
