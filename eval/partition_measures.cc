// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/partition_measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/count_cells.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "eval/item_groups.h"
#include "eval/labels.h"

namespace warpclust {
namespace eval_internal {
namespace {

// Unordered pairs of distinct items; the integer is exact, its double correctly
// rounded.
double Pairs(int64_t items) {
  return static_cast<double>(items * (items - 1) / 2);
}

// What the measures need of the rows or columns of the contingency table.
struct Sums {
  double entropy = 0;
  double pairs = 0;
};

double EntropyTerm(int64_t items, int64_t of) {
  const double p = static_cast<double>(items) / static_cast<double>(of);
  return items == of ? 0 : -p * std::log(p);
}

Sums SumsOfClusters(const ItemGroups& groups, const GroupedCover& cover) {
  Sums sums;
  for (int32_t g = 0; g < groups.num_groups(); ++g) {
    if (!cover.ClustersOf(g).empty()) continue;
    sums.entropy += groups.weights[g] * EntropyTerm(1, groups.num_items);
  }
  for (const int32_t size : cover.cluster_sizes) {
    sums.entropy += EntropyTerm(size, groups.num_items);
    sums.pairs += Pairs(size);
  }
  return sums;
}

double Ratio(double numerator, double denominator, double if_zero) {
  return denominator > 0 ? std::clamp(numerator / denominator, 0.0, 1.0)
                         : if_zero;
}

// The sums are of unordered pairs that are together: in clusters of either
// side, in both, and all pairs.
double AdjustedRandIndexOf(double of_truth, double of_clusters, double of_both,
                           double all_pairs) {
  const double mean = 0.5 * (of_truth + of_clusters);
  const double expected =
      all_pairs > 0 ? of_truth / all_pairs * of_clusters : 0;
  return mean != expected ? (of_both - expected) / (mean - expected) : 1;
}

int64_t SizeOfClusterOf(const GroupedCover& cover, int32_t group) {
  const absl::Span<const int32_t> own = cover.ClustersOf(group);
  return own.empty() ? 1 : cover.cluster_sizes[own[0]];
}

}  // namespace

absl::StatusOr<PartitionMeasures> PartitionMeasuresOf(
    const ItemGroups& groups) {
  for (int32_t g = 0; g < groups.num_groups(); ++g) {
    if (groups.truth.ClustersOf(g).size() > 1 ||
        groups.clusters.ClustersOf(g).size() > 1) {
      return absl::InvalidArgumentError(
          "expected a partition, found an item in two clusters");
    }
  }
  PartitionMeasures result;
  const int64_t n = groups.num_items;
  if (n == 0) return result;

  const Sums of_truth = SumsOfClusters(groups, groups.truth);
  const Sums of_clusters = SumsOfClusters(groups, groups.clusters);
  // Mutual information as a sum over the cells, not as a difference of
  // entropies: independent partitions give 0 without cancellation.
  double mutual = 0;
  double joint = 0;
  double cell_pairs = 0;
  for (int32_t g = 0; g < groups.num_groups(); ++g) {
    // A group is one cell of the table if it is in clusters of both covers,
    // else as many cells of one item as the group has.
    const bool is_cell = !groups.truth.ClustersOf(g).empty() &&
                         !groups.clusters.ClustersOf(g).empty();
    const int64_t cell = is_cell ? groups.weights[g] : 1;
    const double cells = is_cell ? 1 : groups.weights[g];
    const double p = static_cast<double>(cell) / static_cast<double>(n);
    const double expected =
        static_cast<double>(SizeOfClusterOf(groups.truth, g)) *
        static_cast<double>(SizeOfClusterOf(groups.clusters, g)) /
        static_cast<double>(n);
    mutual += cells * p * std::log(static_cast<double>(cell) / expected);
    joint += cells * EntropyTerm(cell, n);
    cell_pairs += cells * Pairs(cell);
  }

  const double h_truth = of_truth.entropy;
  const double h_clusters = of_clusters.entropy;
  // Both entropies 0: one cluster twice, equal. One of them 0: no information.
  const double degenerate = h_truth == 0 && h_clusters == 0 ? 1 : 0;
  result.nmi = Ratio(mutual, 0.5 * (h_truth + h_clusters), degenerate);
  result.nmi_geometric =
      Ratio(mutual, std::sqrt(h_truth * h_clusters), degenerate);
  result.nmi_min = Ratio(mutual, std::min(h_truth, h_clusters), degenerate);
  result.nmi_max = Ratio(mutual, std::max(h_truth, h_clusters), degenerate);
  result.nmi_joint = Ratio(mutual, joint, degenerate);
  result.homogeneity = Ratio(mutual, h_truth, 1);
  result.completeness = Ratio(mutual, h_clusters, 1);

  result.ari = AdjustedRandIndexOf(of_truth.pairs, of_clusters.pairs,
                                   cell_pairs, Pairs(n));
  return result;
}

}  // namespace eval_internal

absl::StatusOr<PartitionMeasures> ComparePartitionCovers(const Cover& truth,
                                                         const Cover& clusters,
                                                         int32_t num_items) {
  ASSIGN_OR_RETURN(const eval_internal::ItemGroups groups,
                   eval_internal::GroupItems(truth, clusters, num_items));
  return eval_internal::PartitionMeasuresOf(groups);
}

namespace {

constexpr int64_t kItemsPerThread = 1 << 14;

absl::Status CheckLengths(absl::Span<const int32_t> truth,
                          absl::Span<const int32_t> clusters) {
  return truth.size() == clusters.size()
             ? absl::OkStatus()
             : absl::InvalidArgumentError(
                   absl::StrCat("expected as many labels on both sides, found ",
                                truth.size(), " and ", clusters.size()));
}

// The largest label + 1. None may be negative.
absl::StatusOr<int64_t> NumLabels(absl::Span<const int32_t> labels,
                                  int num_threads) {
  const auto n = static_cast<int64_t>(labels.size());
  const int threads = ThreadsFor(n, kItemsPerThread, num_threads);
  int32_t least = 0;
  int32_t most = -1;
#pragma omp parallel for num_threads(threads) reduction(min      \
                                                        : least) \
    reduction(max                                                \
              : most)
  for (int64_t i = 0; i < n; ++i) {
    least = std::min(least, labels[i]);
    most = std::max(most, labels[i]);
  }
  if (least < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected labels that are numbers of clusters, found ", least));
  }
  return int64_t{most} + 1;
}

double PairsOf(const std::vector<int64_t>& counts) {
  double pairs = 0;
  for (const int64_t count : counts) pairs += eval_internal::Pairs(count);
  return pairs;
}

}  // namespace

