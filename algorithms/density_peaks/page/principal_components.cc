// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/principal_components.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace warpclust {
namespace {

constexpr int kIterations = 300;
constexpr int64_t kMultiplications = 1000000000;
constexpr int64_t kMinRows = 1000;

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Scales to length 1; to all zeros if no longer than `negligible`.
void Normalize(double negligible, std::vector<double>* v) {
  const double length = std::sqrt(Dot(*v, *v));
  const double factor = length > negligible ? 1 / length : 0;
  for (double& x : *v) x *= factor;
}

// Symmetric, row-major; scaled so that nothing overflows.
std::vector<double> Covariance(const PointMatrix& points,
                               const std::vector<int32_t>& rows,
                               const std::vector<double>& mean) {
  const int32_t d = points.num_dimensions;
  double largest = 0;
  for (const int32_t row : rows) {
    const double* p = points.Row(row);
    for (int32_t k = 0; k < d; ++k) {
      largest = std::max(largest, std::abs(p[k] - mean[k]));
    }
  }
  std::vector<double> covariance(static_cast<size_t>(d) * d, 0.0);
  if (largest == 0) return covariance;
  std::vector<double> centered(d);
  for (const int32_t row : rows) {
    const double* p = points.Row(row);
    for (int32_t k = 0; k < d; ++k) centered[k] = (p[k] - mean[k]) / largest;
    for (int32_t a = 0; a < d; ++a) {
      const double factor = centered[a];
      if (factor == 0) continue;
      double* out = covariance.data() + static_cast<size_t>(a) * d;
      for (int32_t b = a; b < d; ++b) out[b] += factor * centered[b];
    }
  }
  for (int32_t a = 0; a < d; ++a) {
    for (int32_t b = 0; b < a; ++b) {
      covariance[static_cast<size_t>(a) * d + b] =
          covariance[static_cast<size_t>(b) * d + a];
    }
  }
  return covariance;
}

std::vector<double> Multiply(const std::vector<double>& matrix,
                             const std::vector<double>& v) {
  const size_t d = v.size();
  std::vector<double> out(d, 0.0);
  for (size_t a = 0; a < d; ++a) {
    double sum = 0;
    for (size_t b = 0; b < d; ++b) sum += matrix[a * d + b] * v[b];
    out[a] = sum;
  }
  return out;
}

void FixSign(std::vector<double>* v) {
  size_t largest = 0;
  for (size_t k = 1; k < v->size(); ++k) {
    if (std::abs((*v)[k]) > std::abs((*v)[largest])) largest = k;
  }
  if ((*v)[largest] >= 0) return;
  for (double& x : *v) x = -x;
}

}  // namespace

PrincipalComponents FindPrincipalComponents(const PointMatrix& points) {
  const int64_t n = points.num_points;
  const int64_t d = points.num_dimensions;
  const int64_t num_rows =
      std::min(n, std::max(kMinRows, kMultiplications / (d * d)));
  std::vector<int32_t> rows;
  rows.reserve(num_rows);
  for (int64_t k = 0; k < num_rows; ++k) {
    rows.push_back(static_cast<int32_t>(k * n / num_rows));
  }

  PrincipalComponents result;
  result.mean.assign(d, 0.0);
  for (const int32_t row : rows) {
    const double* p = points.Row(row);
    for (int64_t k = 0; k < d; ++k) result.mean[k] += p[k];
  }
  for (double& x : result.mean) x /= static_cast<double>(num_rows);

  const std::vector<double> covariance = Covariance(points, rows, result.mean);
  double trace = 0;
  for (int64_t k = 0; k < d; ++k) trace += covariance[k * d + k];

  // Any start that is orthogonal to neither direction will do.
  std::vector<double>& first = result.first;
  std::vector<double>& second = result.second;
  uint64_t state = 1;
  for (int64_t k = 0; k < d; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    first.push_back(1.0 + static_cast<double>(state >> 40) / (1 << 24));
    second.push_back((state >> 33 & 1) ? 1.0 : -1.0);
  }
  const double negligible = 1e-13 * trace;
  for (int i = 0; i < kIterations; ++i) {
    first = Multiply(covariance, first);
    Normalize(negligible, &first);
    second = Multiply(covariance, second);
    // Twice: what rounding left of it the first time.
    for (int pass = 0; pass < 2; ++pass) {
      const double along = Dot(first, second);
      for (int64_t k = 0; k < d; ++k) second[k] -= along * first[k];
    }
    Normalize(negligible, &second);
  }
  FixSign(&first);
  FixSign(&second);
  if (trace > 0) {
    result.first_share = Dot(first, Multiply(covariance, first)) / trace;
    result.second_share = Dot(second, Multiply(covariance, second)) / trace;
  }
  return result;
}

double Project(const double* row, const std::vector<double>& mean,
               const std::vector<double>& direction) {
  double sum = 0;
  for (size_t k = 0; k < mean.size(); ++k) {
    sum += (row[k] - mean[k]) * direction[k];
  }
  return sum;
}

}  // namespace warpclust
