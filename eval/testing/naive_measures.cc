// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/testing/naive_measures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace warpclust {
namespace {

int SharedClusters(const NaiveCover& cover, int e, int f) {
  int shared = 0;
  for (const std::set<int>& cluster : cover) {
    if (cluster.count(e) > 0 && cluster.count(f) > 0) ++shared;
  }
  return shared;
}

void GiveSingletons(NaiveCover& cover, int num_items) {
  for (int e = 0; e < num_items; ++e) {
    if (SharedClusters(cover, e, e) == 0) cover.push_back({e});
  }
}

// Precision of `clusters`; recall with the arguments exchanged.
double NaivePrecision(const NaiveCover& truth, const NaiveCover& clusters,
                      int num_items) {
  double total = 0;
  for (int e = 0; e < num_items; ++e) {
    double sum = 0;
    int partners = 0;
    for (int f = 0; f < num_items; ++f) {
      const int c = SharedClusters(clusters, e, f);
      if (c == 0) continue;
      const int l = SharedClusters(truth, e, f);
      sum += static_cast<double>(std::min(c, l)) / c;
      ++partners;
    }
    total += sum / partners;
  }
  return num_items == 0 ? 1 : total / num_items;
}

double H(double p) { return p <= 0 ? 0 : -p * std::log2(p); }

double ClusterEntropy(const std::set<int>& x, double n) {
  const double size = static_cast<double>(x.size());
  return H(size / n) + H((n - size) / n);
}

double ConditionalEntropy(const std::set<int>& x, const std::set<int>& y,
                          double n) {
  double d = 0;
  for (const int item : x) d += static_cast<double>(y.count(item));
  const double x_size = static_cast<double>(x.size());
  const double y_size = static_cast<double>(y.size());
  const double h11 = H(d / n);
  const double h10 = H((x_size - d) / n);
  const double h01 = H((y_size - d) / n);
  const double h00 = H((n - x_size - y_size + d) / n);
  if (!(h11 + h00 > h01 + h10)) return ClusterEntropy(x, n);
  return h11 + h10 + h01 + h00 - ClusterEntropy(y, n);
}

void NaiveCoverEntropy(const NaiveCover& x_cover, const NaiveCover& y_cover,
                       double n, double* entropy, double* conditional,
                       double* mean_ratio) {
  *entropy = *conditional = *mean_ratio = 0;
  for (const std::set<int>& x : x_cover) {
    const double h = ClusterEntropy(x, n);
    double best = h;
    for (const std::set<int>& y : y_cover) {
      best = std::min(best, ConditionalEntropy(x, y, n));
    }
    *entropy += h;
    *conditional += best;
    *mean_ratio += h == 0 ? 1 : best / h;
  }
  *mean_ratio /= static_cast<double>(x_cover.size());
}

}  // namespace

NaiveCover ToNaive(const Cover& cover) {
  NaiveCover result;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    const auto members = cover.MembersOf(c);
    if (!members.empty()) result.emplace_back(members.begin(), members.end());
  }
  return result;
}

Cover ToCover(const std::vector<std::vector<int>>& clusters) {
  Cover cover;
  for (std::vector<int> cluster : clusters) {
    std::sort(cluster.begin(), cluster.end());
    cover.Append(cluster);
  }
  return cover;
}

BCubed NaiveBCubed(NaiveCover truth, NaiveCover clusters, int num_items) {
  GiveSingletons(truth, num_items);
  GiveSingletons(clusters, num_items);
  BCubed result;
  result.precision = NaivePrecision(truth, clusters, num_items);
  result.recall = NaivePrecision(clusters, truth, num_items);
  result.f =
      2 * result.precision * result.recall / (result.precision + result.recall);
  return result;
}

double NaiveOmegaIndex(const NaiveCover& truth, const NaiveCover& clusters,
                       int num_items) {
  std::map<int, double> truth_share;
  std::map<int, double> cluster_share;
  double observed = 0;
  const double pairs = 0.5 * num_items * (num_items - 1);
  for (int e = 0; e < num_items; ++e) {
    for (int f = e + 1; f < num_items; ++f) {
      const int a = SharedClusters(truth, e, f);
      const int b = SharedClusters(clusters, e, f);
      truth_share[a] += 1 / pairs;
      cluster_share[b] += 1 / pairs;
      if (a == b) observed += 1 / pairs;
    }
  }
  if (pairs == 0) return 1;
  double expected = 0;
  for (const auto& [k, share] : truth_share)
    expected += share * cluster_share[k];
  // The shares are sums with rounding: equality to 1 needs a little room.
  if (expected > 1 - 1e-9) return 1;
  return (observed - expected) / (1 - expected);
}

