// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseRows: the weights of a signed graph as a matrix, and the vectorized
// loops over it that the dense local search consists of. Weights, sums and
// labels share the type T; the caller guarantees that every label and every sum
// of weights of one vertex fits in it.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_ROWS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/signed/signed_graph.h"

namespace warpclust {

template <typename T>
class DenseRows {
 public:
  // The vertices of one step; arrays are padded to a multiple of it.
  static constexpr int32_t kBlock = 64 / sizeof(T);

  explicit DenseRows(const SignedGraph& graph);

  // The length of rows and of all arrays below: n, padded. Padding is 0 in rows
  // and must be 0 in sums.
  int32_t stride() const { return stride_; }
  const T* row(int32_t vertex) const {
    return weights_.data() + static_cast<size_t>(vertex) * stride_;
  }

  // One bit per vertex: whether it is a neighbor. words() words.
  size_t words() const { return static_cast<size_t>(stride_) / 64 + 1; }
  const uint64_t* neighbor_bits(int32_t vertex) const {
    return neighbor_bits_.data() + vertex * words();
  }

 private:
  int32_t stride_ = 0;
  std::vector<T> weights_;
  std::vector<uint64_t> neighbor_bits_;
};

// Updates the sums when a vertex with weights `row` leaves cluster `from` and
// joins `to`: `from_sums` and `to_sums` are the sums of all vertices to these
// two clusters, `own` the sums to their own cluster, given by `labels`. A null
// pointer stands for no such cluster. The entries of the vertex itself are left
// to the caller.
template <typename T>
void MoveSums(int32_t stride, const T* row, T from, T* from_sums, T to,
              T* to_sums, const T* labels, T* own);

// The first marked vertex in [begin, end) for which 0 or the largest of its
// `num_columns` sums exceeds `own`; -1 without one. Clears the marks of
// vertices that cannot gain in the blocks that it passes. `end` is at most
// stride; `marks` has one bit per vertex.
template <typename T>
int32_t NextImprovable(const T* const* columns, int32_t num_columns,
                       const T* own, int32_t begin, int32_t end,
                       uint64_t* marks);

// Raises `best` to the sums to cluster `label`, where these are larger, of all
// vertices outside the cluster.
template <typename T>
void RaiseToOthers(int32_t stride, const T* sums, T label, const T* labels,
                   T* best);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_ROWS_H_
