// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineOracle: online clustering straight from its definition (Teitler et al.
// 2010, Serial Clusterer 1; unit_vectors.h; cluster_merging.h). It uses maps,
// computes everything again at every step, and shares only plain values with
// the library. For tests of exact methods.
//
// Cost: O(clusters * their terms) per document.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TESTING_ONLINE_ORACLE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TESTING_ONLINE_ORACLE_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

class OnlineOracle {
 public:
  explicit OnlineOracle(const OnlineOptions& options) : options_(options) {}

  // Adds row `document`, which comes at `time` (or kNoTime), then merges if
  // merges are due. Returns the number of its cluster.
  int32_t Add(const UnitVectors& documents, int64_t document, int64_t time);

  // All fields.
  OnlineState State() const;
  // (from, into) of the merges so far.
  const std::vector<std::pair<int32_t, int32_t>>& merges() const {
    return merges_;
  }

  // Vectors of terms and fixed-point weights.
  using Vector = std::map<int32_t, int64_t>;
  // The K largest of `sums` as a unit vector. Ends the test program if a weight
  // differs from that of long double by more than rounding.
  static Vector UnitVector(const Vector& sums, int32_t terms);

 private:
  struct Cluster {
    Vector sums;
    Vector vector;
    int64_t size = 0;
    int64_t last_time = 0;
  };

  bool IsOpen(const Cluster& cluster) const;
  // Of a cluster whose sums changed.
  void UpdateVector(Cluster* cluster) const;
  void Merge();

  OnlineOptions options_;
  std::vector<Cluster> clusters_;
  std::vector<std::pair<int32_t, int32_t>> merges_;
  int64_t num_documents_ = 0;
  int64_t clock_ = OnlineState::kNoTime;
  int32_t num_terms_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TESTING_ONLINE_ORACLE_H_
