// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeakSelection: which points of a decision graph are cluster centers. A peak
// has a high density and a large dependent distance (Rodriguez and Laio 2014).
//
//   PeakSelection rule;
//   rule.rule = PeakSelection::Rule::kCount;
//   rule.count = 15;
//   absl::StatusOr<std::vector<int32_t>> peaks = SelectPeaks(graph, rule);

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PEAK_SELECTION_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PEAK_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"

namespace warpclust {

struct PeakSelection {
  enum class Rule {
    kLargestDrop,   // see SelectPeaks
    kCount,         // the `count` points of largest gamma
    kThresholds,    // density >= density_min and delta >= delta_min
    kGamma,         // gamma >= gamma_min
    kSignificance,  // significance.h; for DensityPeaks, which has the points
  };
  Rule rule = Rule::kLargestDrop;
  int32_t count = 0;
  // Also the noise threshold: points of less density are noise, and never peaks
  // by any rule.
  int32_t density_min = 0;
  double delta_min = 0;
  double gamma_min = 0;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// gamma_i = rho_i * delta_i. The delta of the point of rank 0 is no distance to
// a denser point, so it counts as the largest delta of the others if that is
// smaller. `graph` must be valid (DecisionGraph::Validate).
std::vector<double> Gammas(const DecisionGraph& graph);

// The peaks, by gamma (largest first, ties by rank), in O(n + k log k) for k
// peaks. The point of rank 0 is always a peak, whatever its density: every
// chain of dependent points ends there.
//
// kLargestDrop: of the gammas in descending order, the peaks are those before
// the largest drop: the k of largest gamma_k / gamma_k+1, for k up to sqrt(n)
// (equal drops: the smallest k; a drop to 0 is the largest). Rodriguez and Laio
// (2014) read the number of centers off the same sequence, where gamma starts
// growing anomalously; the quotient does not depend on the units of distance
// and density. It finds the blobs of data that has blobs (figures in the
// README); where gammas shrink evenly, choose by eye.
//
// `graph` must be valid; without points there are no peaks. InvalidArgument if
// a field of `rule` is out of range, if fewer than `count` points have a
// density of at least density_min, or for kSignificance: a graph has no
// saddles.
absl::StatusOr<std::vector<int32_t>> SelectPeaks(const DecisionGraph& graph,
                                                 const PeakSelection& rule,
                                                 int num_threads = 0);

namespace internal {

// The steps of SelectPeaks, for graphs of which each rank has a part.

// The largest delta of points that have a dependent point; 0 without any.
double LargestDelta(const DecisionGraph& graph, int num_threads);

// A point that a rule may take.
struct PeakCandidate {
  double gamma;
  int32_t density;
  int32_t point;
  bool is_first;  // The point of rank 0.
};
struct PeakCandidates {
  int64_t count = 0;
  // The best of them, the best first.
  std::vector<PeakCandidate> best;
};

// How many of the best candidates the rule looks at in a graph of n points.
int64_t CandidatesNeeded(const PeakSelection& rule, int64_t num_points);

// The candidates of a graph, with gammas for this largest delta, and the best
// `needed` of them.
PeakCandidates FindPeakCandidates(const DecisionGraph& graph,
                                  double largest_delta,
                                  const PeakSelection& rule, int64_t needed,
                                  int num_threads);

// Keeps the best `count` of the candidates, the best first.
void KeepBestCandidates(int64_t count, std::vector<PeakCandidate>* candidates);

// The peaks among the best candidates, of which there are `num_candidates` in
// all. Errors as SelectPeaks.
absl::StatusOr<std::vector<int32_t>> PeaksAmong(
    const PeakSelection& rule, int64_t num_candidates,
    const std::vector<PeakCandidate>& best);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PEAK_SELECTION_H_
