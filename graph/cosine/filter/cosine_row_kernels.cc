// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/filter/cosine_row_kernels.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

namespace baseline {

WeighedRow WeighTerms(const int32_t* terms, const float* entries, int64_t size,
                      const TableTerm* table, uint32_t last,
                      int32_t num_bounded, int32_t* kept_ranks,
                      float* kept_weights, int32_t* bounded_ranks,
                      float* bounded_weights) {
  WeighedRow row = {};
  for (int64_t e = 0; e < size; ++e) {
    const TableTerm term =
        table[std::min(static_cast<uint32_t>(terms[e]), last)];
    const float weight = entries[e] * term.factor;
    const double square = static_cast<double>(weight) * weight;
    const bool bounded = term.rank >= 0 && term.rank < num_bounded;
    // Always written, kept if of the kind: a branch would be mispredicted.
    kept_ranks[row.num_kept] = term.rank;
    kept_weights[row.num_kept] = weight;
    row.num_kept += term.rank >= num_bounded;
    bounded_ranks[row.num_bounded] = term.rank;
    bounded_weights[row.num_bounded] = weight;
    row.num_bounded += bounded;
    row.squared_norm += square;
    row.squared_residual += bounded ? square : 0;
  }
  return row;
}

void Quantize(const float* weights, int64_t size, float scale,
              uint16_t* quantized) {
  for (int64_t e = 0; e < size; ++e) {
    quantized[e] =
        static_cast<uint16_t>(std::min(weights[e] * scale, 65535.0f));
  }
}

void SortTerms(const int32_t* ranks, const uint16_t* weights, int64_t size,
               const TermSlot* slots, int32_t first_rank,
               RowTerm<uint16_t>* (&ends)[kTermKinds]) {
  for (int64_t e = 0; e < size; ++e) {
    const TermSlot slot = slots[ranks[e]];
    const uint16_t kind =
        ranks[e] >= first_rank ? slot.kind : uint16_t{kAbsentTerm};
    *ends[kind] = {slot.begin, slot.groups, weights[e]};
    ends[kind] += kind != kAbsentTerm;
  }
}

constexpr CosineRowKernels kKernels = {&WeighTerms, &Quantize, &SortTerms};

}  // namespace baseline

#if defined(__x86_64__)

namespace avx512 {

#define WARPCLUST_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

// Squares are added up in eight lanes.
WARPCLUST_TARGET inline __m512d AddSquares(__m512 weights, __m512d sums) {
  const __m512d low = _mm512_maskz_cvtps_pd(
      0xff, _mm512_maskz_extractf32x8_ps(0xff, weights, 0));
  const __m512d high = _mm512_maskz_cvtps_pd(
      0xff, _mm512_maskz_extractf32x8_ps(0xff, weights, 1));
  return _mm512_fmadd_pd(low, low, _mm512_fmadd_pd(high, high, sums));
}

WARPCLUST_TARGET inline double AddLanes(__m512d sums) {
  double lanes[8];
  _mm512_storeu_pd(lanes, sums);
  double sum = 0;
  for (double lane : lanes) sum += lane;
  return sum;
}

// Stores whole vectors: the next ones overwrite what follows the kept elements.
WARPCLUST_TARGET inline int64_t AppendKept(__mmask16 keep, __m512i ranks,
                                           __m512 weights, int32_t* kept_ranks,
                                           float* kept_weights) {
  _mm512_storeu_si512(kept_ranks, _mm512_maskz_compress_epi32(keep, ranks));
  _mm512_storeu_ps(kept_weights, _mm512_maskz_compress_ps(keep, weights));
  return _mm_popcnt_u32(keep);
}

WARPCLUST_TARGET WeighedRow WeighTerms(const int32_t* terms,
                                       const float* entries, int64_t size,
                                       const TableTerm* table, uint32_t last,
                                       int32_t num_bounded, int32_t* kept_ranks,
                                       float* kept_weights,
                                       int32_t* bounded_ranks,
                                       float* bounded_weights) {
  const __m512i lasts = _mm512_set1_epi32(static_cast<int32_t>(last));
  const __m512i bounds = _mm512_set1_epi32(num_bounded);
  // The first and the second halves of pairs (factor, rank).
  const __m512i first = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12,
                                         10, 8, 6, 4, 2, 0);
  const __m512i second = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15,
                                          13, 11, 9, 7, 5, 3, 1);
  __m512d norm = _mm512_setzero_pd();
  __m512d residual = _mm512_setzero_pd();
  WeighedRow row = {};
  for (int64_t e = 0; e < size; e += 16) {
    const __mmask16 there = static_cast<__mmask16>(
        size - e >= 16 ? 0xffff : (1u << (size - e)) - 1);
    const __m512i ids = _mm512_maskz_min_epu32(
        0xffff, _mm512_maskz_loadu_epi32(there, terms + e), lasts);
    const __m512 tf = _mm512_maskz_loadu_ps(there, entries + e);
    const __m512i low = _mm512_mask_i32gather_epi64(
        _mm512_setzero_si512(), static_cast<__mmask8>(there),
        _mm512_maskz_extracti32x8_epi32(0xff, ids, 0), table, 8);
    const __m512i high = _mm512_mask_i32gather_epi64(
        _mm512_setzero_si512(), static_cast<__mmask8>(there >> 8),
        _mm512_maskz_extracti32x8_epi32(0xff, ids, 1), table, 8);
    const __m512 weights = _mm512_mul_ps(
        tf, _mm512_castsi512_ps(_mm512_permutex2var_epi32(low, first, high)));
    const __m512i ranks = _mm512_permutex2var_epi32(low, second, high);
    norm = AddSquares(weights, norm);
    const __mmask16 known = there & ~_mm512_movepi32_mask(ranks);
    const __mmask16 bounded =
        _mm512_mask_cmplt_epi32_mask(known, ranks, bounds);
    row.num_kept +=
        AppendKept(known & ~bounded, ranks, weights, kept_ranks + row.num_kept,
                   kept_weights + row.num_kept);
    if (num_bounded == 0) continue;
    residual = AddSquares(_mm512_maskz_mov_ps(bounded, weights), residual);
    row.num_bounded +=
        AppendKept(bounded, ranks, weights, bounded_ranks + row.num_bounded,
                   bounded_weights + row.num_bounded);
  }
  row.squared_norm = AddLanes(norm);
  row.squared_residual = AddLanes(residual);
  return row;
}

