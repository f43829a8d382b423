// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/mix_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

constexpr int kRowsMixed = 16;
constexpr double kOverRoot = 0.25;  // 1 / sqrt(kRowsMixed)

}  // namespace

DenseDocuments MixRows(const DenseDocuments& documents, uint64_t seed) {
  const int32_t n = documents.num_documents();
  const int32_t dimensions = documents.num_dimensions;
  std::vector<double> mean(dimensions);
  for (int32_t d = 0; d < n; ++d) {
    const absl::Span<const float> row = documents.Row(d);
    for (int32_t k = 0; k < dimensions; ++k) mean[k] += row[k];
  }
  for (double& value : mean) value /= std::max(n, 1);
  std::vector<float> mixed;
  mixed.reserve(documents.values.size());
  std::vector<double> sum(dimensions);
  for (int32_t d = 0; d < n; ++d) {
    Random random(seed, static_cast<uint64_t>(d));
    std::fill(sum.begin(), sum.end(), 0);
    for (int i = 0; i < kRowsMixed; ++i) {
      const absl::Span<const float> row = documents.Row(
          static_cast<int32_t>(random.Below(static_cast<uint64_t>(n))));
      const double sign = random.Below(2) == 0 ? 1 : -1;
      for (int32_t k = 0; k < dimensions; ++k) {
        sum[k] += sign * (row[k] - mean[k]);
      }
    }
    for (int32_t k = 0; k < dimensions; ++k) {
      mixed.push_back(static_cast<float>(mean[k] + kOverRoot * sum[k]));
    }
  }
  return MakeDenseDocuments(std::move(mixed), n);
}

}  // namespace warpclust
