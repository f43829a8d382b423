// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/peak_selection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
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

double Gamma(const DecisionGraph& graph, double largest_delta, int32_t i) {
  const double delta = graph.dependent_distances[i];
  return graph.densities[i] * (graph.dependent_points[i] < 0
                                   ? std::min(largest_delta, delta)
                                   : delta);
}

bool MayBePeak(const DecisionGraph& graph, double gamma,
               const PeakSelection& rule, int32_t i) {
  if (graph.dependent_points[i] < 0) return true;
  if (graph.densities[i] < rule.density_min) return false;
  switch (rule.rule) {
    case PeakSelection::Rule::kThresholds:
      return graph.dependent_distances[i] >= rule.delta_min;
    case PeakSelection::Rule::kGamma:
      return gamma >= rule.gamma_min;
    case PeakSelection::Rule::kCount:
    case PeakSelection::Rule::kLargestDrop:
    case PeakSelection::Rule::kSignificance:
      break;
  }
  return true;
}

constexpr int64_t kPointsPerThread = 1 << 14;
// Candidates that a thread keeps beyond twice those needed.
constexpr int64_t kMostSpare = 1 << 12;
// Points of a sample, and the fewest points per candidate needed with one.
constexpr int64_t kSample = 1 << 14;
constexpr int64_t kPointsPerNeeded = 16;

// A gamma that more than `needed` points are likely to have at least, to judge
// by a sample; -1 without one.
double LikelyLeast(const DecisionGraph& graph, double largest_delta,
                   const PeakSelection& rule, int64_t needed) {
  const int64_t n = graph.num_points();
  if (n < 2 * kSample || n < kPointsPerNeeded * needed) return -1;
  std::vector<double> gammas;
  for (int64_t s = 0; s < kSample; ++s) {
    const auto i = static_cast<int32_t>(n * s / kSample);
    const double gamma = Gamma(graph, largest_delta, i);
    if (MayBePeak(graph, gamma, rule, i)) gammas.push_back(gamma);
  }
  // Twice as many, and some for chance.
  const int64_t place = 2 * needed * kSample / n + 16;
  if (place >= static_cast<int64_t>(gammas.size())) return -1;
  std::nth_element(gammas.begin(), gammas.begin() + place, gammas.end(),
                   std::greater<>());
  return gammas[place];
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
  const double largest = internal::LargestDelta(graph, /*num_threads=*/1);
  std::vector<double> gammas(graph.num_points());
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    gammas[i] = Gamma(graph, largest, i);
  }
  return gammas;
}

absl::StatusOr<std::vector<int32_t>> SelectPeaks(const DecisionGraph& graph,
                                                 const PeakSelection& rule,
                                                 int num_threads) {
  RETURN_IF_ERROR(rule.Validate());
  if (rule.rule == PeakSelection::Rule::kSignificance) {
    return absl::InvalidArgumentError(
        "PeakSelection::rule: expected a rule that needs only the graph, found "
        "kSignificance: call DensityPeaks");
  }
  const internal::PeakCandidates candidates = internal::FindPeakCandidates(
      graph, internal::LargestDelta(graph, num_threads), rule,
      internal::CandidatesNeeded(rule, graph.num_points()), num_threads);
  return internal::PeaksAmong(rule, candidates.count, candidates.best);
}

namespace internal {
namespace {

// FindPeakCandidates among points whose gamma is at least `least_of_all`.
PeakCandidates CandidatesFrom(double least_of_all, const DecisionGraph& graph,
                              double largest_delta, const PeakSelection& rule,
                              int64_t needed, int num_threads) {
  const int32_t n = graph.num_points();
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  PeakCandidates all;
  std::vector<PeakCandidates> parts(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) {
    PeakCandidates part;
    // At most the gammas of `needed` others.
    double least = least_of_all;
    const auto end = static_cast<int32_t>(int64_t{n} * (thread + 1) / threads);
    for (auto i = static_cast<int32_t>(int64_t{n} * thread / threads); i < end;
         ++i) {
      const double gamma = Gamma(graph, largest_delta, i);
      if (!MayBePeak(graph, gamma, rule, i)) continue;
      ++part.count;
      const bool is_first = graph.dependent_points[i] < 0;
      if (gamma < least && !is_first) continue;
      part.best.push_back({gamma, graph.densities[i], i, is_first});
      // Seldom, so that it costs little per candidate.
      if (static_cast<int64_t>(part.best.size()) >= 2 * needed + kMostSpare) {
        KeepBestCandidates(needed, &part.best);
        least = part.best.back().gamma;
      }
    }
    // On this thread: one thread alone puts the parts together.
    KeepBestCandidates(needed, &part.best);
    parts[thread] = std::move(part);
  }
  for (const PeakCandidates& part : parts) {
    all.count += part.count;
    all.best.insert(all.best.end(), part.best.begin(), part.best.end());
  }
  KeepBestCandidates(needed, &all.best);
  return all;
}

}  // namespace

double LargestDelta(const DecisionGraph& graph, int num_threads) {
  const int32_t n = graph.num_points();
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  double largest = 0;
#pragma omp parallel for num_threads(threads) reduction(max : largest)
  for (int32_t i = 0; i < n; ++i) {
    if (graph.dependent_points[i] >= 0) {
      largest = std::max(largest, graph.dependent_distances[i]);
    }
  }
  return largest;
}

PeakCandidates FindPeakCandidates(const DecisionGraph& graph,
                                  double largest_delta,
                                  const PeakSelection& rule, int64_t needed,
                                  int num_threads) {
  // Each thread would keep `needed` candidates before it knew which are few.
  const double likely = LikelyLeast(graph, largest_delta, rule, needed);
  PeakCandidates all =
      CandidatesFrom(likely, graph, largest_delta, rule, needed, num_threads);
  if (likely > 0 && static_cast<int64_t>(all.best.size()) < needed) {
    all = CandidatesFrom(-1, graph, largest_delta, rule, needed, num_threads);
  }
  return all;
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
  if (count < static_cast<int64_t>(candidates->size())) {
    std::nth_element(candidates->begin(), candidates->begin() + count,
                     candidates->end(), before);
    candidates->resize(count);
  }
  std::sort(candidates->begin(), candidates->end(), before);
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
