// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Significant peaks: the candidates whose density is above that of their saddle
// by more than the counting error of both explains. Use it when nobody looks at
// a decision graph: it says how sure each peak is.
//
//   sigma of a candidate   sqrt(2) (A(density) - A(saddle)), where
//                          A(count) = sqrt(count + 3/8)
//
// A density is a count of points, and so near a Poisson number. A (Anscombe
// 1948) has a standard deviation of 1/2 whatever the mean, so sigma is the
// difference in units of its own standard deviation. The largest of C
// independent normal numbers is about sqrt(2 ln C). So a candidate is a peak if
// its sigma is larger than that for the number C of candidates, which is how
// many chances there were to find a fluctuation. In one dimension there is a
// single path between two candidates, so the saddle is a smallest count where
// the candidate is a largest one: the bound is twice the standard deviation of
// one count in each, 2 sqrt(ln C).
//
// The points of another candidate's basin join the basin of its neighbor
// (basins.h), across the saddle, until one of a peak. Clusters of fewer points
// than the mean density (than are near a point on average) dissolve in the same
// way, lowest peak first. A peak without a saddle needs twice as many: a clump
// in the tail of a cluster may be d_c away from it by chance.
//
//   const SignificantPeaks peaks = SelectSignificantPeaks(
//       graph, basins, points.num_dimensions, /*density_min=*/0);

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_SIGNIFICANCE_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_SIGNIFICANCE_H_

#include <cstdint>
#include <vector>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/basins.h"

namespace warpclust {

// The significance of a density above a saddle's, in standard deviations.
double Sigma(int32_t density, int32_t saddle);

// The sigma that a peak must exceed.
double LeastSigma(int32_t num_candidates, int32_t num_dimensions);

struct SignificantPeaks {
  // By rank.
  std::vector<int32_t> peaks;
  // By point: a place in `peaks`.
  std::vector<int32_t> labels;
};

// `basins` are those of `graph`. The candidate of rank 0 is always a peak;
// others need a density of at least `density_min` too. O(n + C).
SignificantPeaks SelectSignificantPeaks(const DecisionGraph& graph,
                                        const Basins& basins,
                                        int32_t num_dimensions,
                                        int32_t density_min);

// How sure the peaks of a clustering are.
struct Significance {
  // By cluster: the density of its peak's saddle (0 without any), and the sigma
  // of the peak.
  std::vector<int32_t> saddles;
  std::vector<double> sigmas;
  // The sigma that all peaks but that of rank 0 exceed.
  double least_sigma = 0;
  int32_t num_candidates = 0;

  friend bool operator==(const Significance&, const Significance&) = default;
};

// `cluster_peaks` are candidates of `basins`, in any order.
Significance SignificanceOf(const DecisionGraph& graph, const Basins& basins,
                            int32_t num_dimensions,
                            const std::vector<int32_t>& cluster_peaks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_SIGNIFICANCE_H_
