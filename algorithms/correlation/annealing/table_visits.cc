// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/annealing/table_visits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "algorithms/correlation/annealing/annealing.h"
#include "base/machine/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust::internal {
namespace {

template <typename Limit>
void DrawFrom(const AnnealingPlan& plan, uint64_t sweep_key, double temperature,
              int32_t begin, DrawnVisits<Limit>* visits) {
  constexpr int64_t kMost = std::numeric_limits<Limit>::max();
  const double* const noise = NoiseTable().data();
  const int32_t n = plan.num_positions();
  for (int32_t p = begin; p < n; ++p) {
    const uint64_t random = VisitRandom(sweep_key, p);
    const int32_t num_positive = plan.num_positive[p];
    const int32_t drawn = DrawnNeighbor(random, num_positive);
    visits->neighbors[p] =
        drawn == num_positive ? n : plan.neighbors[plan.offsets[p] + drawn];
    visits->limits[p] = static_cast<Limit>(
        std::min(kMost, Threshold(temperature, noise[NoiseIndex(random)])));
  }
}

template <typename Weight>
int32_t NextMoveFrom(const DrawnVisits<LimitOf<Weight>>& visits,
                     const int32_t* columns, const Weight* sums, int64_t stride,
                     int32_t begin) {
  const auto n = static_cast<int32_t>(visits.limits.size());
  for (int32_t p = begin; p < n; ++p) {
    const int32_t own = columns[p];
    const int32_t target = columns[visits.neighbors[p]];
    if (target != own && sums[own * stride + p] - sums[target * stride + p] <=
                             visits.limits[p]) {
      return p;
    }
  }
  return n;
}

#if defined(__x86_64__)

// Uses intrinsics where GCC's vector types have no operator.
#define WARPCLUST_TARGET __attribute__((target("avx512f,avx512dq")))

typedef uint64_t Bits __attribute__((vector_size(64)));
typedef double Reals __attribute__((vector_size(64)));
typedef int32_t HalfLanes
    __attribute__((vector_size(32), aligned(alignof(int32_t)), may_alias));
typedef int64_t WideLanes
    __attribute__((vector_size(64), aligned(alignof(int64_t)), may_alias));
typedef int32_t Lanes __attribute__((vector_size(64)));

// DrawFrom for eight visits at a time, with the arithmetic of VisitRandom and
// DrawnNeighbor.
WARPCLUST_TARGET void DrawAvx512(const AnnealingPlan& plan, uint64_t sweep_key,
                                 double temperature,
                                 DrawnVisits<int32_t>* visits) {
  constexpr int32_t kLanes = 8;
  constexpr uint64_t kStep = 0x9E3779B97F4A7C15u;
  constexpr double kMost = std::numeric_limits<int32_t>::max();
  const double* const noise = NoiseTable().data();
  const int32_t n = plan.num_positions();
  const Bits steps = Bits{1, 2, 3, 4, 5, 6, 7, 8} * kStep;
  int32_t p = 0;
  for (; p + kLanes <= n; p += kLanes) {
    Bits random = steps + (sweep_key + static_cast<uint64_t>(p) * kStep);
    random = (random ^ (random >> 30)) * 0xBF58476D1CE4E5B9u;
    random = (random ^ (random >> 27)) * 0x94D049BB133111EBu;
    random ^= random >> 31;
    const Bits num_positive = __builtin_convertvector(
        *reinterpret_cast<const HalfLanes*>(&plan.num_positive[p]), Bits);
    const Bits drawn = ((random >> 32) * (num_positive + 1)) >> 32;
    const auto places = reinterpret_cast<__m512i>(
        drawn + reinterpret_cast<Bits>(
                    *reinterpret_cast<const WideLanes*>(&plan.offsets[p])));
    const __mmask8 is_old =
        _mm512_cmplt_epu64_mask(reinterpret_cast<__m512i>(drawn),
                                reinterpret_cast<__m512i>(num_positive));
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(&visits->neighbors[p]),
        _mm512_mask_i64gather_epi32(_mm256_set1_epi32(n), is_old, places,
                                    plan.neighbors.data(), sizeof(int32_t)));
    const auto noises = reinterpret_cast<Reals>(_mm512_mask_i64gather_pd(
        _mm512_setzero_pd(), 0xFF,
        reinterpret_cast<__m512i>(random & (kNumNoise - 1)), noise,
        sizeof(double)));
    const Reals thresholds = temperature * noises;
    *reinterpret_cast<HalfLanes*>(&visits->limits[p]) = __builtin_convertvector(
        thresholds < kMost ? thresholds : Reals{} + kMost, HalfLanes);
  }
  DrawFrom(plan, sweep_key, temperature, p, visits);
}

