// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_search_levels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "vptree/points/nearest_point.h"

namespace warpclust {

#if defined(__x86_64__)
namespace leaf_tree_avx2 {
namespace {

#define WARPCLUST_TARGET \
  __attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt")))
#define WARPCLUST_INLINE WARPCLUST_TARGET inline __attribute__((always_inline))

using Vector = __m256d;
using Counts = __m256i;
constexpr int kLanes = 4;

WARPCLUST_INLINE Vector Load(const double* p) { return _mm256_load_pd(p); }
WARPCLUST_INLINE void Store(double* p, Vector v) { _mm256_store_pd(p, v); }
WARPCLUST_INLINE Vector Broadcast(double x) { return _mm256_set1_pd(x); }
WARPCLUST_INLINE Vector Add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
WARPCLUST_INLINE Vector Sub(Vector a, Vector b) { return _mm256_sub_pd(a, b); }
WARPCLUST_INLINE Vector Mul(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
WARPCLUST_INLINE Vector MulAdd(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_pd(a, b, c);
}
WARPCLUST_INLINE Vector Max(Vector a, Vector b) { return _mm256_max_pd(a, b); }
WARPCLUST_INLINE Vector Min(Vector a, Vector b) { return _mm256_min_pd(a, b); }
WARPCLUST_INLINE Vector Abs(Vector a) {
  return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
WARPCLUST_INLINE Vector Sqrt(Vector a) { return _mm256_sqrt_pd(a); }
WARPCLUST_INLINE uint32_t Less(Vector a, Vector b) {
  return static_cast<uint32_t>(
      _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)));
}
WARPCLUST_INLINE uint32_t LessEqual(Vector a, Vector b) {
  return static_cast<uint32_t>(
      _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)));
}

WARPCLUST_INLINE Counts LoadCounts(const int64_t* p) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}
WARPCLUST_INLINE void StoreCounts(int64_t* p, Counts c) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(p), c);
}
WARPCLUST_INLINE Counts CountLess(Counts counts, Vector a, Vector b) {
  return _mm256_sub_epi64(counts,
                          _mm256_castpd_si256(_mm256_cmp_pd(a, b, _CMP_LT_OQ)));
}

// Bit i: a[i] > b[i], of 8.
WARPCLUST_INLINE uint32_t Greater8(__m256i a, __m256i b) {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))));
}
// Bit l: values[l] < bound, of 32.
WARPCLUST_INLINE uint32_t LessThan32(const int32_t* values, int32_t bound) {
  const __m256i b = _mm256_set1_epi32(bound);
  const __m256i* v = reinterpret_cast<const __m256i*>(values);
  return Greater8(b, _mm256_load_si256(v)) |
         Greater8(b, _mm256_load_si256(v + 1)) << 8 |
         Greater8(b, _mm256_load_si256(v + 2)) << 16 |
         Greater8(b, _mm256_load_si256(v + 3)) << 24;
}
WARPCLUST_INLINE uint32_t GreaterThan32(const int32_t* values, int32_t bound) {
  const __m256i b = _mm256_set1_epi32(bound);
  const __m256i* v = reinterpret_cast<const __m256i*>(values);
  return Greater8(_mm256_load_si256(v), b) |
         Greater8(_mm256_load_si256(v + 1), b) << 8 |
         Greater8(_mm256_load_si256(v + 2), b) << 16 |
         Greater8(_mm256_load_si256(v + 3), b) << 24;
}

#include "vptree/leaf_tree/leaf_tree_bounds.inc"
#include "vptree/leaf_tree/leaf_tree_count.inc"
#include "vptree/leaf_tree/leaf_tree_label.inc"
#include "vptree/leaf_tree/leaf_tree_nearest.inc"
#include "vptree/leaf_tree/leaf_tree_table.inc"

#undef WARPCLUST_INLINE
#undef WARPCLUST_TARGET

}  // namespace

const LeafTreeSearch<BoxBounds>& BoxTreeSearch(Norm norm, int32_t dimensions) {
  return Table<BoxBounds>(norm, dimensions);
}
const LeafTreeSearch<VantageBounds>& VpTreeSearch(Norm norm,
                                                  int32_t dimensions) {
  return Table<VantageBounds>(norm, dimensions);
}

}  // namespace leaf_tree_avx2
#endif  // defined(__x86_64__)

}  // namespace warpclust
