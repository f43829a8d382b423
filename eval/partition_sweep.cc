// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/partition_sweep.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/machine/count_cells.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "eval/partition_measures.h"

namespace warpclust {
namespace {

constexpr int64_t kItemsPerThread = 1 << 14;

}  // namespace

absl::Status PartitionSweep::Add(absl::Span<const int32_t> labels,
                                 int32_t num_clusters) {
  const auto n = static_cast<int64_t>(labels.size());
  std::vector<int64_t> sizes;
  if (steps_.empty()) {
    sizes = CountCells(n, num_clusters, num_threads_,
                       [&](int64_t i) { return labels[i]; });
  } else if (labels.size() != previous_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected as many labels as before, found ",
                     previous_.size(), " and ", n));
  } else {
    PartitionStep& last = steps_.back();
    last.agreement = eval_internal::AdjustedRandIndexBelow(
        previous_, last.clusters, labels, num_clusters, num_threads_, &sizes);
  }
  PartitionStep step;
  step.clusters = num_clusters;
  step.largest =
      static_cast<int32_t>(*std::max_element(sizes.begin(), sizes.end()));
  const int threads = ThreadsFor(n, kItemsPerThread, num_threads_);
  ResizeVector(n, threads, &previous_);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < n; ++i) previous_[i] = labels[i];
  steps_.push_back(step);
  return absl::OkStatus();
}

PartitionSweep::Range PartitionSweep::MarkStable() {
  Range widest;
  for (size_t first = 0; first < steps_.size(); ++first) {
    size_t last = first;
    while (last + 1 < steps_.size() && steps_[last].clusters > 1 &&
           steps_[last + 1].clusters > 1 &&
           *steps_[last].agreement >= kStable) {
      ++last;
    }
    const size_t count = last - first + 1;
    if (count > 1 && count > widest.count) widest = {first, count};
  }
  for (size_t k = 0; k < widest.count; ++k) {
    steps_[widest.first + k].stable = true;
  }
  return widest;
}

}  // namespace warpclust
