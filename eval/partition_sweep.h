// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PartitionSweep: partitions of the same items by ascending values of a
// parameter, and the widest range of values over which they stay the same. Use
// it to choose the parameter.
//
//   PartitionSweep sweep;
//   for (const Clusters& clusters : results) {
//     RETURN_IF_ERROR(sweep.Add(clusters.labels, clusters.num_clusters()));
//   }
//   const PartitionSweep::Range range = sweep.MarkStable();
//
// Complexity: AdjustedRandIndex (partition_measures.h) and a copy of the labels
// per partition.

#ifndef WARPCLUST_EVAL_PARTITION_SWEEP_H_
#define WARPCLUST_EVAL_PARTITION_SWEEP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace warpclust {

struct PartitionStep {
  int32_t clusters = 0;
  // The items of the largest cluster.
  int32_t largest = 0;
  // Adjusted Rand index of this partition and the next one; none for the last.
  std::optional<double> agreement;
  // Whether it is in the widest stable range.
  bool stable = false;
};

// Measures one partition after the other.
class PartitionSweep {
 public:
  // Neighbors that agree at least this well are stable.
  static constexpr double kStable = 0.9;

  // 0 threads: all cores.
  explicit PartitionSweep(int num_threads = 0) : num_threads_(num_threads) {}

  // One label per item, of which there is at least one, in [0, num_clusters).
  // InvalidArgument for another number of items than before.
  absl::Status Add(absl::Span<const int32_t> labels, int32_t num_clusters);

  // Marks the longest run of partitions with more than one cluster in which
  // neighbors are stable; the first of equally long ones. Returns its first
  // partition and their number, 0 if there is no run of two.
  struct Range {
    size_t first = 0;
    size_t count = 0;
  };
  Range MarkStable();

  const std::vector<PartitionStep>& steps() const { return steps_; }

 private:
  const int num_threads_;
  std::vector<int32_t> previous_;
  std::vector<PartitionStep> steps_;
};

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_PARTITION_SWEEP_H_
