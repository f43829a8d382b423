// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/overlapping_nmi.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "eval/cluster_intersections.h"
#include "eval/item_groups.h"

namespace warpclust {
namespace eval_internal {
namespace {

// h(k / n) = -(k / n) log2(k / n) for all k, and the entropies built from it.
class EntropyTable {
 public:
  explicit EntropyTable(int32_t num_items)
      : num_items_(num_items), h_(num_items + size_t{1}, 0.0) {
    for (int64_t k = 1; k <= num_items; ++k) {
      const double p = static_cast<double>(k) / num_items;
      // Without this h(1) would be -0.
      h_[k] = k == num_items ? 0.0 : -p * std::log2(p);
    }
  }

  // H(X) of a cluster of this size.
  double OfCluster(int32_t size) const {
    return h_[size] + h_[num_items_ - size];
  }

  // H(X|Y) of two clusters with `common` items in common: H(X) where the
  // clusters are nearer to complements than to copies of each other.
  double Conditional(int32_t x_size, int32_t y_size, int32_t common) const {
    const double h11 = h_[common];
    const double h10 = h_[x_size - common];
    const double h01 = h_[y_size - common];
    const double h00 = h_[num_items_ - x_size - (y_size - common)];
    if (!(h11 + h00 > h01 + h10)) return OfCluster(x_size);
    return h11 + h10 + h01 + h00 - OfCluster(y_size);
  }

 private:
  int32_t num_items_;
  std::vector<double> h_;
};

// Equal as multisets of clusters. Group lists decide: a cluster is a union of
// groups.
bool EqualCovers(const GroupedCover& a, const GroupedCover& b) {
  if (a.num_clusters() != b.num_clusters() ||
      a.cluster_groups.size() != b.cluster_groups.size()) {
    return false;
  }
  const auto sorted = [](const GroupedCover& cover) {
    std::vector<int32_t> order(cover.num_clusters());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t x, int32_t y) {
      return cover.GroupsOf(x) < cover.GroupsOf(y);
    });
    return order;
  };
  const std::vector<int32_t> a_order = sorted(a);
  const std::vector<int32_t> b_order = sorted(b);
  for (size_t i = 0; i < a_order.size(); ++i) {
    if (a.GroupsOf(a_order[i]) != b.GroupsOf(b_order[i])) return false;
  }
  return true;
}

// The clusters of one cover by size, and how many of each size a cluster of the
// other cover meets.
class SizeClasses {
 public:
  explicit SizeClasses(const GroupedCover& cover) {
    sizes_ = cover.cluster_sizes;
    std::sort(sizes_.begin(), sizes_.end());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    counts_.assign(sizes_.size(), 0);
    for (const int32_t size : cover.cluster_sizes) ++counts_[ClassOf(size)];
  }

  size_t num_classes() const { return sizes_.size(); }
  int32_t SizeOf(size_t size_class) const { return sizes_[size_class]; }
  int32_t CountOf(size_t size_class) const { return counts_[size_class]; }
  size_t ClassOf(int32_t size) const {
    return std::lower_bound(sizes_.begin(), sizes_.end(), size) -
           sizes_.begin();
  }

 private:
  // Ascending.
  std::vector<int32_t> sizes_;
  std::vector<int32_t> counts_;
};

// H(X_i|Y) for the clusters of X, with the scratch space of one thread.
class ConditionalEntropies {
 public:
  ConditionalEntropies(const ItemGroups& groups, const GroupedCover& x,
                       const GroupedCover& y, const SizeClasses& y_classes,
                       const EntropyTable& h)
      : x_(x),
        y_(y),
        y_classes_(y_classes),
        h_(h),
        half_(groups.num_items / 2),
        intersections_(x, y, groups.weights) {}

