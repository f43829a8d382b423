// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The perturbation of ILS as starts.h defines it: which vertex moves where, and
// how many of them.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_PERTURBATION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_PERTURBATION_H_

#include <cstdint>

#include "algorithms/correlation/local_search/cluster_slots.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "base/numbers/random.h"

namespace warpclust {

struct PerturbationMove {
  int32_t vertex = -1;
  int32_t label = -1;  // -1: a new cluster.
};

// Draws a move; vertex -1 if it changes nothing. `labels` is not empty.
inline PerturbationMove DrawPerturbation(const Labels& labels,
                                         const ClusterSlots& slots,
                                         Random* random) {
  const auto vertex = static_cast<int32_t>(random->Below(labels.size()));
  int32_t label;
  do {
    label = static_cast<int32_t>(random->Below(slots.NumSlots()));
  } while (slots.size(label) == 0);
  if (label != labels[vertex]) return {vertex, label};
  if (slots.size(label) == 1) return {};
  return {vertex, -1};
}

// How many vertices the next perturbation moves.
class PerturbationLevel {
 public:
  // `options` must outlive the object.
  explicit PerturbationLevel(const CorrelationOptions& options)
      : options_(options) {}

  int64_t level() const { return level_; }
  bool AtEnd() const { return level_ > options_.perturbation_max; }
  // After a descent that was better than the best one before it, or was not.
  void Succeed() {
    level_ = 1;
    failures_ = 0;
  }
  void Fail() {
    if (++failures_ < options_.ils_iterations) return;
    failures_ = 0;
    ++level_;
  }

 private:
  const CorrelationOptions& options_;
  int64_t level_ = 1;
  int64_t failures_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_PERTURBATION_H_
