// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_filter_kernels.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

// Appends the positions of the bits of `passed`, counted from `base`.
inline int Append(uint32_t passed, int base, uint16_t* columns, int count) {
  while (passed != 0) {
    columns[count++] = static_cast<uint16_t>(base + __builtin_ctz(passed));
    passed &= passed - 1;
  }
  return count;
}

// Writes the documents at the bits of `passed` and returns their number.
inline int AppendDocuments(uint32_t passed, const int32_t* documents,
                           int32_t* found) {
  int count = 0;
  for (; passed != 0; passed &= passed - 1) {
    found[count++] = documents[__builtin_ctz(passed)];
  }
  return count;
}

// Fetches the beginning of a row from the second-level cache. The processor
// itself predicts how it continues.
inline void PrefetchRow(const void* row) {
  const char* bytes = static_cast<const char*>(row);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + 64);
  __builtin_prefetch(bytes + 128);
  __builtin_prefetch(bytes + 192);
}

// Vectors of 16 bytes on every machine. On x86-64 they are SSE2, where some
// operations have no portable spelling that compiles well.
namespace baseline {

#define WARPCLUST_TARGET

typedef uint16_t VectorU16 __attribute__((vector_size(16)));
typedef float VectorFloat __attribute__((vector_size(16)));
constexpr int kUnroll = 8;
constexpr double kDenseShareU16 = 0.10;
constexpr double kDenseShareFloat = 0.20;

#if defined(__x86_64__)
inline VectorU16 AddSaturated(VectorU16 a, VectorU16 b) {
  return reinterpret_cast<VectorU16>(_mm_adds_epu16(
      reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}
inline VectorU16 MultiplyHigh(VectorU16 a, VectorU16 b) {
  return reinterpret_cast<VectorU16>(_mm_mulhi_epu16(
      reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}
inline uint32_t Above(VectorU16 a, VectorU16 b) {
  const auto above = a > b;
  return static_cast<uint32_t>(_mm_movemask_epi8(
      _mm_packs_epi16(reinterpret_cast<__m128i>(above), _mm_setzero_si128())));
}
inline uint32_t Reaches(VectorFloat a, VectorFloat b) {
  const auto reaches = a >= b;
  return static_cast<uint32_t>(
      _mm_movemask_ps(reinterpret_cast<__m128>(reaches)));
}
#else
inline VectorU16 AddSaturated(VectorU16 a, VectorU16 b) {
  const VectorU16 sum = a + b;
  return sum < a ? VectorU16{} + uint16_t{0xffff} : sum;
}
inline VectorU16 MultiplyHigh(VectorU16 a, VectorU16 b) {
  VectorU16 v;
  for (int i = 0; i < 8; ++i) {
    v[i] = static_cast<uint16_t>((uint32_t{a[i]} * b[i]) >> 16);
  }
  return v;
}
inline uint32_t Above(VectorU16 a, VectorU16 b) {
  const auto above = a > b;
  uint32_t mask = 0;
  for (int i = 0; i < 8; ++i) mask |= (above[i] & 1u) << i;
  return mask;
}
inline uint32_t Reaches(VectorFloat a, VectorFloat b) {
  const auto reaches = a >= b;
  uint32_t mask = 0;
  for (int i = 0; i < 4; ++i) mask |= (reaches[i] & 1u) << i;
  return mask;
}
#endif
inline VectorFloat MultiplyAdd(VectorFloat a, VectorFloat b, VectorFloat c) {
  return a * b + c;
}

#include "graph/cosine/filter/cosine_filter_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace baseline

#if defined(__x86_64__)

namespace avx2 {

#define WARPCLUST_TARGET __attribute__((target("avx2,fma")))

typedef uint16_t VectorU16 __attribute__((vector_size(32)));
using VectorFloat = __m256;
constexpr int kUnroll = 8;
constexpr double kDenseShareU16 = 0.05;
constexpr double kDenseShareFloat = 0.10;

WARPCLUST_TARGET inline VectorU16 AddSaturated(VectorU16 a, VectorU16 b) {
  return reinterpret_cast<VectorU16>(_mm256_adds_epu16(
      reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
WARPCLUST_TARGET inline VectorU16 MultiplyHigh(VectorU16 a, VectorU16 b) {
  return reinterpret_cast<VectorU16>(_mm256_mulhi_epu16(
      reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
WARPCLUST_TARGET inline uint32_t Above(VectorU16 a, VectorU16 b) {
  // Unsigned a <= b where the saturated difference is zero.
  const __m256i not_above =
      _mm256_cmpeq_epi16(_mm256_subs_epu16(reinterpret_cast<__m256i>(a),
                                           reinterpret_cast<__m256i>(b)),
                         _mm256_setzero_si256());
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(not_above),
                                        _mm256_extracti128_si256(not_above, 1));
  return static_cast<uint32_t>(_mm_movemask_epi8(bytes)) ^ 0xffffu;
}
WARPCLUST_TARGET inline VectorFloat MultiplyAdd(VectorFloat a, VectorFloat b,
                                                VectorFloat c) {
  return _mm256_fmadd_ps(a, b, c);
}
WARPCLUST_TARGET inline uint32_t Reaches(VectorFloat a, VectorFloat b) {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ)));
}

#include "graph/cosine/filter/cosine_filter_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx2

namespace avx512 {

#define WARPCLUST_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

typedef uint16_t VectorU16 __attribute__((vector_size(64)));
using VectorFloat = __m512;
constexpr int kUnroll = 16;
constexpr double kDenseShareU16 = 0.04;
constexpr double kDenseShareFloat = 0.05;

WARPCLUST_TARGET inline VectorU16 AddSaturated(VectorU16 a, VectorU16 b) {
  return reinterpret_cast<VectorU16>(_mm512_adds_epu16(
      reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
WARPCLUST_TARGET inline VectorU16 MultiplyHigh(VectorU16 a, VectorU16 b) {
  return reinterpret_cast<VectorU16>(_mm512_mulhi_epu16(
      reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
WARPCLUST_TARGET inline uint32_t Above(VectorU16 a, VectorU16 b) {
  return _mm512_cmpgt_epu16_mask(reinterpret_cast<__m512i>(a),
                                 reinterpret_cast<__m512i>(b));
}
WARPCLUST_TARGET inline VectorFloat MultiplyAdd(VectorFloat a, VectorFloat b,
                                                VectorFloat c) {
  return _mm512_fmadd_ps(a, b, c);
}
WARPCLUST_TARGET inline uint32_t Reaches(VectorFloat a, VectorFloat b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}
// These two have no loop over bits, whose exit is mispredicted about once per
// vector.
WARPCLUST_TARGET inline int AppendDocuments(uint32_t passed,
                                            const int32_t* documents,
                                            int32_t* found) {
  _mm512_storeu_si512(
      found, _mm512_maskz_compress_epi32(static_cast<__mmask16>(passed),
                                         _mm512_loadu_si512(documents)));
  return _mm_popcnt_u32(passed);
}
WARPCLUST_TARGET inline int Append(uint32_t passed, int base, uint16_t* columns,
                                   int count) {
  const __m512i lanes =
      _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (int half = 0; half < 32; half += 16) {
    const __mmask16 bits = static_cast<__mmask16>(passed >> half);
    const __m512i positions =
        _mm512_add_epi32(lanes, _mm512_set1_epi32(base + half));
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(columns + count),
        _mm512_maskz_cvtepi32_epi16(
            0xffff, _mm512_maskz_compress_epi32(bits, positions)));
    count += _mm_popcnt_u32(bits);
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
