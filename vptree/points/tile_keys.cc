// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/tile_keys.h"

#include <algorithm>

#include "base/machine/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

#if defined(__x86_64__)
// Eight independent chains of four lanes hide the latency of an fma. Every lane
// computes AddToKey, in the same order of dimensions.
template <Norm kNorm>
__attribute__((target("avx2,fma"))) void TileKeysAvx2(const double* row,
                                                      const double* tile,
                                                      int32_t num_dimensions,
                                                      double* keys) {
  constexpr int kVectors = kKeyTilePoints / 4;
  const __m256d no_sign =
      _mm256_castsi256_pd(_mm256_set1_epi64x(0x7FFFFFFFFFFFFFFF));
  __m256d sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = _mm256_setzero_pd();
  for (int32_t k = 0; k < num_dimensions; ++k, tile += kKeyTilePoints) {
    const __m256d x = _mm256_set1_pd(row[k]);
    for (int v = 0; v < kVectors; ++v) {
      const __m256d difference =
          _mm256_sub_pd(x, _mm256_loadu_pd(tile + 4 * v));
      if constexpr (kNorm == Norm::kL2) {
        sums[v] = _mm256_fmadd_pd(difference, difference, sums[v]);
      } else if constexpr (kNorm == Norm::kL1) {
        sums[v] = _mm256_add_pd(sums[v], _mm256_and_pd(difference, no_sign));
      } else {
        sums[v] = _mm256_max_pd(sums[v], _mm256_and_pd(difference, no_sign));
      }
    }
  }
  for (int v = 0; v < kVectors; ++v) _mm256_storeu_pd(keys + 4 * v, sums[v]);
}
#endif

template <Norm kNorm>
void TileKeysOfNorm(const double* row, const double* tile,
                    int32_t num_dimensions, double* keys) {
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx2) {
    TileKeysAvx2<kNorm>(row, tile, num_dimensions, keys);
    return;
  }
#endif
  for (int32_t i = 0; i < kKeyTilePoints; ++i) {
    keys[i] =
        DistanceKey<kNorm>(row, 1, tile + i, kKeyTilePoints, num_dimensions);
  }
}

}  // namespace

void PackTile(const PointMatrix& points, absl::Span<const int32_t> ids,
              double* tile) {
  const int32_t last = static_cast<int32_t>(ids.size()) - 1;
  for (int32_t i = 0; i < kKeyTilePoints; ++i) {
    const double* row = points.Row(ids[std::min(i, last)]);
    for (int32_t k = 0; k < points.num_dimensions; ++k) {
      tile[static_cast<int64_t>(k) * kKeyTilePoints + i] = row[k];
    }
  }
}

void TileKeys(Norm norm, const double* row, const double* tile,
              int32_t num_dimensions, double* keys) {
  switch (norm) {
    case Norm::kL2:
      return TileKeysOfNorm<Norm::kL2>(row, tile, num_dimensions, keys);
    case Norm::kL1:
      return TileKeysOfNorm<Norm::kL1>(row, tile, num_dimensions, keys);
    case Norm::kLInf:
      break;
  }
  TileKeysOfNorm<Norm::kLInf>(row, tile, num_dimensions, keys);
}

}  // namespace warpclust
