// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/digit_kernels.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

namespace baseline {

#define WARPCLUST_TARGET

typedef int32_t Vector __attribute__((vector_size(16)));
constexpr int kBlockRows = 4;
constexpr int kBlockVectors = 2;

#if defined(__x86_64__)
inline Vector AddPairProducts(Vector sum, Vector a, Vector b) {
  return sum + reinterpret_cast<Vector>(_mm_madd_epi16(
                   reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}
inline uint32_t AtLeast(Vector a, Vector b) {
  const auto reaches = a >= b;
  return static_cast<uint32_t>(
      _mm_movemask_ps(reinterpret_cast<__m128>(reaches)));
}
#else
inline Vector AddPairProducts(Vector sum, Vector a, Vector b) {
  typedef int16_t Digits __attribute__((vector_size(16)));
  const Digits x = reinterpret_cast<Digits>(a);
  const Digits y = reinterpret_cast<Digits>(b);
  for (int i = 0; i < 4; ++i) {
    sum[i] += x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
  }
  return sum;
}
inline uint32_t AtLeast(Vector a, Vector b) {
  uint32_t mask = 0;
  for (int i = 0; i < 4; ++i) mask |= uint32_t{a[i] >= b[i]} << i;
  return mask;
}
#endif

#include "graph/cosine/dense/digit_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace baseline

#if defined(__x86_64__)

namespace avx2 {

#define WARPCLUST_TARGET __attribute__((target("avx2")))

typedef int32_t Vector __attribute__((vector_size(32)));
constexpr int kBlockRows = 4;
constexpr int kBlockVectors = 2;

WARPCLUST_TARGET inline Vector AddPairProducts(Vector sum, Vector a, Vector b) {
  return sum + reinterpret_cast<Vector>(_mm256_madd_epi16(
                   reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
WARPCLUST_TARGET inline uint32_t AtLeast(Vector a, Vector b) {
  const auto reaches = a >= b;
  return static_cast<uint32_t>(
      _mm256_movemask_ps(reinterpret_cast<__m256>(reaches)));
}

#include "graph/cosine/dense/digit_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx2

namespace avx512 {

#define WARPCLUST_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

typedef int32_t Vector __attribute__((vector_size(64)));
constexpr int kBlockRows = 8;
constexpr int kBlockVectors = 2;

WARPCLUST_TARGET inline Vector AddPairProducts(Vector sum, Vector a, Vector b) {
  return reinterpret_cast<Vector>(_mm512_dpwssd_epi32(
      reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(a),
      reinterpret_cast<__m512i>(b)));
}
WARPCLUST_TARGET inline uint32_t AtLeast(Vector a, Vector b) {
  return _mm512_cmpge_epi32_mask(reinterpret_cast<__m512i>(a),
                                 reinterpret_cast<__m512i>(b));
}

#include "graph/cosine/dense/digit_kernels.inc"
#undef WARPCLUST_TARGET

}  // namespace avx512

#endif  // defined(__x86_64__)

}  // namespace

const DigitKernels& DigitKernelsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return avx512::kKernels;
  if (level == SimdLevel::kAvx2) return avx2::kKernels;
#else
  static_cast<void>(level);
#endif
  return baseline::kKernels;
}

void MultiplyDigitTile(const DigitKernels& kernels, const int16_t* rows,
                       int row_panels, const int16_t* columns,
                       int column_panels, int64_t panel_stride, int pairs,
                       int32_t* sums) {
  // The rows, the columns and the sums of a tile then fit in 512 KB.
  constexpr int kChunkPairs = 256;
  for (int pair = 0; pair < pairs; pair += kChunkPairs) {
    const int64_t chunk = int64_t{2} * pair * kernels.panel_rows;
    kernels.multiply(rows + chunk, row_panels, columns + chunk, column_panels,
                     panel_stride, std::min(kChunkPairs, pairs - pair),
                     /*add=*/pair > 0, sums);
  }
}

}  // namespace warpclust
