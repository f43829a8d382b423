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
namespace leaf_tree_avx512 {
namespace {

#define WARPCLUST_TARGET                       \
  __attribute__((                              \
      target("avx2,fma,bmi,bmi2,lzcnt,popcnt," \
             "avx512f,avx512bw,avx512dq,avx512vl")))
#define WARPCLUST_INLINE WARPCLUST_TARGET inline __attribute__((always_inline))

using Vector = __m512d;
using Counts = __m512i;
constexpr int kLanes = 8;

WARPCLUST_INLINE Vector Load(const double* p) { return _mm512_load_pd(p); }
WARPCLUST_INLINE void Store(double* p, Vector v) { _mm512_store_pd(p, v); }
WARPCLUST_INLINE Vector Broadcast(double x) { return _mm512_set1_pd(x); }
WARPCLUST_INLINE Vector Add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
WARPCLUST_INLINE Vector Sub(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
WARPCLUST_INLINE Vector Mul(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
WARPCLUST_INLINE Vector MulAdd(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_pd(a, b, c);
}
// The maskz forms: g++ 12 warns of the undefined operand inside the plain ones.
WARPCLUST_INLINE Vector Max(Vector a, Vector b) {
  return _mm512_maskz_max_pd(0xff, a, b);
}
WARPCLUST_INLINE Vector Min(Vector a, Vector b) {
  return _mm512_maskz_min_pd(0xff, a, b);
}
WARPCLUST_INLINE Vector Abs(Vector a) { return _mm512_abs_pd(a); }
WARPCLUST_INLINE Vector Sqrt(Vector a) { return _mm512_maskz_sqrt_pd(0xff, a); }
WARPCLUST_INLINE uint32_t Less(Vector a, Vector b) {
  return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
}
WARPCLUST_INLINE uint32_t LessEqual(Vector a, Vector b) {
  return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}

WARPCLUST_INLINE Counts LoadCounts(const int64_t* p) {
  return _mm512_load_si512(p);
}
WARPCLUST_INLINE void StoreCounts(int64_t* p, Counts c) {
  _mm512_store_si512(p, c);
}
WARPCLUST_INLINE Counts CountLess(Counts counts, Vector a, Vector b) {
  return _mm512_mask_sub_epi64(counts, _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ),
                               counts, _mm512_set1_epi64(-1));
}

// Bit l: values[l] < bound, of 32.
WARPCLUST_INLINE uint32_t LessThan32(const int32_t* values, int32_t bound) {
  const __m512i b = _mm512_set1_epi32(bound);
  return static_cast<uint32_t>(
             _mm512_cmplt_epi32_mask(_mm512_load_si512(values), b)) |
         static_cast<uint32_t>(
             _mm512_cmplt_epi32_mask(_mm512_load_si512(values + 16), b))
             << 16;
}
WARPCLUST_INLINE uint32_t GreaterThan32(const int32_t* values, int32_t bound) {
  const __m512i b = _mm512_set1_epi32(bound);
  return static_cast<uint32_t>(
             _mm512_cmpgt_epi32_mask(_mm512_load_si512(values), b)) |
         static_cast<uint32_t>(
             _mm512_cmpgt_epi32_mask(_mm512_load_si512(values + 16), b))
             << 16;
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

}  // namespace leaf_tree_avx512
#endif  // defined(__x86_64__)

}  // namespace warpclust