  // The minimum over all clusters of Y, never above H(X_i).
  double Of(int32_t cluster) {
    const int32_t size = x_.cluster_sizes[cluster];
    double best = h_.OfCluster(size);
    const absl::Span<const int32_t> meeting = intersections_.Find(cluster);
    for (const int32_t other : meeting) {
      best = std::min(best, h_.Conditional(size, y_.cluster_sizes[other],
                                           intersections_.CommonItems(other)));
    }
    // Of the disjoint ones only the size matters. If p = |X_i| / n and q =
    // |Y_j| / n are at most 1/2, h(1 - p - q) < h(p) + h(q) since h is concave,
    // and the pair fails the test in Conditional: one of them must be larger.
    const size_t first_class =
        size <= half_ ? y_classes_.ClassOf(half_ + 1) : 0;
    if (first_class == y_classes_.num_classes()) return best;
    meeting_of_class_.assign(y_classes_.num_classes(), 0);
    for (const int32_t other : meeting) {
      ++meeting_of_class_[y_classes_.ClassOf(y_.cluster_sizes[other])];
    }
    for (size_t k = first_class; k < y_classes_.num_classes(); ++k) {
      if (meeting_of_class_[k] == y_classes_.CountOf(k)) continue;
      best = std::min(best, h_.Conditional(size, y_classes_.SizeOf(k), 0));
    }
    return best;
  }

 private:
  const GroupedCover& x_;
  const GroupedCover& y_;
  const SizeClasses& y_classes_;
  const EntropyTable& h_;
  int32_t half_;
  ClusterIntersections intersections_;
  std::vector<int32_t> meeting_of_class_;
};

struct CoverEntropy {
  double entropy = 0;
  // H(X|Y).
  double conditional = 0;
  // Mean over the clusters of H(X_i|Y) / H(X_i).
  double mean_ratio = 0;
};

CoverEntropy EntropyOfCover(const ItemGroups& groups, const GroupedCover& x,
                            const GroupedCover& y, const EntropyTable& h,
                            int num_threads) {
  const int32_t num_clusters = x.num_clusters();
  std::vector<double> conditional(num_clusters);
  const SizeClasses y_classes(y);
  // For little work, starting threads takes longer than the work.
  num_threads = std::min(ResolveThreads(num_threads), 1 + num_clusters / 256);
#pragma omp parallel num_threads(num_threads)
  {
    ConditionalEntropies entropies(groups, x, y, y_classes, h);
#pragma omp for schedule(dynamic, 16)
    for (int32_t c = 0; c < num_clusters; ++c) {
      conditional[c] = entropies.Of(c);
    }
  }
  CoverEntropy result;
  double ratio_sum = 0;
  for (int32_t c = 0; c < num_clusters; ++c) {
    const double entropy = h.OfCluster(x.cluster_sizes[c]);
    result.entropy += entropy;
    result.conditional += conditional[c];
    ratio_sum += entropy == 0 ? 1 : conditional[c] / entropy;
  }
  result.mean_ratio = ratio_sum / num_clusters;
  return result;
}

}  // namespace

OverlappingNmi OverlappingNmiOf(const ItemGroups& groups, int num_threads) {
  const GroupedCover& x = groups.clusters;
  const GroupedCover& y = groups.truth;
  if (EqualCovers(x, y)) return {1, 1, 1};
  if (x.num_clusters() == 0 || y.num_clusters() == 0) return {0, 0, 0};
  const EntropyTable h(groups.num_items);
  const CoverEntropy of_x = EntropyOfCover(groups, x, y, h, num_threads);
  const CoverEntropy of_y = EntropyOfCover(groups, y, x, h, num_threads);
  const double larger = std::max(of_x.entropy, of_y.entropy);
  if (larger == 0) return {0, 0, 0};
  OverlappingNmi result;
  result.lfk = 1 - 0.5 * (of_x.mean_ratio + of_y.mean_ratio);
  result.mgh_max =
      0.5 *
      (of_x.entropy - of_x.conditional + of_y.entropy - of_y.conditional) /
      larger;
  result.mgh_lfk = of_x.entropy == 0 || of_y.entropy == 0
                       ? 0
                       : 1 - 0.5 * (of_x.conditional / of_x.entropy +
                                    of_y.conditional / of_y.entropy);
  return result;
}

}  // namespace eval_internal

absl::StatusOr<OverlappingNmi> ComputeOverlappingNmi(const Cover& truth,
                                                     const Cover& clusters,
                                                     int32_t num_items,
                                                     int num_threads) {
  ASSIGN_OR_RETURN(
      const eval_internal::ItemGroups groups,
      eval_internal::GroupItems(truth, clusters, num_items, num_threads));
  return eval_internal::OverlappingNmiOf(groups, num_threads);
}

}  // namespace warpclust