WARPCLUST_TARGET void Quantize(const float* weights, int64_t size, float scale,
                               uint16_t* quantized) {
  const __m512 scales = _mm512_set1_ps(scale);
  const __m512 most = _mm512_set1_ps(65535.0f);
  for (int64_t e = 0; e < size; e += 16) {
    const __mmask16 there = static_cast<__mmask16>(
        size - e >= 16 ? 0xffff : (1u << (size - e)) - 1);
    const __m512 scaled =
        _mm512_mul_ps(_mm512_maskz_loadu_ps(there, weights + e), scales);
    const __m512i integers = _mm512_maskz_cvttps_epi32(
        0xffff, _mm512_maskz_min_ps(0xffff, scaled, most));
    // A whole vector: there is room.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(quantized + e),
                        _mm512_maskz_cvtepi32_epi16(0xffff, integers));
  }
}

// Eight at a time: a TermSlot with the weight in place of the kind is a
// RowTerm.
WARPCLUST_TARGET void SortTerms(const int32_t* ranks, const uint16_t* weights,
                                int64_t size, const TermSlot* slots,
                                int32_t first_rank,
                                RowTerm<uint16_t>* (&ends)[kTermKinds]) {
  const __m512i kind_bits =
      _mm512_set1_epi64(static_cast<int64_t>(0xffff) << 48);
  for (int64_t e = 0; e < size; e += 8) {
    const __mmask8 there =
        static_cast<__mmask8>(size - e >= 8 ? 0xff : (1u << (size - e)) - 1);
    const __m256i ids = _mm256_maskz_loadu_epi32(there, ranks + e);
    const __mmask8 wanted =
        _mm256_mask_cmpge_epi32_mask(there, ids, _mm256_set1_epi32(first_rank));
    const __m512i found = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(),
                                                      wanted, ids, slots, 8);
    const __m512i weight = _mm512_maskz_slli_epi64(
        0xff,
        _mm512_maskz_cvtepu16_epi64(0xff,
                                    _mm_maskz_loadu_epi16(there, weights + e)),
        48);
    const __m512i kinds = _mm512_maskz_srli_epi64(0xff, found, 48);
    const __m512i row_terms = _mm512_or_si512(
        _mm512_maskz_andnot_epi64(0xff, kind_bits, found), weight);
#pragma GCC unroll 5
    for (int kind = kDenseTerm; kind < kTermKinds; ++kind) {
      const __mmask8 of_kind =
          _mm512_mask_cmpeq_epi64_mask(wanted, kinds, _mm512_set1_epi64(kind));
      // A whole vector: the next one overwrites what follows.
      _mm512_storeu_si512(ends[kind],
                          _mm512_maskz_compress_epi64(of_kind, row_terms));
      ends[kind] += _mm_popcnt_u32(of_kind);
    }
  }
}

#undef WARPCLUST_TARGET

constexpr CosineRowKernels kKernels = {&WeighTerms, &Quantize, &SortTerms};

}  // namespace avx512

#endif  // defined(__x86_64__)

}  // namespace

const CosineRowKernels& CosineRowKernelsFor(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return avx512::kKernels;
#else
  static_cast<void>(level);
#endif
  return baseline::kKernels;
}

}  // namespace warpclust
