// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/peak_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::Status OutOfRange(absl::string_view field, absl::string_view expected,
                        double found) {
  return absl::InvalidArgumentError(absl::StrCat(
      "PeakSelection::", field, ": expected ", expected, ", found ", found));
}

// The k with the largest drop after the k-th of `gammas`, which descend.
size_t LargestDrop(const std::vector<double>& gammas) {
  size_t best = 1;
  double best_drop = 0;
  for (size_t k = 1; k < gammas.size(); ++k) {
    if (gammas[k - 1] == 0) break;
    const double drop = gammas[k] == 0 ? std::numeric_limits<double>::infinity()
                                       : gammas[k - 1] / gammas[k];
    if (drop > best_drop) {
      best = k;
      best_drop = drop;
    }
  }
  return best;
}

}  // namespace

absl::Status PeakSelection::Validate() const {
  if (rule == Rule::kCount && count < 1) {
    return OutOfRange("count", "at least 1", count);
  }
  if (density_min < 0) {
    return OutOfRange("density_min", "at least 0", density_min);
  }
  // The comparisons are false for NaN.
  if (rule == Rule::kThresholds && !(delta_min >= 0)) {
    return OutOfRange("delta_min", "at least 0", delta_min);
  }
  if (rule == Rule::kGamma && !(gamma_min >= 0)) {
    return OutOfRange("gamma_min", "at least 0", gamma_min);
  }
  return absl::OkStatus();
}

std::vector<double> Gammas(const DecisionGraph& graph) {
  const int32_t n = graph.num_points();
  int32_t top = -1;
  double largest = 0;
  std::vector<double> gammas(n);
  for (int32_t i = 0; i < n; ++i) {
    gammas[i] = graph.densities[i] * graph.dependent_distances[i];
    if (graph.dependent_points[i] < 0) {
      top = i;
    } else {
      largest = std::max(largest, graph.dependent_distances[i]);
    }
  }
  if (top >= 0) {
    gammas[top] = graph.densities[top] *
                  std::min(largest, graph.dependent_distances[top]);
  }
  return gammas;
}

absl::StatusOr<std::vector<int32_t>> SelectPeaks(const DecisionGraph& graph,
                                                 const PeakSelection& rule) {
  RETURN_IF_ERROR(rule.Validate());
  if (rule.rule == PeakSelection::Rule::kSignificance) {
    return absl::InvalidArgumentError(
        "PeakSelection::rule: expected a rule that needs only the graph, found "
        "kSignificance: call DensityPeaks");
  }
  const int32_t n = graph.num_points();
  const std::vector<double> gammas = Gammas(graph);
  // The candidates; with fixed thresholds, the peaks.
  std::vector<int32_t> peaks;
  for (int32_t i = 0; i < n; ++i) {
    bool may = graph.densities[i] >= rule.density_min;
    if (rule.rule == PeakSelection::Rule::kThresholds) {
      may = may && graph.dependent_distances[i] >= rule.delta_min;
    } else if (rule.rule == PeakSelection::Rule::kGamma) {
      may = may && gammas[i] >= rule.gamma_min;
    }
    if (may || graph.dependent_points[i] < 0) peaks.push_back(i);
  }
  // The point of rank 0 comes first. In a graph of distances this follows: no
  // density and no delta is larger than its own, and ties go by rank. But the
  // first delta of a graph from elsewhere may be any number, and without this
  // peak some points would have no cluster.
  const auto before = [&](int32_t a, int32_t b) {
    const bool a_is_first = graph.dependent_points[a] < 0;
    const bool b_is_first = graph.dependent_points[b] < 0;
    if (a_is_first != b_is_first) return a_is_first;
    if (gammas[a] != gammas[b]) return gammas[a] > gammas[b];
    if (graph.densities[a] != graph.densities[b]) {
      return graph.densities[a] > graph.densities[b];
    }
    return a < b;
  };
  const auto keep_first = [&](size_t k) {
    k = std::min(k, peaks.size());
    std::partial_sort(peaks.begin(), peaks.begin() + k, peaks.end(), before);
    peaks.resize(k);
  };
  switch (rule.rule) {
    case PeakSelection::Rule::kCount:
      if (static_cast<size_t>(rule.count) > peaks.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("PeakSelection::count: expected at most ",
                         peaks.size(), ", the points of density at least ",
                         rule.density_min, ", found ", rule.count));
      }
      keep_first(rule.count);
      break;
    case PeakSelection::Rule::kThresholds:
    case PeakSelection::Rule::kGamma:
      std::sort(peaks.begin(), peaks.end(), before);
      break;
    case PeakSelection::Rule::kLargestDrop: {
      keep_first(static_cast<size_t>(std::sqrt(n)) + 1);
      std::vector<double> largest;
      for (const int32_t peak : peaks) largest.push_back(gammas[peak]);
      if (!peaks.empty()) peaks.resize(LargestDrop(largest));
      break;
    }
    case PeakSelection::Rule::kSignificance:
      break;  // Refused above.
  }
  return peaks;
}

}  // namespace warpclust
