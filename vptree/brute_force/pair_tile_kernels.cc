// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/pair_tile_kernels.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "vptree/points/distance_key.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

// Vectors of 16 bytes as the compiler offers them on every machine.
namespace baseline {

#define WARPCLUST_TARGET

typedef float VectorFloat __attribute__((vector_size(16)));
typedef double VectorDouble __attribute__((vector_size(16)));
constexpr int kFloats = 4;
constexpr int kDoubles = 2;
constexpr int kRows = 4;
constexpr int kVectors = 2;

inline VectorFloat BroadcastFloat(float x) { return VectorFloat{x, x, x, x}; }
inline VectorFloat LoadFloat(const float* p) {
  VectorFloat v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
inline VectorFloat MultiplyAddFloat(VectorFloat a, VectorFloat b,
                                    VectorFloat c) {
  return a * b + c;
}
inline VectorFloat MaxFloat(VectorFloat a, VectorFloat b) {
  return a > b ? a : b;
}
inline VectorFloat MinFloat(VectorFloat a, VectorFloat b) {
  return a < b ? a : b;
}
inline uint32_t ReachesFloat(VectorFloat a, VectorFloat b) {
  const auto reaches = a >= b;
#if defined(__x86_64__)
  return static_cast<uint32_t>(
      _mm_movemask_ps(reinterpret_cast<__m128>(reaches)));
#else
  uint32_t mask = 0;
  for (int i = 0; i < kFloats; ++i) mask |= (reaches[i] & 1u) << i;
  return mask;
#endif
}
inline float SumFloat(VectorFloat v) { return (v[0] + v[2]) + (v[1] + v[3]); }
inline uint32_t AboveInt(int32_t a, const int32_t* b) {
  uint32_t mask = 0;
  for (int i = 0; i < kFloats; ++i) mask |= (a > b[i] ? 1u : 0u) << i;
  return mask;
}

inline VectorDouble BroadcastDouble(double x) { return VectorDouble{x, x}; }
inline VectorDouble LoadDouble(const double* p) {
  VectorDouble v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
inline void StoreDouble(double* p, VectorDouble v) {
  std::memcpy(p, &v, sizeof(v));
}
inline VectorDouble MultiplyAddDouble(VectorDouble a, VectorDouble b,
                                      VectorDouble c) {
  return VectorDouble{std::fma(a[0], b[0], c[0]), std::fma(a[1], b[1], c[1])};
}
inline VectorDouble MagnitudeDouble(VectorDouble a) {
  return VectorDouble{std::fabs(a[0]), std::fabs(a[1])};
}
inline VectorDouble MaxDouble(VectorDouble a, VectorDouble b) {
  return a > b ? a : b;
}
inline uint32_t ReachesDouble(VectorDouble a, VectorDouble b) {
  return (a[0] >= b[0] ? 1u : 0u) | (a[1] >= b[1] ? 2u : 0u);
}

#include "vptree/brute_force/pair_tile_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace baseline

#if defined(__x86_64__)

namespace avx2 {

#define WARPCLUST_TARGET __attribute__((target("avx2,fma")))

using VectorFloat = __m256;
using VectorDouble = __m256d;
constexpr int kFloats = 8;
constexpr int kDoubles = 4;
constexpr int kRows = 4;
constexpr int kVectors = 2;

WARPCLUST_TARGET inline VectorFloat BroadcastFloat(float x) {
  return _mm256_set1_ps(x);
}
WARPCLUST_TARGET inline VectorFloat LoadFloat(const float* p) {
  return _mm256_loadu_ps(p);
}
WARPCLUST_TARGET inline VectorFloat MultiplyAddFloat(VectorFloat a,
                                                     VectorFloat b,
                                                     VectorFloat c) {
  return _mm256_fmadd_ps(a, b, c);
}
WARPCLUST_TARGET inline VectorFloat MaxFloat(VectorFloat a, VectorFloat b) {
  return _mm256_max_ps(a, b);
}
WARPCLUST_TARGET inline VectorFloat MinFloat(VectorFloat a, VectorFloat b) {
  return _mm256_min_ps(a, b);
}
WARPCLUST_TARGET inline uint32_t ReachesFloat(VectorFloat a, VectorFloat b) {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)));
}
WARPCLUST_TARGET inline float SumFloat(VectorFloat v) {
  __m128 sum =
      _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}
WARPCLUST_TARGET inline uint32_t AboveInt(int32_t a, const int32_t* b) {
  const __m256i above = _mm256_cmpgt_epi32(
      _mm256_set1_epi32(a),
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b)));
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(above)));
}

