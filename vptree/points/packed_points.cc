// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/packed_points.h"

#include <algorithm>

#include "base/machine/resize_vector.h"

namespace warpclust {

bool AreFloats(absl::Span<const double> values, int num_threads) {
  // Values that are not mostly show at once.
  constexpr int64_t kFirst = 4096;
  const auto size = static_cast<int64_t>(values.size());
  if (!std::all_of(values.begin(), values.begin() + std::min(size, kFirst),
                   IsFloat)) {
    return false;
  }
  int64_t others = 0;
#pragma omp parallel for num_threads(num_threads) schedule(static) \
    reduction(+ : others)
  for (int64_t i = 0; i < size; ++i) others += IsFloat(values[i]) ? 0 : 1;
  return others == 0;
}

void AppendUnpacked(const PackedRows& rows, int num_threads,
                    std::vector<double>* values) {
  const auto before = static_cast<int64_t>(values->size());
  const auto num_floats = static_cast<int64_t>(rows.floats.size());
  ResizeVector(before + num_floats, num_threads, values);
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t i = 0; i < num_floats; ++i) {
    (*values)[before + i] = rows.floats[i];
  }
  values->insert(values->end(), rows.doubles.begin(), rows.doubles.end());
}

}  // namespace warpclust
