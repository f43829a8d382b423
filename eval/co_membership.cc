// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/co_membership.h"

#include <algorithm>
#include <cstddef>

#include "base/machine/threads.h"
#include "eval/co_membership_bits.h"
#include "eval/pair_tally.h"

namespace warpclust::eval_internal {
namespace {

// Fills tallies by counting along the groups of the clusters of a group.
class WalkCounter {
 public:
  explicit WalkCounter(const ItemGroups& groups)
      : groups_(groups),
        shared_(groups.num_groups()),
        touched_(groups.num_groups() + size_t{1}) {}

  // `tally` is reset to the size of the group by the caller.
  void Count(int32_t group, PairTally& tally) {
    // Whether a group is new is unpredictable, so the list grows without a
    // branch; its last place takes what is not kept.
    int32_t num_touched = 0;
    for (const int32_t c : groups_.clusters.ClustersOf(group)) {
      for (const int32_t other : groups_.clusters.GroupsOf(c)) {
        touched_[num_touched] = other;
        num_touched += shared_[other].clusters++ == 0;
      }
    }
    for (const int32_t c : groups_.truth.ClustersOf(group)) {
      for (const int32_t other : groups_.truth.GroupsOf(c)) {
        Shared& shared = shared_[other];
        touched_[num_touched] = other;
        num_touched += (shared.truth++ | shared.clusters) == 0;
      }
    }
    int64_t equal = groups_.num_items;
    for (int32_t i = 0; i < num_touched; ++i) {
      const int32_t other = touched_[i];
      const Shared shared = shared_[other];
      shared_[other] = {0, 0};
      const int64_t weight = groups_.weights[other];
      const int64_t weighted_min =
          weight * std::min(shared.clusters, shared.truth);
      tally.clusters.count[shared.clusters] += weight;
      tally.clusters.min_sum[shared.clusters] += weighted_min;
      tally.truth.count[shared.truth] += weight;
      tally.truth.min_sum[shared.truth] += weighted_min;
      equal -= shared.clusters == shared.truth ? 0 : weight;
    }
    tally.equal = equal;
  }

 private:
  struct Shared {
    int32_t clusters = 0;
    int32_t truth = 0;
  };
  const ItemGroups& groups_;
  // By group; all zero between calls.
  std::vector<Shared> shared_;
  std::vector<int32_t> touched_;
};

// Steps of WalkCounter for a group.
int64_t WalkSteps(const GroupedCover& cover, int32_t group) {
  int64_t steps = 0;
  for (const int32_t c : cover.ClustersOf(group)) {
    steps += cover.cluster_offsets[c + 1] - cover.cluster_offsets[c];
  }
  return steps;
}

// The BCubed average of one item over its partners in one cover. `own` and
// `other` are its numbers of clusters in this cover and in the other one.
//
// An item in no cluster has a cluster of its own: its only partner is itself,
// and their multiplicity is min(1, x) / 1 = 1 with x >= 1. Where only the other
// cover lacks the item, the pair (e, e) shares the one cluster given to it.
double AverageMultiplicity(const SideTally& side, int64_t own, int64_t other) {
  if (own == 0) return 1;
  double sum = 0;
  int64_t partners = 0;
  for (int64_t k = 1; k <= own; ++k) {
    if (side.count[k] == 0) continue;
    partners += side.count[k];
    const int64_t own_pair = (k == own && other == 0) ? 1 : 0;
    sum += static_cast<double>(side.min_sum[k] + own_pair) /
           static_cast<double>(k);
  }
  return sum / static_cast<double>(partners);
}

int64_t MaxClustersOfGroup(const GroupedCover& cover, int32_t num_groups) {
  int64_t max = 0;
  for (int32_t g = 0; g < num_groups; ++g) {
    max = std::max(max, cover.group_offsets[g + 1] - cover.group_offsets[g]);
  }
  return max;
}

// Adds `weight` items of one tally, without the pair of an item with itself.
void AddPairs(const SideTally& side, int64_t own, int64_t weight,
              std::vector<int64_t>& pairs) {
  for (int64_t k = 1; k <= own; ++k) pairs[k] += weight * side.count[k];
  if (own > 0) pairs[own] -= weight;
}

// The counters and counts of one thread.
struct Counting {
  Counting(const ItemGroups& groups, const BitMaps& maps, bool allow_simd,
           size_t cluster_counts, size_t truth_counts)
      : walk(groups),
        bits(groups, maps, allow_simd),
        cluster_pairs(cluster_counts, 0),
        truth_pairs(truth_counts, 0) {}

