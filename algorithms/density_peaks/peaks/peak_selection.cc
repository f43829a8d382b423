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
  return internal::GammasFor(graph, internal::LargestDelta(graph));
}

absl::StatusOr<std::vector<int32_t>> SelectPeaks(const DecisionGraph& graph,
                                                 const PeakSelection& rule) {
  RETURN_IF_ERROR(rule.Validate());
  if (rule.rule == PeakSelection::Rule::kSignificance) {
    return absl::InvalidArgumentError(
        "PeakSelection::rule: expected a rule that needs only the graph, found "
        "kSignificance: call DensityPeaks");
  }
  std::vector<internal::PeakCandidate> candidates =
      internal::PeakCandidates(graph, Gammas(graph), rule);
  const auto num_candidates = static_cast<int64_t>(candidates.size());
  internal::KeepBestCandidates(
      internal::CandidatesNeeded(rule, graph.num_points()), &candidates);
  return internal::PeaksAmong(rule, num_candidates, candidates);
}

namespace internal {

double LargestDelta(const DecisionGraph& graph) {
  double largest = 0;
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    if (graph.dependent_points[i] < 0) continue;
    largest = std::max(largest, graph.dependent_distances[i]);
  }
  return largest;
}

std::vector<double> GammasFor(const DecisionGraph& graph,
                              double largest_delta) {
  const int32_t n = graph.num_points();
  std::vector<double> gammas(n);
  for (int32_t i = 0; i < n; ++i) {
    const double delta = graph.dependent_distances[i];
    gammas[i] = graph.densities[i] * (graph.dependent_points[i] < 0
                                          ? std::min(largest_delta, delta)
                                          : delta);
  }
  return gammas;
}

std::vector<PeakCandidate> PeakCandidates(const DecisionGraph& graph,
                                          absl::Span<const double> gammas,
                                          const PeakSelection& rule) {
  std::vector<PeakCandidate> candidates;
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    const bool is_first = graph.dependent_points[i] < 0;
    bool may = graph.densities[i] >= rule.density_min;
    if (rule.rule == PeakSelection::Rule::kThresholds) {
      may = may && graph.dependent_distances[i] >= rule.delta_min;
    } else if (rule.rule == PeakSelection::Rule::kGamma) {
      may = may && gammas[i] >= rule.gamma_min;
    }
    if (may || is_first) {
      candidates.push_back({gammas[i], graph.densities[i], i, is_first});
    }
  }
  return candidates;
}

int64_t CandidatesNeeded(const PeakSelection& rule, int64_t num_points) {
  switch (rule.rule) {
    case PeakSelection::Rule::kCount:
      return rule.count;
    case PeakSelection::Rule::kLargestDrop:
      return static_cast<int64_t>(std::sqrt(num_points)) + 1;
    case PeakSelection::Rule::kThresholds:
    case PeakSelection::Rule::kGamma:
    case PeakSelection::Rule::kSignificance:
      break;
  }
  return num_points;
}

void KeepBestCandidates(int64_t count, std::vector<PeakCandidate>* candidates) {
  // The point of rank 0 comes first. In a graph of distances this follows: no
  // density and no delta is larger than its own, and ties go by rank. But the
  // first delta of a graph from elsewhere may be any number, and without this
  // peak some points would have no cluster.
  const auto before = [](const PeakCandidate& a, const PeakCandidate& b) {
    if (a.is_first != b.is_first) return a.is_first;
    if (a.gamma != b.gamma) return a.gamma > b.gamma;
    if (a.density != b.density) return a.density > b.density;
    return a.point < b.point;
  };
  const auto kept = std::min(count, static_cast<int64_t>(candidates->size()));
  if (kept == static_cast<int64_t>(candidates->size())) {
    std::sort(candidates->begin(), candidates->end(), before);
    return;
  }
  std::partial_sort(candidates->begin(), candidates->begin() + kept,
                    candidates->end(), before);
  candidates->resize(kept);
}

absl::StatusOr<std::vector<int32_t>> PeaksAmong(
    const PeakSelection& rule, int64_t num_candidates,
    const std::vector<PeakCandidate>& best) {
  if (rule.rule == PeakSelection::Rule::kCount && rule.count > num_candidates) {
    return absl::InvalidArgumentError(
        absl::StrCat("PeakSelection::count: expected at most ", num_candidates,
                     ", the points of density at least ", rule.density_min,
                     ", found ", rule.count));
  }
  std::vector<int32_t> peaks;
  std::vector<double> gammas;
  for (const PeakCandidate& candidate : best) {
    peaks.push_back(candidate.point);
    gammas.push_back(candidate.gamma);
  }
  if (rule.rule == PeakSelection::Rule::kLargestDrop && !peaks.empty()) {
    peaks.resize(LargestDrop(gammas));
  }
  return peaks;
}

}  // namespace internal

}  // namespace warpclust