WARPCLUST_TARGET inline VectorDouble BroadcastDouble(double x) {
  return _mm256_set1_pd(x);
}
WARPCLUST_TARGET inline VectorDouble LoadDouble(const double* p) {
  return _mm256_loadu_pd(p);
}
WARPCLUST_TARGET inline void StoreDouble(double* p, VectorDouble v) {
  _mm256_storeu_pd(p, v);
}
WARPCLUST_TARGET inline VectorDouble MultiplyAddDouble(VectorDouble a,
                                                       VectorDouble b,
                                                       VectorDouble c) {
  return _mm256_fmadd_pd(a, b, c);
}
WARPCLUST_TARGET inline VectorDouble MagnitudeDouble(VectorDouble a) {
  return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
WARPCLUST_TARGET inline VectorDouble MaxDouble(VectorDouble a, VectorDouble b) {
  return _mm256_max_pd(a, b);
}
WARPCLUST_TARGET inline uint32_t ReachesDouble(VectorDouble a, VectorDouble b) {
  return static_cast<uint32_t>(
      _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GE_OQ)));
}

#include "vptree/brute_force/pair_tile_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx2

// The maskz forms with full masks are plain ones that GCC 12 does not warn of.
namespace avx512 {

#define WARPCLUST_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))

using VectorFloat = __m512;
using VectorDouble = __m512d;
constexpr int kFloats = 16;
constexpr int kDoubles = 8;
constexpr int kRows = 8;
constexpr int kVectors = 2;

WARPCLUST_TARGET inline VectorFloat BroadcastFloat(float x) {
  return _mm512_set1_ps(x);
}
WARPCLUST_TARGET inline VectorFloat LoadFloat(const float* p) {
  return _mm512_loadu_ps(p);
}
WARPCLUST_TARGET inline VectorFloat MultiplyAddFloat(VectorFloat a,
                                                     VectorFloat b,
                                                     VectorFloat c) {
  return _mm512_fmadd_ps(a, b, c);
}
WARPCLUST_TARGET inline VectorFloat MaxFloat(VectorFloat a, VectorFloat b) {
  return _mm512_maskz_max_ps(0xffff, a, b);
}
WARPCLUST_TARGET inline VectorFloat MinFloat(VectorFloat a, VectorFloat b) {
  return _mm512_maskz_min_ps(0xffff, a, b);
}
WARPCLUST_TARGET inline uint32_t ReachesFloat(VectorFloat a, VectorFloat b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
WARPCLUST_TARGET inline float SumFloat(VectorFloat v) {
  const __m256 half = _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xff, v, 0),
                                    _mm512_maskz_extractf32x8_ps(0xff, v, 1));
  __m128 sum =
      _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}
WARPCLUST_TARGET inline uint32_t AboveInt(int32_t a, const int32_t* b) {
  return _mm512_cmpgt_epi32_mask(_mm512_set1_epi32(a), _mm512_loadu_si512(b));
}

WARPCLUST_TARGET inline VectorDouble BroadcastDouble(double x) {
  return _mm512_set1_pd(x);
}
WARPCLUST_TARGET inline VectorDouble LoadDouble(const double* p) {
  return _mm512_loadu_pd(p);
}
WARPCLUST_TARGET inline void StoreDouble(double* p, VectorDouble v) {
  _mm512_storeu_pd(p, v);
}
WARPCLUST_TARGET inline VectorDouble MultiplyAddDouble(VectorDouble a,
                                                       VectorDouble b,
                                                       VectorDouble c) {
  return _mm512_fmadd_pd(a, b, c);
}
WARPCLUST_TARGET inline VectorDouble MagnitudeDouble(VectorDouble a) {
  return _mm512_abs_pd(a);
}
WARPCLUST_TARGET inline VectorDouble MaxDouble(VectorDouble a, VectorDouble b) {
  return _mm512_maskz_max_pd(0xff, a, b);
}
WARPCLUST_TARGET inline uint32_t ReachesDouble(VectorDouble a, VectorDouble b) {
  return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ);
}

#include "vptree/brute_force/pair_tile_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx512

#endif  // defined(__x86_64__)

}  // namespace

const PairTileKernels& PairTileKernelsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return avx512::kKernels;
  if (level == SimdLevel::kAvx2) return avx2::kKernels;
#else
  static_cast<void>(level);
#endif
  return baseline::kKernels;
}

}  // namespace warpclust