  WalkCounter walk;
  BitCounter bits;
  PairTally tally;
  std::vector<int64_t> cluster_pairs;
  std::vector<int64_t> truth_pairs;
  int64_t equal_pairs = 0;
};

}  // namespace

CoMembership CountCoMembership(const ItemGroups& groups, int num_threads,
                               CountingMethod method) {
  const int32_t num_groups = groups.num_groups();
  CoMembership result;
  result.cluster_pairs.assign(
      MaxClustersOfGroup(groups.clusters, num_groups) + 1, 0);
  result.truth_pairs.assign(MaxClustersOfGroup(groups.truth, num_groups) + 1,
                            0);
  if (num_groups == 0) return result;
  // For little work, starting threads takes longer than the work.
  num_threads = std::min(ResolveThreads(num_threads), 1 + num_groups / 256);

  const BitMaps maps(groups);
  std::vector<char> by_bits(num_groups);
  for (int32_t g = 0; g < num_groups; ++g) {
    if (!maps.CanCount(g) || method == CountingMethod::kWalk) continue;
    by_bits[g] = method != CountingMethod::kCheaper ||
                 maps.EstimateNanoseconds(g) <
                     kWalkStepNanoseconds *
                         static_cast<double>(WalkSteps(groups.clusters, g) +
                                             WalkSteps(groups.truth, g));
  }

  std::vector<double> precision(num_groups);
  std::vector<double> recall(num_groups);
#pragma omp parallel num_threads(num_threads)
  {
    Counting counting(groups, maps, method != CountingMethod::kBitsWithoutSimd,
                      result.cluster_pairs.size(), result.truth_pairs.size());
#pragma omp for schedule(dynamic, 16)
    for (int32_t g = 0; g < num_groups; ++g) {
      const int64_t num_clusters =
          static_cast<int64_t>(groups.clusters.ClustersOf(g).size());
      const int64_t num_truth =
          static_cast<int64_t>(groups.truth.ClustersOf(g).size());
      PairTally& tally = counting.tally;
      tally.Reset(num_clusters, num_truth);
      if (by_bits[g]) {
        counting.bits.Count(g, tally);
      } else {
        counting.walk.Count(g, tally);
      }
      precision[g] =
          AverageMultiplicity(tally.clusters, num_clusters, num_truth);
      recall[g] = AverageMultiplicity(tally.truth, num_truth, num_clusters);
      const int64_t weight = groups.weights[g];
      AddPairs(tally.clusters, num_clusters, weight, counting.cluster_pairs);
      AddPairs(tally.truth, num_truth, weight, counting.truth_pairs);
      counting.equal_pairs +=
          weight * (tally.equal - (num_clusters == num_truth ? 1 : 0));
    }
#pragma omp critical
    {
      for (size_t k = 0; k < counting.cluster_pairs.size(); ++k) {
        result.cluster_pairs[k] += counting.cluster_pairs[k];
      }
      for (size_t k = 0; k < counting.truth_pairs.size(); ++k) {
        result.truth_pairs[k] += counting.truth_pairs[k];
      }
      result.equal_pairs += counting.equal_pairs;
    }
  }

  double precision_sum = 0;
  double recall_sum = 0;
  for (int32_t g = 0; g < num_groups; ++g) {
    precision_sum += groups.weights[g] * precision[g];
    recall_sum += groups.weights[g] * recall[g];
  }
  result.precision = precision_sum / groups.num_items;
  result.recall = recall_sum / groups.num_items;
  const int64_t all_pairs =
      static_cast<int64_t>(groups.num_items) * (groups.num_items - int64_t{1});
  for (std::vector<int64_t>* pairs :
       {&result.cluster_pairs, &result.truth_pairs}) {
    int64_t sharing = 0;
    for (size_t k = 1; k < pairs->size(); ++k) sharing += (*pairs)[k];
    (*pairs)[0] = all_pairs - sharing;
  }
  return result;
}

}  // namespace warpclust::eval_internal
