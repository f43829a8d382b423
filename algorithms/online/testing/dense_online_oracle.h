// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseOnlineOracle: online clustering of dense documents straight from its
// definition (dense/dense_vectors.h, clusters/cluster_merging.h). It computes
// everything again at every step and shares only plain values with the library.
// For tests.
//
// Cost: O(clusters * dimensions) per document.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TESTING_DENSE_ONLINE_ORACLE_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TESTING_DENSE_ONLINE_ORACLE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

class DenseOnlineOracle {
 public:
  explicit DenseOnlineOracle(const OnlineOptions& options)
      : options_(options) {}

  // Adds a document that comes at `time` (or kNoTime), then merges if merges
  // are due. Returns the number of its cluster.
  int32_t Add(absl::Span<const float> document, int64_t time);

  // All fields.
  OnlineState State() const;
  // (from, into) of the merges so far.
  const std::vector<std::pair<int32_t, int32_t>>& merges() const {
    return merges_;
  }

 private:
  struct Cluster {
    std::vector<int64_t> sums;
    int64_t size = 0;
    int64_t last_time = 0;
  };

  bool IsOpen(const Cluster& cluster) const;
  // The most similar open cluster before `end` and above the threshold, or -1.
  int32_t Nearest(const std::vector<int64_t>& vector, size_t end,
                  const Decimal& threshold) const;
  void Merge();

  OnlineOptions options_;
  std::vector<Cluster> clusters_;
  std::vector<std::pair<int32_t, int32_t>> merges_;
  int64_t num_documents_ = 0;
  int64_t clock_ = OnlineState::kNoTime;
  int32_t num_dimensions_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TESTING_DENSE_ONLINE_ORACLE_H_
