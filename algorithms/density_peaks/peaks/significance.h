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
// A density counts points, so it is nearly a Poisson number. A(count) then has
// a standard deviation of 1/2, whatever the mean (Anscombe 1948), so sigma is
// the difference in units of its own standard deviation. The largest of C
// independent normal numbers is about sqrt(2 ln C). With C candidates, chance
// had C tries: a candidate is a peak if its sigma is above sqrt(2 ln C).
//
// In one dimension there is a single path between two candidates. The saddle is
// then a smallest count, as the candidate is a largest one. Each of the two
// deviates by sqrt(2 ln T) of its own standard deviations, 1/2, so the bound is
// sqrt(2) * 2 * sqrt(2 ln T) / 2 = 2 sqrt(ln T), where T is the number of tries
// of the smallest count: any gap as wide as d_c may be it. With a mean density
// of m such a gap has m / 2 points, so that there are T = 2 n / m of them, or C
// if that is more.
//
// Points of other candidates' basins join the basin of the neighbor (basins.h),
// and so on until one has a peak. Clusters of fewer points than the mean
// density dissolve in the same way, lowest peak first. A peak without a saddle
// needs twice as many points, because a clump in the tail of a cluster may be
// d_c away from it by chance.
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

// C or T above, of points with a sum of densities of `num_pairs`. Directions,
// as angular and cosine distances compare them, have one dimension fewer than
// their coordinates.
double NumTries(int32_t num_candidates, int64_t num_points, int64_t num_pairs,
                int32_t num_dimensions);

// The sigma that a peak must exceed.
double LeastSigma(double num_tries, int32_t num_dimensions);

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
                                        int32_t density_min,
                                        int num_threads = 0);

// The same for any densities: candidates with a sigma above `least_sigma` are
// peaks, as is that of rank 0, and clusters of fewer points than `size` /
// `divisor` dissolve, of fewer than twice that without a saddle.
struct CandidateSigmas {
  // By candidate.
  std::vector<double> sigmas;
  double least_sigma = 0;
  int64_t size = 0;
  int64_t divisor = 1;
};
SignificantPeaks SelectPeaksBySigma(const Basins& basins,
                                    const CandidateSigmas& candidates,
                                    int num_threads = 0);

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

// The same for the densities of SelectPeaksBySigma.
Significance SignificanceOf(const Basins& basins,
                            const CandidateSigmas& candidates,
                            const std::vector<int32_t>& cluster_peaks);

namespace internal {

// The steps of SelectSignificantPeaks and SignificanceOf, for points of which
// each rank has a part.

// What the choice of peaks depends on.
struct CandidateFacts {
  // By candidate: its density, and the points of its basin.
  std::vector<int32_t> densities;
  std::vector<int64_t> sizes;
  // The points, and the sum of their densities.
  int64_t num_points = 0;
  int64_t num_pairs = 0;
};

struct SignificantCandidates {
  // Those that are peaks, by rank.
  std::vector<int32_t> candidates;
  // By candidate: the place in `candidates` of the peak that its basin joins.
  std::vector<int32_t> places;
};

// By candidate: the points of its basin.
std::vector<int64_t> BasinSizes(const Basins& basins, int num_threads);

int64_t SumOfDensities(const DecisionGraph& graph, int num_threads);

// By point: the place of its peak in kept.candidates.
std::vector<int32_t> LabelsOf(const Basins& basins,
                              const SignificantCandidates& kept,
                              int num_threads);

// Reads the saddles and neighbors of `basins`.
SignificantCandidates KeepSignificant(const CandidateFacts& facts,
                                      const Basins& basins,
                                      int32_t num_dimensions,
                                      int32_t density_min, int num_threads);

// The same by any sigmas. `basin_sizes` are by candidate.
SignificantCandidates KeepBySigma(const CandidateSigmas& candidates,
                                  const Basins& basins,
                                  const std::vector<int64_t>& basin_sizes,
                                  int num_threads);

// Appends the next cluster.
void AddSigma(int32_t density, int32_t saddle, Significance* result);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_SIGNIFICANCE_H_
