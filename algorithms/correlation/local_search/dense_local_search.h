// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseDescent: the Descent (descent.h) for graphs in which a good part of all
// pairs are edges. Sums of all vertices to every cluster, a column a cluster.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_LOCAL_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_LOCAL_SEARCH_H_

#include <cstdint>
#include <vector>

#include "algorithms/correlation/local_search/dense_rows.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

template <typename T>
class DenseDescent final : public Descent {
 public:
  // `rows` are those of `graph`; both must outlive the object.
  DenseDescent(const SignedGraph& graph, const DenseRows<T>& rows);

  Join BestClusterToJoin(int32_t vertex) override;
  void ListSums(int32_t vertex, std::vector<Join>* sums) override;
  int64_t BestGain(int32_t vertex) override;
  void BoundBestGains(std::vector<int64_t>* gains) override;
  void Mark(int32_t vertex) override {
    marks_[vertex / 64] |= uint64_t{1} << (vertex % 64);
  }
  bool Run(int32_t first, const SearchControl* control) override;

 protected:
  int64_t Apply(int32_t vertex, int32_t from, int32_t to, bool mark) override;
  void ClearMarks() override;
  void ClearSums() override;

 private:
  friend class Descent;

  // columns_ are those of the used labels, ascending.
  void ListColumns();

  // The best cluster of a vertex that gains by a move.
  int32_t BestCluster(int32_t vertex);

  // The first marked vertex that gains, circularly from `first`, or -1.
  int32_t NextImprovable(int32_t first);

  const DenseRows<T>& rows_;
  // sums_[label][v]; empty until a label is first used. All 0 while it is not.
  std::vector<std::vector<T>> sums_;
  // Of every vertex, padded: its sum to its own cluster, and its label.
  std::vector<T> own_;
  std::vector<T> lane_labels_;
  std::vector<uint64_t> marks_;
  std::vector<int32_t> column_labels_;
  std::vector<const T*> columns_;
  bool columns_are_listed_ = false;
  // Of BoundBestGains.
  std::vector<T> best_;
};

extern template class DenseDescent<int16_t>;
extern template class DenseDescent<int32_t>;
extern template class DenseDescent<int64_t>;

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_LOCAL_SEARCH_H_
