// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_filter_kernels.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

// Appends the positions of the bits of `passed`, counted from `base`.
inline int AppendBits(uint32_t passed, int base, uint16_t* columns, int count) {
  while (passed != 0) {
    columns[count++] = static_cast<uint16_t>(base + __builtin_ctz(passed));
    passed &= passed - 1;
  }
  return count;
}

// The beginning of a row that is soon to be read, from the second-level cache;
// the processor sees for itself how it goes on.
inline void PrefetchRow(const uint16_t* row) {
  constexpr int kLine = 32;
  __builtin_prefetch(row);
  __builtin_prefetch(row + kLine);
  __builtin_prefetch(row + 2 * kLine);
  __builtin_prefetch(row + 3 * kLine);
}

inline int64_t KeepTerms(const int32_t* terms, const float* weights,
                         int64_t size, const int32_t* rank, uint32_t last,
                         int32_t num_bounded, int32_t* kept_terms,
                         float* kept_weights, double* rest) {
  int64_t kept = 0;
  for (int64_t e = 0; e < size; ++e) {
    const int32_t term = rank[std::min(static_cast<uint32_t>(terms[e]), last)];
    // Written always, kept if it has a rank: a branch would be mispredicted.
    kept_terms[kept] = term;
    kept_weights[kept] = weights[e];
    kept += term >= 0;
  }
  double sum = 0;
  for (int64_t e = 0; e < kept; ++e) {
    // The weight or, as bits, 0.
    uint32_t bits;
    std::memcpy(&bits, kept_weights + e, sizeof(bits));
    bits &= -static_cast<uint32_t>(kept_terms[e] < num_bounded);
    float weight;
    std::memcpy(&weight, &bits, sizeof(weight));
    sum += static_cast<double>(weight) * weight;
  }
  *rest = sum;
  return kept;
}

