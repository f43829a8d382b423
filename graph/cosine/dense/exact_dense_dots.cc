// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/exact_dense_dots.h"

#include "base/machine/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

// Adds the products of dimensions [first, num_dimensions) to dots[0 .. 3].
inline void AddProducts(const float* const* rows, const float* const* columns,
                        int32_t first, int32_t num_dimensions, double* dots) {
  double sums[4] = {dots[0], dots[1], dots[2], dots[3]};
  for (int32_t k = first; k < num_dimensions; ++k) {
    for (int i = 0; i < 4; ++i) {
      sums[i] +=
          static_cast<double>(rows[i][k]) * static_cast<double>(columns[i][k]);
    }
  }
  for (int i = 0; i < 4; ++i) dots[i] = sums[i];
}

#if defined(__x86_64__)

// Sixteen chains of additions at a time hide their latency.
static_assert(kDenseDots == 16);

__attribute__((target("avx2"))) inline __m256d Product(const float* row,
                                                       const float* column) {
  return _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(row)),
                       _mm256_cvtps_pd(_mm_loadu_ps(column)));
}

// Adds the products of four dimensions from `k` on to the sums of four pairs,
// dimension by dimension: a product is one vector per pair, transposed to one
// per dimension.
__attribute__((target("avx2"))) inline __m256d AddFour(
    __m256d sums, const float* const* rows, const float* const* columns,
    int32_t k) {
  const __m256d a = Product(rows[0] + k, columns[0] + k);
  const __m256d b = Product(rows[1] + k, columns[1] + k);
  const __m256d c = Product(rows[2] + k, columns[2] + k);
  const __m256d d = Product(rows[3] + k, columns[3] + k);
  const __m256d even_ab = _mm256_unpacklo_pd(a, b);
  const __m256d odd_ab = _mm256_unpackhi_pd(a, b);
  const __m256d even_cd = _mm256_unpacklo_pd(c, d);
  const __m256d odd_cd = _mm256_unpackhi_pd(c, d);
  sums = _mm256_add_pd(sums, _mm256_permute2f128_pd(even_ab, even_cd, 0x20));
  sums = _mm256_add_pd(sums, _mm256_permute2f128_pd(odd_ab, odd_cd, 0x20));
  sums = _mm256_add_pd(sums, _mm256_permute2f128_pd(even_ab, even_cd, 0x31));
  return _mm256_add_pd(sums, _mm256_permute2f128_pd(odd_ab, odd_cd, 0x31));
}

// Returns how many dimensions it took.
__attribute__((target("avx2"))) int32_t DotsAvx2(const float* const* rows,
                                                 const float* const* columns,
                                                 int32_t num_dimensions,
                                                 double* dots) {
  __m256d sums0 = _mm256_setzero_pd();
  __m256d sums1 = sums0, sums2 = sums0, sums3 = sums0;
  int32_t k = 0;
  for (; k <= num_dimensions - 4; k += 4) {
    sums0 = AddFour(sums0, rows, columns, k);
    sums1 = AddFour(sums1, rows + 4, columns + 4, k);
    sums2 = AddFour(sums2, rows + 8, columns + 8, k);
    sums3 = AddFour(sums3, rows + 12, columns + 12, k);
  }
  _mm256_storeu_pd(dots, sums0);
  _mm256_storeu_pd(dots + 4, sums1);
  _mm256_storeu_pd(dots + 8, sums2);
  _mm256_storeu_pd(dots + 12, sums3);
  return k;
}

#endif  // defined(__x86_64__)

}  // namespace

void ExactDenseDots(const float* const* rows, const float* const* columns,
                    int32_t num_dimensions, double* dots) {
  int32_t done = 0;
  for (int i = 0; i < kDenseDots; ++i) dots[i] = 0;
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx2) {
    done = DotsAvx2(rows, columns, num_dimensions, dots);
  }
#endif
  for (int i = 0; i < kDenseDots; i += 4) {
    AddProducts(rows + i, columns + i, done, num_dimensions, dots + i);
  }
}

}  // namespace warpclust
