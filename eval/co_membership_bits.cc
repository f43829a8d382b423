// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/co_membership_bits.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "base/machine/cpu_features.h"

namespace warpclust::eval_internal {
namespace {

// An item in up to 2^kMaxPlanes - 1 clusters can be counted.
constexpr int kMaxPlanes = 12;
constexpr int64_t kWordsPerStep = 4;
// A cluster with at least items / kDenseShare items has a map.
constexpr int64_t kDenseShare = 128;

// Four words at once. Never passed or returned by value: the calling convention
// would depend on the instruction set.
using Lanes = uint64_t __attribute__((vector_size(32)));
// The same at any address of a uint64_t.
using LoadedLanes =
    uint64_t __attribute__((vector_size(32), aligned(8), may_alias));

#define WARPCLUST_INLINE inline __attribute__((always_inline))

WARPCLUST_INLINE bool AnyBit(const Lanes& v) {
  return (v[0] | v[1] | v[2] | v[3]) != 0;
}

WARPCLUST_INLINE int64_t CountBits(const Lanes& v) {
  return __builtin_popcountll(v[0]) + __builtin_popcountll(v[1]) +
         __builtin_popcountll(v[2]) + __builtin_popcountll(v[3]);
}

// The data of one cover that a step reads.
struct Planes {
  int num_planes;
  int64_t num_small;
  const uint64_t* const* maps;
  int64_t num_maps;
  const uint64_t* small_sum;
  int64_t plane_stride;
};

// Sets `sum` to the number of shared clusters of each item of the step, in
// binary.
WARPCLUST_INLINE void AddUp(const Planes& in, int64_t word, Lanes* sum) {
  for (int p = 0; p < in.num_planes; ++p) {
    sum[p] = in.num_small > 0 ? *reinterpret_cast<const LoadedLanes*>(
                                    in.small_sum + p * in.plane_stride + word)
                              : Lanes{};
  }
  int64_t added = in.num_small;
  for (int64_t i = 0; i < in.num_maps; ++i) {
    ++added;
    const int width = std::bit_width(static_cast<uint64_t>(added));
    Lanes carry = *reinterpret_cast<const LoadedLanes*>(in.maps[i] + word);
    for (int p = 0; p < width; ++p) {
      const Lanes next = sum[p] & carry;
      sum[p] ^= carry;
      carry = next;
    }
  }
}

// Adds the items of one step to one side of the tally. `num_used` planes of
// `sum` are not all zero.
WARPCLUST_INLINE void TallySide(const Lanes* sum, int num_used,
                                const Lanes* min, int num_min_used,
                                SideTally& tally) {
  const int64_t last =
      std::min<int64_t>((int64_t{1} << num_used) - 1,
                        static_cast<int64_t>(tally.count.size()) - 1);
  for (int64_t k = 1; k <= last; ++k) {
    Lanes match = ~Lanes{};
    for (int p = 0; p < num_used; ++p) {
      if ((k >> p) & 1) {
        match &= sum[p];
      } else {
        match &= ~sum[p];
      }
    }
    const int64_t count = CountBits(match);
    if (count == 0) continue;
    tally.count[k] += count;
    // min(a, b) <= k, so higher planes of the minimum are zero here.
    const int width =
        std::min(num_min_used,
                 static_cast<int>(std::bit_width(static_cast<uint64_t>(k))));
    for (int p = 0; p < width; ++p) {
      const Lanes both = match & min[p];
      tally.min_sum[k] += CountBits(both) << p;
    }
  }
}

WARPCLUST_INLINE int UsedPlanes(const Lanes* sum, int num_planes) {
  while (num_planes > 0 && !AnyBit(sum[num_planes - 1])) --num_planes;
  return num_planes;
}

// Fills the tally. Returns the number of items that do not share equally many
// clusters in both covers.
WARPCLUST_INLINE int64_t TallyAll(const Planes& a_in, const Planes& b_in,
                                  int64_t num_words, PairTally& tally) {
  int64_t unequal = 0;
  for (int64_t word = 0; word < num_words; word += kWordsPerStep) {
    Lanes a[kMaxPlanes];
    Lanes b[kMaxPlanes];
    AddUp(a_in, word, a);
    AddUp(b_in, word, b);
    const int a_used = UsedPlanes(a, a_in.num_planes);
    const int b_used = UsedPlanes(b, b_in.num_planes);
    if (a_used == 0 && b_used == 0) continue;
    const int both_used = std::min(a_used, b_used);
    // From the lowest plane up: where a < b so far, and where they differ.
    Lanes less = Lanes{};
    Lanes differ = Lanes{};
    for (int p = 0; p < both_used; ++p) {
      const Lanes differ_here = a[p] ^ b[p];
      less = (differ_here & b[p]) | (~differ_here & less);
      differ |= differ_here;
    }
    for (int p = both_used; p < a_used; ++p) {
      less &= ~a[p];
      differ |= a[p];
    }
    for (int p = both_used; p < b_used; ++p) {
      less |= b[p];
      differ |= b[p];
    }
    Lanes min[kMaxPlanes];
    for (int p = 0; p < both_used; ++p) {
      min[p] = (a[p] & less) | (b[p] & ~less);
    }
    const int min_used = UsedPlanes(min, both_used);
    unequal += CountBits(differ);
    TallySide(a, a_used, min, min_used, tally.clusters);
    TallySide(b, b_used, min, min_used, tally.truth);
  }
  return unequal;
}

#if defined(__x86_64__)
__attribute__((target("avx2,popcnt"))) int64_t TallyAllAvx2(const Planes& a,
                                                            const Planes& b,
                                                            int64_t num_words,
                                                            PairTally& tally) {
  return TallyAll(a, b, num_words, tally);
}
#endif

int64_t TallyAllPortable(const Planes& a, const Planes& b, int64_t num_words,
                         PairTally& tally) {
  return TallyAll(a, b, num_words, tally);
}

// Adds one to the binary numbers at the positions [begin, end).
void AddRange(int64_t begin, int64_t end, int64_t stride, uint64_t* planes) {
  for (int64_t word = begin / 64; word * 64 < end; ++word) {
    uint64_t carry = ~uint64_t{0};
    if (begin > word * 64) carry &= ~uint64_t{0} << (begin - word * 64);
    if (end < word * 64 + 64) carry &= ~uint64_t{0} >> (word * 64 + 64 - end);
    for (uint64_t* plane = planes + word; carry != 0; plane += stride) {
      const uint64_t next = *plane & carry;
      *plane ^= carry;
      carry = next;
    }
  }
}

}  // namespace

BitMaps::BitMaps(const ItemGroups& groups)
    : num_items_(groups.num_items),
      group_begin_(groups.num_groups() + size_t{1}, 0) {
  const int64_t items_per_step = 64 * kWordsPerStep;
  num_words_ =
      (num_items_ + items_per_step - 1) / items_per_step * kWordsPerStep;
  for (int32_t g = 0; g < groups.num_groups(); ++g) {
    group_begin_[g + 1] = group_begin_[g] + groups.weights[g];
  }
  clusters_ = MakeSide(groups.clusters);
  truth_ = MakeSide(groups.truth);
}

BitMaps::Side BitMaps::MakeSide(const GroupedCover& cover) const {
  Side side;
  side.cover = &cover;
  side.map_of.assign(cover.num_clusters(), -1);
  int64_t next_word = 0;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    if (cover.cluster_sizes[c] * kDenseShare < num_items_) continue;
    side.map_of[c] = next_word;
    next_word += num_words_;
  }
  side.words.assign(next_word, 0);
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    if (side.map_of[c] < 0) continue;
    for (const int32_t group : cover.GroupsOf(c)) {
      AddRange(group_begin_[group], group_begin_[group + 1], num_words_,
               side.words.data() + side.map_of[c]);
    }
  }
  return side;
}

