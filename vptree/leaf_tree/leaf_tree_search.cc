// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The baseline level, a lane a vector, and the choice of the level.

#include "vptree/leaf_tree/leaf_tree_search.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "vptree/leaf_tree/leaf_tree_search_levels.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {
namespace {

#define WARPCLUST_TARGET
#define WARPCLUST_INLINE inline __attribute__((always_inline))

using Vector = double;
using Counts = int64_t;
constexpr int kLanes = 1;

inline Vector Load(const double* p) { return *p; }
inline void Store(double* p, Vector v) { *p = v; }
inline Vector Broadcast(double x) { return x; }
inline Vector Add(Vector a, Vector b) { return a + b; }
inline Vector Sub(Vector a, Vector b) { return a - b; }
inline Vector Mul(Vector a, Vector b) { return a * b; }
inline Vector MulAdd(Vector a, Vector b, Vector c) { return std::fma(a, b, c); }
inline Vector Max(Vector a, Vector b) { return a > b ? a : b; }
inline Vector Min(Vector a, Vector b) { return a < b ? a : b; }
inline Vector Abs(Vector a) { return std::fabs(a); }
inline Vector Sqrt(Vector a) { return std::sqrt(a); }
inline uint32_t Less(Vector a, Vector b) { return a < b ? 1 : 0; }
inline uint32_t LessEqual(Vector a, Vector b) { return a <= b ? 1 : 0; }

inline Counts LoadCounts(const int64_t* p) { return *p; }
inline void StoreCounts(int64_t* p, Counts c) { *p = c; }
inline Counts CountLess(Counts counts, Vector a, Vector b) {
  return counts + (a < b ? 1 : 0);
}

// Bit l: values[l] < bound, of 32.
inline uint32_t LessThan32(const int32_t* values, int32_t bound) {
  uint32_t mask = 0;
  for (int l = 0; l < kLeafSize; ++l) {
    mask |= static_cast<uint32_t>(values[l] < bound) << l;
  }
  return mask;
}
inline uint32_t GreaterThan32(const int32_t* values, int32_t bound) {
  uint32_t mask = 0;
  for (int l = 0; l < kLeafSize; ++l) {
    mask |= static_cast<uint32_t>(values[l] > bound) << l;
  }
  return mask;
}

#include "vptree/leaf_tree/leaf_tree_bounds.inc"
#include "vptree/leaf_tree/leaf_tree_count.inc"
#include "vptree/leaf_tree/leaf_tree_label.inc"
#include "vptree/leaf_tree/leaf_tree_nearest.inc"
#include "vptree/leaf_tree/leaf_tree_table.inc"

#undef WARPCLUST_INLINE
#undef WARPCLUST_TARGET

}  // namespace

const LeafTreeSearch<BoxBounds>& BoxTreeSearchFor(Norm norm,
                                                  int32_t num_dimensions,
                                                  SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) {
    return leaf_tree_avx512::BoxTreeSearch(norm, num_dimensions);
  }
  if (level == SimdLevel::kAvx2) {
    return leaf_tree_avx2::BoxTreeSearch(norm, num_dimensions);
  }
#else
  static_cast<void>(level);
#endif
  return Table<BoxBounds>(norm, num_dimensions);
}

const LeafTreeSearch<VantageBounds>& VpTreeSearchFor(Norm norm,
                                                     int32_t num_dimensions,
                                                     SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) {
    return leaf_tree_avx512::VpTreeSearch(norm, num_dimensions);
  }
  if (level == SimdLevel::kAvx2) {
    return leaf_tree_avx2::VpTreeSearch(norm, num_dimensions);
  }
#else
  static_cast<void>(level);
#endif
  return Table<VantageBounds>(norm, num_dimensions);
}

}  // namespace warpclust