double eval_internal::AdjustedRandIndexBelow(absl::Span<const int32_t> truth,
                                             int64_t num_truth,
                                             absl::Span<const int32_t> clusters,
                                             int64_t num_clusters,
                                             int num_threads,
                                             std::vector<int64_t>* sizes) {
  // Numbers that a cache holds.
  constexpr int64_t kMostCells = 1 << 20;
  const auto n = static_cast<int64_t>(truth.size());
  const auto cell_of = [&](int64_t i) {
    return truth[i] * num_clusters + clusters[i];
  };
  std::vector<int64_t> of_truth(num_truth, 0);
  std::vector<int64_t>& of_clusters = *sizes;
  of_clusters.assign(num_clusters, 0);
  double of_both = 0;
  if (num_truth <= kMostCells / std::max<int64_t>(num_clusters, 1)) {
    const std::vector<int64_t> cells =
        CountCells(n, num_truth * num_clusters, num_threads, cell_of);
    of_both = PairsOf(cells);
    for (int64_t row = 0; row < num_truth; ++row) {
      for (int64_t column = 0; column < num_clusters; ++column) {
        const int64_t count = cells[row * num_clusters + column];
        of_truth[row] += count;
        of_clusters[column] += count;
      }
    }
  } else {
    absl::flat_hash_map<int64_t, int64_t> cells;
    for (int64_t i = 0; i < n; ++i) {
      ++cells[cell_of(i)];
      ++of_truth[truth[i]];
      ++of_clusters[clusters[i]];
    }
    for (const auto& [place, count] : cells) of_both += Pairs(count);
  }
  return AdjustedRandIndexOf(PairsOf(of_truth), PairsOf(of_clusters), of_both,
                             Pairs(n));
}

absl::StatusOr<double> AdjustedRandIndex(absl::Span<const int32_t> truth,
                                         absl::Span<const int32_t> clusters,
                                         int num_threads) {
  RETURN_IF_ERROR(CheckLengths(truth, clusters));
  ASSIGN_OR_RETURN(const int64_t num_truth, NumLabels(truth, num_threads));
  ASSIGN_OR_RETURN(const int64_t num_clusters,
                   NumLabels(clusters, num_threads));
  std::vector<int64_t> sizes;
  return eval_internal::AdjustedRandIndexBelow(
      truth, num_truth, clusters, num_clusters, num_threads, &sizes);
}

absl::StatusOr<PartitionMeasures> ComparePartitions(
    absl::Span<const int32_t> truth, absl::Span<const int32_t> clusters) {
  RETURN_IF_ERROR(CheckLengths(truth, clusters));
  ASSIGN_OR_RETURN(const Cover truth_cover, CoverFromLabels(truth));
  ASSIGN_OR_RETURN(const Cover cluster_cover, CoverFromLabels(clusters));
  return ComparePartitionCovers(truth_cover, cluster_cover,
                                static_cast<int32_t>(truth.size()));
}

}  // namespace warpclust
