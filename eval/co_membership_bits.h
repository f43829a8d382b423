// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of clusters that one item shares with all others, bit-sliced:
// each large cluster is a bit map over the items, and the maps of the clusters
// of an item are added up as binary numbers, 256 items at a time. Private to
// eval.
//
// Use it for large clusters, where walking takes the sum of squared cluster
// sizes. Memory: a map of items / 8 bytes per cluster of at least items / 128
// items, so at most 16 bytes per membership. Uses AVX2 if the machine has it;
// the counts are the same.

#ifndef WARPCLUST_EVAL_CO_MEMBERSHIP_BITS_H_
#define WARPCLUST_EVAL_CO_MEMBERSHIP_BITS_H_

#include <cstdint>
#include <vector>

#include "eval/item_groups.h"
#include "eval/pair_tally.h"

namespace warpclust::eval_internal {

// Measured (x86-64, 2.1 to 3 GHz); only the choice of the way depends on it.
inline constexpr double kWalkStepNanoseconds = 4.0;

// The bit maps of the large clusters of both covers. Items are renumbered so
// that those of a group are neighbors.
class BitMaps {
 public:
  explicit BitMaps(const ItemGroups& groups);

  // False for a group in so many clusters that the bit planes run out.
  bool CanCount(int32_t group) const;
  double EstimateNanoseconds(int32_t group) const;

 private:
  friend class BitCounter;
  struct Side {
    const GroupedCover* cover;
    // By cluster: its first word in `words`, or -1 if it is small.
    std::vector<int64_t> map_of;
    std::vector<uint64_t> words;
  };
  Side MakeSide(const GroupedCover& cover) const;
  double EstimateSide(const Side& side, int32_t group) const;

  int32_t num_items_;
  // A multiple of the words a step takes.
  int64_t num_words_;
  // First position of each group; one more than groups.
  std::vector<int64_t> group_begin_;
  Side clusters_;
  Side truth_;
};

// Scratch space of one thread.
class BitCounter {
 public:
  // AVX2 only if allowed and present.
  BitCounter(const ItemGroups& groups, const BitMaps& maps, bool allow_simd);

  // Requires maps.CanCount(group) and a tally reset to the group's size.
  void Count(int32_t group, PairTally& tally);

 private:
  // The maps of one item's large clusters, and the sum of its small ones.
  struct Operand {
    int num_planes = 0;
    int64_t num_small = 0;
    std::vector<const uint64_t*> maps;
    // num_planes planes of num_words each; in use if num_small > 0.
    std::vector<uint64_t> small_sum;
  };
  void Prepare(const BitMaps::Side& side, int32_t group, Operand& operand);

  const ItemGroups& groups_;
  const BitMaps& maps_;
  bool use_avx2_;
  Operand clusters_;
  Operand truth_;
};

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_CO_MEMBERSHIP_BITS_H_