bool BitMaps::CanCount(int32_t group) const {
  const size_t most = std::max(clusters_.cover->ClustersOf(group).size(),
                               truth_.cover->ClustersOf(group).size());
  return std::bit_width(most) <= kMaxPlanes;
}

double BitMaps::EstimateSide(const Side& side, int32_t group) const {
  // A step of 256 items takes about 5 ns a side, 4 ns more for each map and 6
  // ns for each number of shared clusters; a small cluster takes 5 ns a group.
  double map_adds = 0;
  double small_adds = 0;
  for (const int32_t c : side.cover->ClustersOf(group)) {
    if (side.map_of[c] >= 0) {
      map_adds += 1;
    } else {
      small_adds += static_cast<double>(side.cover->GroupsOf(c).size());
    }
  }
  const double counts =
      static_cast<double>(side.cover->ClustersOf(group).size());
  const double steps = static_cast<double>(num_words_ / kWordsPerStep);
  return steps * (5 + 4 * map_adds + 6 * counts) + 5 * small_adds;
}

double BitMaps::EstimateNanoseconds(int32_t group) const {
  return EstimateSide(clusters_, group) + EstimateSide(truth_, group);
}

BitCounter::BitCounter(const ItemGroups& groups, const BitMaps& maps,
                       bool allow_simd)
    : groups_(groups),
      maps_(maps),
      use_avx2_(allow_simd && CpuSimdLevel() >= SimdLevel::kAvx2) {}

void BitCounter::Prepare(const BitMaps::Side& side, int32_t group,
                         Operand& operand) {
  const absl::Span<const int32_t> clusters = side.cover->ClustersOf(group);
  operand.num_planes = std::bit_width(clusters.size());
  operand.num_small = 0;
  operand.maps.clear();
  for (const int32_t c : clusters) {
    if (side.map_of[c] >= 0) {
      operand.maps.push_back(side.words.data() + side.map_of[c]);
      continue;
    }
    if (operand.num_small++ == 0) {
      operand.small_sum.assign(operand.num_planes * maps_.num_words_, 0);
    }
    for (const int32_t other : side.cover->GroupsOf(c)) {
      AddRange(maps_.group_begin_[other], maps_.group_begin_[other + 1],
               maps_.num_words_, operand.small_sum.data());
    }
  }
}

void BitCounter::Count(int32_t group, PairTally& tally) {
  Prepare(maps_.clusters_, group, clusters_);
  Prepare(maps_.truth_, group, truth_);
  const auto planes_of = [this](const Operand& operand) {
    return Planes{
        operand.num_planes,       operand.num_small,
        operand.maps.data(),      static_cast<int64_t>(operand.maps.size()),
        operand.small_sum.data(), maps_.num_words_};
  };
  const Planes a = planes_of(clusters_);
  const Planes b = planes_of(truth_);
#if defined(__x86_64__)
  const int64_t unequal = use_avx2_
                              ? TallyAllAvx2(a, b, maps_.num_words_, tally)
                              : TallyAllPortable(a, b, maps_.num_words_, tally);
#else
  const int64_t unequal = TallyAllPortable(a, b, maps_.num_words_, tally);
#endif
  tally.equal = groups_.num_items - unequal;
}

}  // namespace warpclust::eval_internal
