// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseLocalSearch: the LocalSearch for graphs in which many pairs are edges.
// It keeps the sums of all vertices to every cluster, one column per cluster.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_LOCAL_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_LOCAL_SEARCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/correlation/local_search/dense_rows.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

template <typename T>
class DenseLocalSearch final : public LocalSearch {
 public:
  // `rows` are those of `graph`, which must outlive the object.
  DenseLocalSearch(const SignedGraph& graph,
                   std::shared_ptr<const DenseRows<T>> rows);

  Join BestClusterToJoin(int32_t vertex) override;
  void ListSums(int32_t vertex, std::vector<Join>* sums) override;
  int64_t BestGain(int32_t vertex) override;
  void BoundBestGains(std::vector<int64_t>* gains) override;
  bool BoundsAreGains() const override { return true; }
  int32_t BestCluster(int32_t vertex) override;
  void Mark(int32_t vertex) override {
    marks_[vertex / 64] |= uint64_t{1} << (vertex % 64);
  }
  bool Descend(int32_t first, const SearchControl* control) override;

 protected:
  int64_t Apply(int32_t vertex, int32_t from, int32_t to, bool mark) override;
  void ClearMarks() override;
  void ClearSums() override;

 private:
  friend class LocalSearch;

  // Fills columns_ with those of the used labels, ascending.
  void ListColumns();

  // The first marked vertex that gains, circularly from `first`, or -1.
  int32_t NextImprovable(int32_t first);

  const std::shared_ptr<const DenseRows<T>> shared_rows_;
  const DenseRows<T>& rows_;
  // sums_[label][v]: empty until a label is first used, all 0 while it is
  // unused.
  std::vector<std::vector<T>> sums_;
  // By vertex, padded: the sum to its own cluster, and its label.
  std::vector<T> own_;
  std::vector<T> lane_labels_;
  std::vector<uint64_t> marks_;
  std::vector<int32_t> column_labels_;
  std::vector<const T*> columns_;
  bool columns_are_listed_ = false;
  // Scratch of BoundBestGains.
  std::vector<T> best_;
};

extern template class DenseLocalSearch<int16_t>;
extern template class DenseLocalSearch<int32_t>;
extern template class DenseLocalSearch<int64_t>;

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_LOCAL_SEARCH_H_
