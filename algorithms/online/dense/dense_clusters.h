// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseClusters: the clusters of an online clustering of dense documents: the
// sums of their documents' weights and their vectors (dense_vectors.h). A
// closed cluster has a vector of zeros, which is similar to nothing.
//
// Founding and joining cost O(dimensions). The vector of a cluster that changed
// is made when it is asked for: threads may ask for those of different clusters
// at the same time. Memory: 12 bytes per dimension and 17 more per cluster,
// closed ones included.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_CLUSTERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_CLUSTERS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/dense/dense_vectors.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

class DenseClusters {
 public:
  static constexpr int32_t kNone = -1;

  // From a valid state of dense documents. Without terms it does not know the
  // number of dimensions.
  explicit DenseClusters(const OnlineState& state);

  // If that number is not known.
  void SetDimensions(int32_t num_dimensions);

  int32_t size() const { return static_cast<int32_t>(sizes_.size()); }
  int32_t num_dimensions() const { return num_dimensions_; }
  int64_t last_time(int32_t cluster) const { return last_times_[cluster]; }
  const int32_t* WeightsOf(int32_t cluster) const {
    if (is_stale_[cluster]) Weigh(cluster);
    return weights_.data() + At(cluster);
  }
  bool IsClosed(int32_t cluster) const { return closed_[cluster]; }

  // Appends a cluster of one document and returns its number. `clock` becomes
  // its last time.
  int32_t Found(const int32_t* weights, int64_t clock);
  // Adds a document to a cluster that is not closed.
  void Join(int32_t cluster, const int32_t* weights, int64_t clock);
  // Adds the sums and the size of `from` to `into`, whose last time becomes the
  // later of both; closes `from`, with size 0.
  void Merge(int32_t from, int32_t into);
  // Forgets the sums of a cluster.
  void Close(int32_t cluster);

  // All sums, sizes and last times; the caller fills in the other fields.
  OnlineState State() const;

 private:
  int64_t At(int32_t cluster) const {
    return static_cast<int64_t>(cluster) * num_dimensions_;
  }
  int32_t Append(int64_t size, int64_t last_time);
  void Weigh(int32_t cluster) const;

  int32_t num_dimensions_;
  std::vector<int64_t> sums_;
  // Of clusters that are not stale.
  mutable std::vector<int32_t> weights_;
  mutable std::vector<char> is_stale_;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> last_times_;
  std::vector<bool> closed_;
};

// The cluster most similar to `weights` among those below `end` that are
// accepted, if its similarity is above `above`, else kNone. Of equal
// similarities the smallest number wins. O(end * dimensions).
template <typename Accepts>
int32_t NearestDense(const int32_t* weights, const DenseClusters& clusters,
                     int32_t end, int64_t above, const Accepts& accepts) {
  int32_t nearest = DenseClusters::kNone;
  int64_t highest = above;
  for (int32_t c = 0; c < end; ++c) {
    if (clusters.IsClosed(c)) continue;
    const int64_t similarity = DenseSimilarity(weights, clusters.WeightsOf(c),
                                               clusters.num_dimensions());
    if (similarity > highest && accepts(c)) {
      highest = similarity;
      nearest = c;
    }
  }
  return nearest;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_CLUSTERS_H_