// The sums at these places in the lanes of the mask, 0 in the others.
WARPCLUST_TARGET inline Lanes GatherSums(__mmask16 mask, Lanes places,
                                         const int32_t* sums) {
  return reinterpret_cast<Lanes>(_mm512_mask_i32gather_epi32(
      _mm512_setzero_si512(), mask, reinterpret_cast<__m512i>(places), sums,
      sizeof(int32_t)));
}
WARPCLUST_TARGET inline Lanes GatherSums(__mmask16 mask, Lanes places,
                                         const int16_t* sums) {
  // The upper half of a lane holds the next sum, which the shifts remove.
  const auto pairs = reinterpret_cast<Lanes>(_mm512_mask_i32gather_epi32(
      _mm512_setzero_si512(), mask, reinterpret_cast<__m512i>(places), sums,
      sizeof(int16_t)));
  return (pairs << 16) >> 16;
}

// NextMoveFrom for sixteen visits at a time.
template <typename Weight>
WARPCLUST_TARGET int32_t NextMoveAvx512(const DrawnVisits<int32_t>& visits,
                                        const int32_t* columns,
                                        const Weight* sums, int64_t stride,
                                        int32_t begin) {
  constexpr int32_t kLanes = 16;
  const auto n = static_cast<int32_t>(visits.limits.size());
  const auto column_size = static_cast<int32_t>(stride);
  Lanes positions = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  positions += begin;
  for (int32_t p = begin; p < n; p += kLanes, positions += kLanes) {
    const auto inside =
        static_cast<__mmask16>(n - p >= kLanes ? 0xFFFF : (1 << (n - p)) - 1);
    const __m512i own = _mm512_maskz_loadu_epi32(inside, &columns[p]);
    const __m512i target = _mm512_mask_i32gather_epi32(
        own, inside, _mm512_maskz_loadu_epi32(inside, &visits.neighbors[p]),
        columns, sizeof(int32_t));
    const __mmask16 differ = _mm512_cmpneq_epi32_mask(own, target);
    const Lanes deltas =
        GatherSums(differ,
                   reinterpret_cast<Lanes>(own) * column_size + positions,
                   sums) -
        GatherSums(differ,
                   reinterpret_cast<Lanes>(target) * column_size + positions,
                   sums);
    const __mmask16 accept = _mm512_mask_cmple_epi32_mask(
        differ, reinterpret_cast<__m512i>(deltas),
        _mm512_maskz_loadu_epi32(inside, &visits.limits[p]));
    if (accept != 0) return p + std::countr_zero(uint32_t{accept});
  }
  return n;
}

#endif  // defined(__x86_64__)

}  // namespace

template <typename Limit>
void DrawVisits(const AnnealingPlan& plan, uint64_t sweep_key,
                double temperature, DrawnVisits<Limit>* visits) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<Limit, int32_t>) {
    if (CpuSimdLevel() >= SimdLevel::kAvx512) {
      return DrawAvx512(plan, sweep_key, temperature, visits);
    }
  }
#endif
  DrawFrom(plan, sweep_key, temperature, 0, visits);
}

template <typename Weight>
int32_t NextMove(const DrawnVisits<LimitOf<Weight>>& visits,
                 const int32_t* columns, const Weight* sums, int64_t stride,
                 int32_t begin) {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<LimitOf<Weight>, int32_t>) {
    if (CpuSimdLevel() >= SimdLevel::kAvx512) {
      return NextMoveAvx512(visits, columns, sums, stride, begin);
    }
  }
#endif
  return NextMoveFrom(visits, columns, sums, stride, begin);
}

template void DrawVisits(const AnnealingPlan&, uint64_t, double,
                         DrawnVisits<int32_t>*);
template void DrawVisits(const AnnealingPlan&, uint64_t, double,
                         DrawnVisits<int64_t>*);
template int32_t NextMove(const DrawnVisits<int32_t>&, const int32_t*,
                          const int16_t*, int64_t, int32_t);
template int32_t NextMove(const DrawnVisits<int32_t>&, const int32_t*,
                          const int32_t*, int64_t, int32_t);
template int32_t NextMove(const DrawnVisits<int64_t>&, const int32_t*,
                          const int64_t*, int64_t, int32_t);

}  // namespace warpclust::internal
