// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/dense_rows.h"

#include <bit>

#include "base/machine/call_with_simd.h"

namespace warpclust {

template <typename T>
DenseRows<T>::DenseRows(const SignedGraph& graph)
    : stride_((graph.num_vertices() + kBlock - 1) / kBlock * kBlock),
      weights_(static_cast<size_t>(graph.num_vertices()) * stride_, 0),
      neighbor_bits_(graph.num_vertices() * words(), 0) {
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    T* row = weights_.data() + static_cast<size_t>(v) * stride_;
    uint64_t* bits = neighbor_bits_.data() + v * words();
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      row[u] = static_cast<T>(graph.weights[i]);
      bits[u / 64] |= uint64_t{1} << (u % 64);
    }
  }
}

template class DenseRows<int16_t>;
template class DenseRows<int32_t>;
template class DenseRows<int64_t>;

namespace {

// Half a block; the compiler splits it where registers are shorter. Unaligned,
// and may alias: arrays of T are read through it.
template <typename T>
struct VectorOf {
  typedef T type
      __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
};

}  // namespace

template <typename T>
void MoveSums(int32_t stride, const T* row, T from, T* from_sums, T to,
              T* to_sums, const T* labels, T* own) {
  CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE {
    using Vector = typename VectorOf<T>::type;
    constexpr int32_t kLanes = 32 / sizeof(T);
    for (int32_t i = 0; i < stride; i += kLanes) {
      const Vector weight = *reinterpret_cast<const Vector*>(row + i);
      const Vector label = *reinterpret_cast<const Vector*>(labels + i);
      Vector sum = *reinterpret_cast<const Vector*>(own + i);
      if (from_sums != nullptr) {
        *reinterpret_cast<Vector*>(from_sums + i) -= weight;
        sum -= weight & (label == from);
      }
      if (to_sums != nullptr) {
        *reinterpret_cast<Vector*>(to_sums + i) += weight;
        sum += weight & (label == to);
      }
      *reinterpret_cast<Vector*>(own + i) = sum;
    }
  });
}

template <typename T>
int32_t NextImprovable(const T* const* columns, int32_t num_columns,
                       const T* own, int32_t begin, int32_t end,
                       uint64_t* marks) {
  return CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE {
    using Vector = typename VectorOf<T>::type;
    constexpr int32_t kLanes = 32 / sizeof(T);
    constexpr int32_t kBlock = DenseRows<T>::kBlock;
    constexpr uint64_t kAll = (uint64_t{1} << kBlock) - 1;
    for (int32_t block = begin / kBlock * kBlock; block < end;
         block += kBlock) {
      uint64_t& word = marks[block / 64];
      const int32_t shift = block % 64;
      if (((word >> shift) & kAll) == 0) continue;
      Vector best[2] = {};
      for (int32_t c = 0; c < num_columns; ++c) {
        for (int32_t half = 0; half < 2; ++half) {
          const Vector sum = *reinterpret_cast<const Vector*>(
              columns[c] + block + half * kLanes);
          best[half] = sum > best[half] ? sum : best[half];
        }
      }
      uint64_t improvable = 0;
      for (int32_t half = 0; half < 2; ++half) {
        const Vector gains = best[half] > *reinterpret_cast<const Vector*>(
                                              own + block + half * kLanes);
        typedef uint64_t Words __attribute__((vector_size(32)));
        const Words words = (Words)gains;
        if ((words[0] | words[1] | words[2] | words[3]) == 0) continue;
        for (int32_t lane = 0; lane < kLanes; ++lane) {
          improvable |= static_cast<uint64_t>(gains[lane] != 0)
                        << (half * kLanes + lane);
        }
      }
      word &= ~(kAll << shift) | (improvable << shift);
      uint64_t found = (word >> shift) & kAll;
      if (begin > block) found &= kAll << (begin - block);
      if (found == 0) continue;
      const int32_t vertex = block + std::countr_zero(found);
      return vertex < end ? vertex : -1;
    }
    return -1;
  });
}

template <typename T>
void RaiseToOthers(int32_t stride, const T* sums, T label, const T* labels,
                   T* best) {
  CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE {
    using Vector = typename VectorOf<T>::type;
    constexpr int32_t kLanes = 32 / sizeof(T);
    for (int32_t i = 0; i < stride; i += kLanes) {
      const Vector sum = *reinterpret_cast<const Vector*>(sums + i);
      const Vector old = *reinterpret_cast<const Vector*>(best + i);
      const Vector own = *reinterpret_cast<const Vector*>(labels + i) == label;
      *reinterpret_cast<Vector*>(best + i) = ((sum > old) & ~own) ? sum : old;
    }
  });
}

#define WARPCLUST_INSTANTIATE(T)                                            \
  template void MoveSums<T>(int32_t, const T*, T, T*, T, T*, const T*, T*); \
  template int32_t NextImprovable<T>(const T* const*, int32_t, const T*,    \
                                     int32_t, int32_t, uint64_t*);          \
  template void RaiseToOthers<T>(int32_t, const T*, T, const T*, T*)

WARPCLUST_INSTANTIATE(int16_t);
WARPCLUST_INSTANTIATE(int32_t);
WARPCLUST_INSTANTIATE(int64_t);

}  // namespace warpclust
