// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace warpclust {
namespace {

constexpr int kAxes = kProjectedDimensions;
constexpr int kIterations = 5;
// Rows that a thread projects at a time.
constexpr int kRowsAtOnce = 32;

// Four sums at a time, for speed.
double Dot(const double* x, const double* y, int length) {
  double sums[4] = {0, 0, 0, 0};
  int k = 0;
  for (; k + 4 <= length; k += 4) {
    for (int s = 0; s < 4; ++s) sums[s] += x[k + s] * y[k + s];
  }
  for (; k < length; ++k) sums[0] += x[k] * y[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Makes the rows of `vectors` (kAxes x length) orthonormal in order. Each row
// loses its part along the earlier ones, `passes` times: once leaves rounding
// errors, twice does not. Rows without a remainder become zero.
void Orthonormalize(int length, int passes, std::vector<double>* vectors) {
  for (int a = 0; a < kAxes; ++a) {
    double* row = vectors->data() + static_cast<int64_t>(a) * length;
    const double before = std::sqrt(Dot(row, row, length));
    for (int pass = 0; pass < passes; ++pass) {
      for (int b = 0; b < a; ++b) {
        const double* other =
            vectors->data() + static_cast<int64_t>(b) * length;
        const double along = Dot(row, other, length);
        for (int k = 0; k < length; ++k) row[k] -= along * other[k];
      }
    }
    const double norm = std::sqrt(Dot(row, row, length));
    const double factor = norm > 1e-6 * before && norm > 1e-100 ? 1 / norm : 0;
    for (int k = 0; k < length; ++k) row[k] *= factor;
  }
}

// Transposes rows x columns to columns x rows, in blocks that fit the cache.
void Transpose(const std::vector<double>& from, int rows, int columns,
               std::vector<double>* to) {
  constexpr int kSide = 32;
  for (int begin = 0; begin < rows; begin += kSide) {
    const int end = std::min(rows, begin + kSide);
    for (int first = 0; first < columns; first += kSide) {
      for (int c = first; c < std::min(columns, first + kSide); ++c) {
        for (int r = begin; r < end; ++r) {
          (*to)[static_cast<int64_t>(c) * rows + r] =
              from[static_cast<int64_t>(r) * columns + c];
        }
      }
    }
  }
}

// kernels.project, on several threads.
void Project(const std::vector<double>& rows, int num_rows, int length,
             const std::vector<double>& axes, const PairTileKernels& kernels,
             int num_threads, std::vector<double>* products) {
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int begin = 0; begin < num_rows; begin += kRowsAtOnce) {
    kernels.project(rows.data() + static_cast<int64_t>(begin) * length,
                    std::min(kRowsAtOnce, num_rows - begin), length,
                    axes.data(),
                    products->data() + static_cast<int64_t>(begin) * kAxes);
  }
}

// Sums of squares along each axis; zero axes have none.
std::vector<double> VariancesAlong(const std::vector<double>& sample,
                                   int num_rows, int num_dimensions,
                                   const std::vector<double>& axes,
                                   const PairTileKernels& kernels,
                                   int num_threads) {
  std::vector<double> products(static_cast<size_t>(num_rows) * kAxes);
  Project(sample, num_rows, num_dimensions, axes, kernels, num_threads,
          &products);
  std::vector<double> variances(kAxes);
  for (int r = 0; r < num_rows; ++r) {
    for (int a = 0; a < kAxes; ++a) {
      const double product = products[static_cast<int64_t>(r) * kAxes + a];
      variances[a] += product * product;
    }
  }
  return variances;
}

double Captured(const std::vector<double>& sample,
                const std::vector<double>& variances) {
  const double total =
      std::inner_product(sample.begin(), sample.end(), sample.begin(), 0.0);
  const double along = std::accumulate(variances.begin(), variances.end(), 0.0);
  return total > 0 ? std::min(1.0, along / total) : 1;
}

// Returns the Frobenius norm of G - I plus its rounding error. An entry of G is
// a dot product of `length` terms of vectors of norm about 1, with an error of
// at most (length + 2) 2^-53; the norm of 4096 entries is at most 64 times
// that.
double Deviation(int length, const std::vector<double>& vectors) {
  double squares = 0;
  for (int a = 0; a < kAxes; ++a) {
    const double* row = vectors.data() + static_cast<int64_t>(a) * length;
    for (int b = 0; b <= a; ++b) {
      const double* other = vectors.data() + static_cast<int64_t>(b) * length;
      double product = Dot(row, other, length);
      if (a == b && product != 0) product -= 1;
      squares += (a == b ? 1 : 2) * product * product;
    }
  }
  return 1.01 * std::sqrt(squares) +
         128.0 * (length + 2) * std::numeric_limits<double>::epsilon();
}

}  // namespace

PrincipalAxes FindPrincipalAxes(const std::vector<double>& sample, int num_rows,
                                int num_dimensions,
                                const PairTileKernels& kernels,
                                int num_threads) {
  const size_t axes_size = static_cast<size_t>(num_dimensions) * kAxes;
  PrincipalAxes result;
  result.axes.resize(axes_size);
  std::vector<double> by_axis(axes_size);
  std::vector<double> transposed(sample.size());
  std::vector<double> products(static_cast<size_t>(num_rows) * kAxes);
  Transpose(sample, num_rows, num_dimensions, &transposed);

  // Any start that is not orthogonal to the solution is suitable.
  uint64_t state = 1;
  for (double& value : result.axes) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>(state >> 40) / (1 << 24) - 0.5;
  }
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    Project(sample, num_rows, num_dimensions, result.axes, kernels, num_threads,
            &products);
    Project(transposed, num_dimensions, num_rows, products, kernels,
            num_threads, &result.axes);
    Transpose(result.axes, num_dimensions, kAxes, &by_axis);
    const bool last = iteration + 1 == kIterations;
    Orthonormalize(num_dimensions, last ? 2 : 1, &by_axis);
    Transpose(by_axis, kAxes, num_dimensions, &result.axes);
  }
  result.deviation = Deviation(num_dimensions, by_axis);

  const std::vector<double> variances = VariancesAlong(
      sample, num_rows, num_dimensions, result.axes, kernels, num_threads);
  std::vector<int> order(kAxes);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return variances[a] > variances[b]; });
  for (int k = 0; k < num_dimensions; ++k) {
    for (int a = 0; a < kAxes; ++a) {
      result.axes[static_cast<int64_t>(k) * kAxes + a] =
          by_axis[static_cast<int64_t>(order[a]) * num_dimensions + k];
    }
  }
  result.captured = Captured(sample, variances);
  return result;
}

double ShareAlongAxes(const std::vector<double>& sample, int num_rows,
                      int num_dimensions, const std::vector<double>& axes,
                      const PairTileKernels& kernels, int num_threads) {
  return Captured(sample, VariancesAlong(sample, num_rows, num_dimensions, axes,
                                         kernels, num_threads));
}

}  // namespace warpclust
