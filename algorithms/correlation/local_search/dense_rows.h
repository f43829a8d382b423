// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DenseRows: the weights of a signed graph as a matrix, and the loops over it
// that a dense descent is made of, with AVX2 where the CPU has it.
//
// Weights, sums and labels share one type, so that one vector holds as many of
// each; the caller sees to it that every sum of weights of one vertex and every
// label fits (int16_t: networks of a few thousand vertices with weights 1, -1).
//
// Memory: n x n weights and bits. Thread-safety: concurrent reads are safe.
// Determinism: integers; the same at every SIMD level.

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
  // Vertices that are looked at together; arrays are padded to a multiple.
  static constexpr int32_t kBlock = 64 / sizeof(T);

  DenseRows() = default;
  explicit DenseRows(const SignedGraph& graph);

  // Length of rows and of all arrays below: n, padded. Padding is 0 in rows and
  // must be in sums.
  int32_t stride() const { return stride_; }
  const T* row(int32_t vertex) const {
    return weights_.data() + static_cast<size_t>(vertex) * stride_;
  }

  // A bit a vertex: whether it is a neighbor; words() words.
  size_t words() const { return static_cast<size_t>(stride_) / 64 + 1; }
  const uint64_t* neighbor_bits(int32_t vertex) const {
    return neighbor_bits_.data() + vertex * words();
  }

 private:
  int32_t stride_ = 0;
  std::vector<T> weights_;
  std::vector<uint64_t> neighbor_bits_;
};

// The sums when a vertex with weights `row` leaves cluster `from` and joins
// `to`: `from_sums` and `to_sums` are those of all vertices to the two clusters
// and `own` those to their own cluster, given by `labels`. A null pointer
// stands for no such cluster. The vertex itself is to be set by the caller.
template <typename T>
void MoveSums(int32_t stride, const T* row, T from, T* from_sums, T to,
              T* to_sums, const T* labels, T* own);

// The first marked vertex in [begin, end) whose largest of `num_columns` sums
// or 0 exceeds its own; -1 if there is none. Marks of vertices in the blocks
// passed that cannot gain are deleted. `end` is at most stride, `marks` a bit a
// vertex.
template <typename T>
int32_t NextImprovable(const T* const* columns, int32_t num_columns,
                       const T* own, int32_t begin, int32_t end,
                       uint64_t* marks);

// Raises `best` to the sums to cluster `label` of all vertices that are not in
// it, where those are larger.
template <typename T>
void RaiseToOthers(int32_t stride, const T* sums, T label, const T* labels,
                   T* best);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_DENSE_ROWS_H_
