// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: random histories of a collection: batches of additions, removals
// and modifications (removals whose vertex comes back with another number and
// much the same neighbors).

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_TESTING_RANDOM_CHANGES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_TESTING_RANDOM_CHANGES_H_

#include <cstdint>
#include <random>
#include <set>

#include "algorithms/dclustr/testing/dclustr_oracle.h"

namespace warpclust {

class RandomChanges {
 public:
  // The seed picks sizes, shape and density, and whether weights are all equal,
  // few, or floats with all their bits in [1/4, 1].
  explicit RandomChanges(uint32_t seed);

  // The next batch for a collection that is `graph` now: at most about 20
  // additions (never more than about 80 vertices in all), now and then none, or
  // the removal of everything. New vertices get the next numbers.
  NaiveChange Next(const NaiveGraph& graph);

 private:
  int32_t Below(int32_t limit) {
    return static_cast<int32_t>(random_() % limit);
  }
  float Weight();
  // Joins `v` with each of `others` with probability `percent`.
  void Join(int32_t v, const std::set<int32_t>& others, int percent,
            NaiveChange* change);

  std::mt19937 random_;
  int weight_kind_;
  int32_t most_added_;
  int percent_;
  int32_t next_vertex_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_TESTING_RANDOM_CHANGES_H_