// Vectors of 16 bytes as the compiler offers them on every machine; SSE2 on
// x86-64, where two operations have no portable spelling that compiles well.
namespace baseline {

#define WARPCLUST_TARGET

typedef uint16_t VectorU16 __attribute__((vector_size(16)));
typedef float VectorFloat __attribute__((vector_size(16)));
constexpr int kUnroll = 8;
constexpr int kLanesU16 = 8;
constexpr int kLanesFloat = 4;
constexpr double kDenseShareU16 = 0.10;
constexpr double kDenseShareFloat = 0.20;

inline VectorU16 ZeroU16() { return VectorU16{}; }
inline VectorU16 BroadcastU16(uint16_t w) {
  return VectorU16{w, w, w, w, w, w, w, w};
}
inline VectorU16 LoadU16(const uint16_t* p) {
  VectorU16 v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
inline void StoreU16(uint16_t* p, VectorU16 v) {
  std::memcpy(p, &v, sizeof(v));
}
inline VectorU16 AddU16(VectorU16 a, VectorU16 b) { return a + b; }
inline VectorU16 AddSaturatedU16(VectorU16 a, VectorU16 b) {
#if defined(__x86_64__)
  return reinterpret_cast<VectorU16>(_mm_adds_epu16(
      reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  const VectorU16 sum = a + b;
  return sum < a ? BroadcastU16(0xffff) : sum;
#endif
}
inline VectorU16 MultiplyLowU16(VectorU16 a, VectorU16 b) { return a * b; }
inline VectorU16 MaxU16(VectorU16 a, VectorU16 b) { return a > b ? a : b; }
inline VectorU16 MultiplyHighU16(VectorU16 a, VectorU16 b) {
#if defined(__x86_64__)
  return reinterpret_cast<VectorU16>(_mm_mulhi_epu16(
      reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  VectorU16 v;
  for (int i = 0; i < kLanesU16; ++i) {
    v[i] = static_cast<uint16_t>((uint32_t{a[i]} * b[i]) >> 16);
  }
  return v;
#endif
}
inline uint32_t AboveU16(VectorU16 a, VectorU16 b) {
  const auto above = a > b;
#if defined(__x86_64__)
  return static_cast<uint32_t>(_mm_movemask_epi8(
      _mm_packs_epi16(reinterpret_cast<__m128i>(above), _mm_setzero_si128())));
#else
  uint32_t mask = 0;
  for (int i = 0; i < kLanesU16; ++i) mask |= (above[i] & 1u) << i;
  return mask;
#endif
}

inline VectorFloat ZeroFloat() { return VectorFloat{}; }
inline VectorFloat BroadcastFloat(float w) { return VectorFloat{w, w, w, w}; }
inline VectorFloat LoadFloat(const float* p) {
  VectorFloat v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
inline void StoreFloat(float* p, VectorFloat v) {
  std::memcpy(p, &v, sizeof(v));
}
inline VectorFloat MultiplyFloat(VectorFloat a, VectorFloat b) { return a * b; }
inline VectorFloat MultiplyAddFloat(VectorFloat a, VectorFloat b,
                                    VectorFloat c) {
  return a * b + c;
}
inline uint32_t ReachesFloat(VectorFloat a, VectorFloat b) {
  const auto reaches = a >= b;
#if defined(__x86_64__)
  return static_cast<uint32_t>(
      _mm_movemask_ps(reinterpret_cast<__m128>(reaches)));
#else
  uint32_t mask = 0;
  for (int i = 0; i < kLanesFloat; ++i) mask |= (reaches[i] & 1u) << i;
  return mask;
#endif
}
inline int Append(uint32_t passed, int base, uint16_t* columns, int count) {
  return AppendBits(passed, base, columns, count);
}

#include "graph/cosine/filter/cosine_filter_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace baseline

#if defined(__x86_64__)

namespace avx2 {

#define WARPCLUST_TARGET __attribute__((target("avx2,fma")))

using VectorU16 = __m256i;
using VectorFloat = __m256;
constexpr int kUnroll = 8;
constexpr int kLanesU16 = 16;
constexpr int kLanesFloat = 8;
constexpr double kDenseShareU16 = 0.05;
constexpr double kDenseShareFloat = 0.10;

WARPCLUST_TARGET inline VectorU16 ZeroU16() { return _mm256_setzero_si256(); }
WARPCLUST_TARGET inline VectorU16 BroadcastU16(uint16_t w) {
  return _mm256_set1_epi16(static_cast<int16_t>(w));
}
WARPCLUST_TARGET inline VectorU16 LoadU16(const uint16_t* p) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
}
WARPCLUST_TARGET inline void StoreU16(uint16_t* p, VectorU16 v) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(p), v);
}
WARPCLUST_TARGET inline VectorU16 AddU16(VectorU16 a, VectorU16 b) {
  return _mm256_add_epi16(a, b);
}
WARPCLUST_TARGET inline VectorU16 AddSaturatedU16(VectorU16 a, VectorU16 b) {
  return _mm256_adds_epu16(a, b);
}
WARPCLUST_TARGET inline VectorU16 MultiplyLowU16(VectorU16 a, VectorU16 b) {
  return _mm256_mullo_epi16(a, b);
}
WARPCLUST_TARGET inline VectorU16 MultiplyHighU16(VectorU16 a, VectorU16 b) {
  return _mm256_mulhi_epu16(a, b);
}
WARPCLUST_TARGET inline VectorU16 MaxU16(VectorU16 a, VectorU16 b) {
  return _mm256_max_epu16(a, b);
}
WARPCLUST_TARGET inline uint32_t AboveU16(VectorU16 a, VectorU16 b) {
  // Unsigned a <= b where the saturated difference is zero.
  const __m256i not_above =
      _mm256_cmpeq_epi16(_mm256_subs_epu16(a, b), _mm256_setzero_si256());
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(not_above),
                                        _mm256_extracti128_si256(not_above, 1));
  return static_cast<uint32_t>(_mm_movemask_epi8(bytes)) ^ 0xffffu;
}

WARPCLUST_TARGET inline VectorFloat ZeroFloat() { return _mm256_setzero_ps(); }
WARPCLUST_TARGET inline VectorFloat BroadcastFloat(float w) {
  return _mm256_set1_ps(w);
}
WARPCLUST_TARGET inline VectorFloat LoadFloat(const float* p) {
  return _mm256_load_ps(p);
}
WARPCLUST_TARGET inline void StoreFloat(float* p, VectorFloat v) {
  _mm256_store_ps(p, v);
}
WARPCLUST_TARGET inline VectorFloat MultiplyFloat(VectorFloat a,
                                                  VectorFloat b) {
  return _mm256_mul_ps(a, b);
}
WARPCLUST_TARGET inline VectorFloat MultiplyAddFloat(VectorFloat a,
                                                     VectorFloat b,
                                                     VectorFloat c) {
  return _mm256_fmadd_ps(a, b, c);
}
WARPCLUST_TARGET inline uint32_t ReachesFloat(VectorFloat a, VectorFloat b) {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)));
}
WARPCLUST_TARGET inline int Append(uint32_t passed, int base, uint16_t* columns,
                                   int count) {
  return AppendBits(passed, base, columns, count);
}

#include "graph/cosine/filter/cosine_filter_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx2

namespace avx512 {

#define WARPCLUST_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

using VectorU16 = __m512i;
using VectorFloat = __m512;
constexpr int kUnroll = 16;
constexpr int kLanesU16 = 32;
constexpr int kLanesFloat = 16;
constexpr double kDenseShareU16 = 0.04;
constexpr double kDenseShareFloat = 0.05;

WARPCLUST_TARGET inline VectorU16 ZeroU16() { return _mm512_setzero_si512(); }
WARPCLUST_TARGET inline VectorU16 BroadcastU16(uint16_t w) {
  return _mm512_set1_epi16(static_cast<int16_t>(w));
}
WARPCLUST_TARGET inline VectorU16 LoadU16(const uint16_t* p) {
  return _mm512_load_si512(p);
}
WARPCLUST_TARGET inline void StoreU16(uint16_t* p, VectorU16 v) {
  _mm512_store_si512(p, v);
}
WARPCLUST_TARGET inline VectorU16 AddU16(VectorU16 a, VectorU16 b) {
  return _mm512_add_epi16(a, b);
}
WARPCLUST_TARGET inline VectorU16 AddSaturatedU16(VectorU16 a, VectorU16 b) {
  return _mm512_adds_epu16(a, b);
}
WARPCLUST_TARGET inline VectorU16 MultiplyLowU16(VectorU16 a, VectorU16 b) {
  return _mm512_mullo_epi16(a, b);
}
WARPCLUST_TARGET inline VectorU16 MultiplyHighU16(VectorU16 a, VectorU16 b) {
  return _mm512_mulhi_epu16(a, b);
}
WARPCLUST_TARGET inline VectorU16 MaxU16(VectorU16 a, VectorU16 b) {
  return _mm512_max_epu16(a, b);
}
WARPCLUST_TARGET inline uint32_t AboveU16(VectorU16 a, VectorU16 b) {
  return _mm512_cmpgt_epu16_mask(a, b);
}

WARPCLUST_TARGET inline VectorFloat ZeroFloat() { return _mm512_setzero_ps(); }
WARPCLUST_TARGET inline VectorFloat BroadcastFloat(float w) {
  return _mm512_set1_ps(w);
}
WARPCLUST_TARGET inline VectorFloat LoadFloat(const float* p) {
  return _mm512_load_ps(p);
}
WARPCLUST_TARGET inline void StoreFloat(float* p, VectorFloat v) {
  _mm512_store_ps(p, v);
}
WARPCLUST_TARGET inline VectorFloat MultiplyFloat(VectorFloat a,
                                                  VectorFloat b) {
  return _mm512_mul_ps(a, b);
}
WARPCLUST_TARGET inline VectorFloat MultiplyAddFloat(VectorFloat a,
                                                     VectorFloat b,
                                                     VectorFloat c) {
  return _mm512_fmadd_ps(a, b, c);
}
WARPCLUST_TARGET inline uint32_t ReachesFloat(VectorFloat a, VectorFloat b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
WARPCLUST_TARGET inline int64_t KeepTerms(const int32_t* terms,
                                          const float* weights, int64_t size,
                                          const int32_t* rank, uint32_t last,
                                          int32_t num_bounded,
                                          int32_t* kept_terms,
                                          float* kept_weights, double* rest) {
  const __m512i lasts = _mm512_set1_epi32(static_cast<int32_t>(last));
  const __m512i bounds = _mm512_set1_epi32(num_bounded);
  __m512d sums = _mm512_setzero_pd();
  int64_t kept = 0;
  for (int64_t e = 0; e < size; e += 16) {
    const __mmask16 there = static_cast<__mmask16>(
        size - e >= 16 ? 0xffff : (1u << (size - e)) - 1);
    const __m512i old_terms = _mm512_maskz_min_epu32(
        0xffff, _mm512_maskz_loadu_epi32(there, terms + e), lasts);
    const __m512 old_weights = _mm512_maskz_loadu_ps(there, weights + e);
    const __m512i new_terms = _mm512_mask_i32gather_epi32(
        _mm512_set1_epi32(-1), there, old_terms, rank, 4);
    const __mmask16 keep = there & ~_mm512_movepi32_mask(new_terms);
    const __mmask16 bounded =
        _mm512_mask_cmplt_epi32_mask(keep, new_terms, bounds);
    const __m512 bounded_weights = _mm512_maskz_mov_ps(bounded, old_weights);
    const __m512d low = _mm512_maskz_cvtps_pd(
        0xff, _mm512_maskz_extractf32x8_ps(0xff, bounded_weights, 0));
    const __m512d high = _mm512_maskz_cvtps_pd(
        0xff, _mm512_maskz_extractf32x8_ps(0xff, bounded_weights, 1));
    sums = _mm512_fmadd_pd(low, low, _mm512_fmadd_pd(high, high, sums));
    // Whole vectors: what is behind the kept ones is overwritten by the next.
    _mm512_storeu_si512(kept_terms + kept,
                        _mm512_maskz_compress_epi32(keep, new_terms));
    _mm512_storeu_ps(kept_weights + kept,
                     _mm512_maskz_compress_ps(keep, old_weights));
    kept += _mm_popcnt_u32(keep);
  }
  double lanes[8];
  _mm512_storeu_pd(lanes, sums);
  *rest = 0;
  for (double lane : lanes) *rest += lane;
  return kept;
}

// Without a loop over bits, whose exit is mispredicted about once a vector.
WARPCLUST_TARGET inline int Append(uint32_t passed, int base, uint16_t* columns,
                                   int count) {
  const __m512i lanes =
      _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __mmask16 low = static_cast<__mmask16>(passed);
  const __m512i low_lanes = _mm512_add_epi32(lanes, _mm512_set1_epi32(base));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(columns + count),
                      _mm512_maskz_cvtepi32_epi16(
                          0xffff, _mm512_maskz_compress_epi32(low, low_lanes)));
  count += _mm_popcnt_u32(low);
  const __mmask16 high = static_cast<__mmask16>(passed >> 16);
  if (high != 0) {
    const __m512i high_lanes =
        _mm512_add_epi32(lanes, _mm512_set1_epi32(base + 16));
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(columns + count),
        _mm512_maskz_cvtepi32_epi16(
            0xffff, _mm512_maskz_compress_epi32(high, high_lanes)));
    count += _mm_popcnt_u32(high);
  }
  return count;
}

#include "graph/cosine/filter/cosine_filter_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx512

#endif  // defined(__x86_64__)

}  // namespace

const CosineFilterKernels& CosineFilterKernelsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return avx512::kKernels;
  if (level == SimdLevel::kAvx2) return avx2::kKernels;
#else
  static_cast<void>(level);
#endif
  return baseline::kKernels;
}

}  // namespace warpclust
