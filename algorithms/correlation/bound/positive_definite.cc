// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/positive_definite.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/machine/call_with_simd.h"

namespace warpclust {
namespace {

// The widest vectors of CallWithSimd.
using Lanes = double __attribute__((vector_size(64), aligned(8), may_alias));
constexpr int64_t kLanes = 8;

// Subtracts factor * pivot row from the row.
inline __attribute__((always_inline)) void Subtract(const double* pivot_row,
                                                    double factor, int64_t n,
                                                    double* row) {
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    *reinterpret_cast<Lanes*>(row + j) -=
        factor * *reinterpret_cast<const Lanes*>(pivot_row + j);
  }
  for (; j < n; ++j) row[j] -= factor * pivot_row[j];
}

// Gaussian elimination of the symmetric n x n matrix. Whether all pivots are
// above 0.
inline __attribute__((always_inline)) bool Eliminate(double* matrix,
                                                     int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    const double* const pivot_row = matrix + k * n;
    if (!(pivot_row[k] > 0)) return false;
    const double inverse = 1 / pivot_row[k];
    for (int64_t i = k + 1; i < n; ++i) {
      Subtract(pivot_row + i, pivot_row[i] * inverse, n - i,
               matrix + i * n + i);
    }
  }
  return true;
}

}  // namespace

// Elimination leaves rows u_k with u_kk > 0, and a_ij is the sum over k <= i of
// u_ki * u_kj / u_kk, but for rounding: the difference is at most g times the
// sum of |u_ki * u_kj| / u_kk, g = (n + 3) e / (1 - (n + 3) e), e = 2^-53
// (Higham 2002, section 10.1, as for Cholesky's factors). By Cauchy-Schwarz
// that sum is at most sqrt(b_i * b_j), where b_i, the sum over k of u_ki^2 /
// u_kk, is at most a_ii / (1 - g). So the errors are a matrix of norm at most g
// / (1 - g) times the trace of A, and what they perturb A to is positive
// semidefinite (Rump 2006, Verification of positive definiteness). For n < 2^20
// a slack of (n + 4) 2^-51 times the trace is enough; 1 more covers underflow
// and the rounding of the slack.
bool IsPositiveDefinite(const std::vector<int64_t>& matrix, int64_t n,
                        int64_t least) {
  double trace = 0;
  for (int64_t i = 0; i < n; ++i) {
    trace += std::fabs(static_cast<double>(matrix[i * n + i]));
  }
  const double slack = std::ceil(static_cast<double>(n + 4) * 0x1p-51 * trace) +
                       1 + static_cast<double>(least);
  std::vector<double> rows(matrix.size());
  for (size_t i = 0; i < matrix.size(); ++i) {
    rows[i] = static_cast<double>(matrix[i]);
  }
  // Exact: integers below 2^53.
  for (int64_t i = 0; i < n; ++i) rows[i * n + i] -= slack;
  double* const data = rows.data();
  return CallWithSimd(
      [=]() WARPCLUST_ALWAYS_INLINE { return Eliminate(data, n); });
}

}  // namespace warpclust