OverlappingNmi NaiveOverlappingNmi(const NaiveCover& truth,
                                   const NaiveCover& clusters, int num_items) {
  NaiveCover x = clusters;
  NaiveCover y = truth;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  if (x == y) return {1, 1, 1};
  if (x.empty() || y.empty()) return {0, 0, 0};
  double hx, hxy, x_ratio, hy, hyx, y_ratio;
  NaiveCoverEntropy(x, y, num_items, &hx, &hxy, &x_ratio);
  NaiveCoverEntropy(y, x, num_items, &hy, &hyx, &y_ratio);
  if (std::max(hx, hy) == 0) return {0, 0, 0};
  OverlappingNmi result;
  result.lfk = 1 - 0.5 * (x_ratio + y_ratio);
  result.mgh_max = 0.5 * (hx - hxy + hy - hyx) / std::max(hx, hy);
  result.mgh_lfk = hx == 0 || hy == 0 ? 0 : 1 - 0.5 * (hxy / hx + hyx / hy);
  return result;
}

PartitionMeasures NaivePartitionMeasures(const std::vector<int32_t>& truth,
                                         const std::vector<int32_t>& clusters) {
  PartitionMeasures result;
  const size_t n = truth.size();
  if (n == 0) return result;
  std::map<int32_t, double> p_truth;
  std::map<int32_t, double> p_clusters;
  std::map<std::pair<int32_t, int32_t>, double> p_cell;
  for (size_t e = 0; e < n; ++e) {
    p_truth[truth[e]] += 1.0 / n;
    p_clusters[clusters[e]] += 1.0 / n;
    p_cell[{truth[e], clusters[e]}] += 1.0 / n;
  }
  double h_truth = 0;
  double h_clusters = 0;
  double h_joint = 0;
  for (const auto& [label, p] : p_truth) h_truth += H(p);
  for (const auto& [label, p] : p_clusters) h_clusters += H(p);
  for (const auto& [label, p] : p_cell) h_joint += H(p);
  const double mutual = h_truth + h_clusters - h_joint;
  if (p_truth.size() > 1 && p_clusters.size() > 1) {
    result.nmi = mutual / (0.5 * (h_truth + h_clusters));
    result.nmi_geometric = mutual / std::sqrt(h_truth * h_clusters);
    result.nmi_min = mutual / std::min(h_truth, h_clusters);
    result.nmi_max = mutual / std::max(h_truth, h_clusters);
    result.nmi_joint = mutual / h_joint;
  } else {
    const double value = p_truth.size() == p_clusters.size() ? 1 : 0;
    result.nmi = result.nmi_geometric = result.nmi_min = result.nmi_max =
        result.nmi_joint = value;
  }
  result.homogeneity = p_truth.size() > 1 ? mutual / h_truth : 1;
  result.completeness = p_clusters.size() > 1 ? mutual / h_clusters : 1;

  double both = 0, in_truth = 0, in_clusters = 0, pairs = 0;
  for (size_t e = 0; e < n; ++e) {
    for (size_t f = e + 1; f < n; ++f) {
      const bool a = truth[e] == truth[f];
      const bool b = clusters[e] == clusters[f];
      both += a && b;
      in_truth += a;
      in_clusters += b;
      pairs += 1;
    }
  }
  const double expected = pairs == 0 ? 0 : in_truth * in_clusters / pairs;
  const double mean = 0.5 * (in_truth + in_clusters);
  result.ari = std::abs(mean - expected) < 1e-9
                   ? 1
                   : (both - expected) / (mean - expected);
  return result;
}

double NaivePurity(const NaiveCover& truth, const NaiveCover& clusters) {
  if (clusters.empty()) return truth.empty() ? 1 : 0;
  double in_best = 0;
  double memberships = 0;
  for (const std::set<int>& cluster : clusters) {
    size_t most = 0;
    for (const std::set<int>& klass : truth) {
      size_t common = 0;
      for (const int item : cluster) common += klass.count(item);
      most = std::max(most, common);
    }
    in_best += static_cast<double>(most);
    memberships += static_cast<double>(cluster.size());
  }
  return in_best / memberships;
}

}  // namespace warpclust
