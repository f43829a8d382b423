// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/dense_vectors.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

#if defined(__x86_64__)

// The products of the even and of the odd entries, since an instruction
// multiplies every other one. They return how many entries they took.
__attribute__((target("avx2"))) int32_t SumAvx2(const int32_t* a,
                                                const int32_t* b, int32_t size,
                                                int64_t* sum) {
  __m256i even = _mm256_setzero_si256();
  __m256i odd = _mm256_setzero_si256();
  int32_t k = 0;
  for (; k <= size - 8; k += 8) {
    const __m256i x =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + k));
    const __m256i y =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + k));
    even = _mm256_add_epi64(even, _mm256_mul_epi32(x, y));
    odd = _mm256_add_epi64(odd, _mm256_mul_epi32(_mm256_srli_epi64(x, 32),
                                                 _mm256_srli_epi64(y, 32)));
  }
  alignas(32) int64_t sums[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(sums),
                     _mm256_add_epi64(even, odd));
  *sum = sums[0] + sums[1] + sums[2] + sums[3];
  return k;
}

// Masked, because compilers take the plain forms to read what is not set.
__attribute__((target("avx512f"))) int32_t SumAvx512(const int32_t* a,
                                                     const int32_t* b,
                                                     int32_t size,
                                                     int64_t* sum) {
  constexpr __mmask8 kAll = 0xff;
  __m512i even = _mm512_setzero_si512();
  __m512i odd = _mm512_setzero_si512();
  int32_t k = 0;
  for (; k <= size - 16; k += 16) {
    const __m512i x = _mm512_loadu_si512(a + k);
    const __m512i y = _mm512_loadu_si512(b + k);
    even = _mm512_add_epi64(even, _mm512_maskz_mul_epi32(kAll, x, y));
    odd = _mm512_add_epi64(
        odd, _mm512_maskz_mul_epi32(kAll, _mm512_maskz_srli_epi64(kAll, x, 32),
                                    _mm512_maskz_srli_epi64(kAll, y, 32)));
  }
  alignas(64) int64_t sums[8];
  _mm512_store_si512(sums, _mm512_add_epi64(even, odd));
  *sum = 0;
  for (const int64_t part : sums) *sum += part;
  return k;
}

#endif  // defined(__x86_64__)

}  // namespace

void DocumentWeights(absl::Span<const float> values, int32_t* weights) {
  double squares = 0;
  for (const float value : values) {
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  // Of zeros, 0 * 2^30 / sqrt(0) would be no number.
  const double scale = squares > 0 ? 0x1p30 / std::sqrt(squares) : 0;
  for (size_t k = 0; k < values.size(); ++k) {
    const double value = values[k];
    const auto weight = static_cast<int32_t>(std::abs(value) * scale + 0.5);
    weights[k] = weight * (1 - 2 * int{value < 0});
  }
}

void ClusterWeights(absl::Span<const int64_t> sums, int32_t* weights) {
  unsigned __int128 squares = 0;
  for (const int64_t sum : sums) {
    squares += static_cast<unsigned __int128>(static_cast<__int128>(sum) * sum);
  }
  const double scale = squares > 0
                           ? UnitScale(static_cast<uint64_t>(squares >> 64),
                                       static_cast<uint64_t>(squares))
                           : 0;
  for (size_t k = 0; k < sums.size(); ++k) {
    const int64_t sum = sums[k];
    const int32_t weight = UnitWeight(std::abs(sum), scale);
    // Without branches, of which half would be mispredicted.
    weights[k] = weight * (int{sum > 0} - int{sum < 0});
  }
}

int64_t DenseSimilarity(const int32_t* a, const int32_t* b, int32_t size) {
  int64_t sum = 0;
  int32_t k = 0;
#if defined(__x86_64__)
  if (CpuSimdLevel() == SimdLevel::kAvx512) {
    k = SumAvx512(a, b, size, &sum);
  } else if (CpuSimdLevel() == SimdLevel::kAvx2) {
    k = SumAvx2(a, b, size, &sum);
  }
#endif
  for (; k < size; ++k) sum += int64_t{a[k]} * b[k];
  return sum;
}

}  // namespace warpclust
