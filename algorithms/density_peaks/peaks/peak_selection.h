// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeakSelection: which points of a decision graph are cluster centres. A peak
// has high density and a large dependent distance (Rodriguez and Laio 2014).
//
// Determinism: gammas are one product each, ties go by rank. Thread-safety:
// functions are pure, values are plain.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PEAK_SELECTION_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PEAK_SELECTION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph.h"

namespace warpclust {

struct PeakSelection {
  enum class Rule {
    kAutomatic,   // see SelectPeaks
    kCount,       // the `count` points of largest gamma
    kThresholds,  // density >= density_min and delta >= delta_min
    kGamma,       // gamma >= gamma_min
  };
  Rule rule = Rule::kAutomatic;
  int32_t count = 0;
  // Also the noise threshold: points of less density are flagged as noise and
  // are never peaks, whatever the rule.
  int32_t density_min = 0;
  double delta_min = 0;
  double gamma_min = 0;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// gamma_i = rho_i * delta_i, where the point of rank 0, whose delta is no
// distance to a denser point, counts with the largest delta of the others if
// that is smaller.
// `graph` must be valid (DecisionGraph::Validate).
std::vector<double> Gammas(const DecisionGraph& graph);

// The peaks, by gamma (largest first, ties by rank). The point of rank 0 is
// always one of them, whatever its density: every point's chain of dependent
// points ends there.
//
// kAutomatic: of the gammas in descending order, the peaks are those before the
// largest drop, the k of largest gamma_k / gamma_k+1, for k up to sqrt(n)
// (equal drops: the smallest k; a drop to 0 is the largest). Rodriguez and Laio
// (2014) read the number of centers off the same sequence, where gamma starts
// growing anomalously; the quotient does not depend on the units of distance
// and density. It finds the blobs of data that has blobs (its README has
// figures); where gammas shrink evenly, choose by eye.
//
// Cost: O(n), and O(k log k) for k peaks. `graph` must be valid; without points
// there are no peaks. InvalidArgument if a field of `rule`
// is out of range, or if there are fewer than `count` points of at least
// density_min.
absl::StatusOr<std::vector<int32_t>> SelectPeaks(const DecisionGraph& graph,
                                                 const PeakSelection& rule);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_PEAK_SELECTION_H_
