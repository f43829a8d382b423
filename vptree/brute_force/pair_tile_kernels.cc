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

// kBytes bytes of a row, of which `count` are left, and sums of their products
// with those of another one, less 128.
typedef int16_t VectorBytes __attribute__((vector_size(16)));
typedef int32_t VectorDots __attribute__((vector_size(16)));
constexpr int kBytes = 8;
inline VectorDots NoDots() { return VectorDots{0, 0, 0, 0}; }
inline VectorBytes LoadBytes(const uint8_t* p, int /*count*/) {
  typedef uint8_t EightBytes __attribute__((vector_size(8)));
  EightBytes v;
  std::memcpy(&v, p, sizeof(v));
  return __builtin_convertvector(v, VectorBytes);
}
inline VectorDots AddDots(VectorBytes a, const uint8_t* p, VectorDots dots) {
  // They have 16 bits, two of them in each sum's place.
  const auto products =
      reinterpret_cast<VectorDots>(a * (LoadBytes(p, kBytes) - 128));
  return dots + ((products << 16) >> 16) + (products >> 16);
}
inline int32_t SumDots(VectorDots v) { return (v[0] + v[2]) + (v[1] + v[3]); }

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

using VectorBytes = __m256i;
using VectorDots = __m256i;
constexpr int kBytes = 16;
WARPCLUST_TARGET inline VectorDots NoDots() { return _mm256_setzero_si256(); }
WARPCLUST_TARGET inline VectorBytes LoadBytes(const uint8_t* p, int /*count*/) {
  return _mm256_cvtepu8_epi16(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
WARPCLUST_TARGET inline VectorDots AddDots(VectorBytes a, const uint8_t* p,
                                           VectorDots dots) {
  const __m256i b =
      _mm256_sub_epi16(LoadBytes(p, kBytes), _mm256_set1_epi16(128));
  return _mm256_add_epi32(dots, _mm256_madd_epi16(a, b));
}
WARPCLUST_TARGET inline int32_t SumDots(VectorDots v) {
  __m128i sum =
      _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
  return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 1)));
}

#include "vptree/brute_force/pair_tile_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx2

// The maskz forms with full masks are plain ones that GCC 12 does not warn of.
namespace avx512 {

#define WARPCLUST_TARGET \
  __attribute__((        \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")))

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

using VectorBytes = __m512i;
using VectorDots = __m512i;
constexpr int kBytes = 64;
WARPCLUST_TARGET inline VectorDots NoDots() { return _mm512_setzero_si512(); }
// Zeros behind the last one, where rows may have something else.
WARPCLUST_TARGET inline VectorBytes LoadBytes(const uint8_t* p, int count) {
  return _mm512_maskz_loadu_epi8(
      count >= kBytes ? ~__mmask64{0} : (__mmask64{1} << count) - 1, p);
}
WARPCLUST_TARGET inline VectorDots AddDots(VectorBytes a, const uint8_t* p,
                                           VectorDots dots) {
  const __m512i b =
      _mm512_xor_si512(_mm512_loadu_si512(p), _mm512_set1_epi8(-128));
  return _mm512_dpbusd_epi32(dots, a, b);
}
WARPCLUST_TARGET inline int32_t SumDots(VectorDots v) {
  return avx2::SumDots(
      _mm256_add_epi32(_mm512_maskz_extracti32x8_epi32(0xff, v, 0),
                       _mm512_maskz_extracti32x8_epi32(0xff, v, 1)));
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
