// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_clusters.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/types/span.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/rank_labels.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

absl::StatusOr<int32_t> CountPoints(const RankPoints& mine,
                                    Communicator& ranks) {
  return ranks.AllReduce(Reduction::kSum, mine.points.num_points);
}

// Numbers the clusters by first member, and sets their peaks; `peaks` has those
// by label. Returns the order of the labels.
absl::StatusOr<std::vector<int32_t>> NumberClusters(
    const std::vector<int32_t>& peaks, const RankPoints& mine,
    int32_t num_points, int num_threads, Communicator& ranks,
    RankClusters* clusters) {
  std::vector<int32_t>& labels = clusters->labels;
  std::vector<int32_t> firsts =
      FirstMembers(labels, static_cast<int32_t>(peaks.size()), num_threads);
  for (int32_t& first : firsts) {
    first = first < mine.points.num_points ? mine.numbers[first] : num_points;
  }
  RETURN_IF_ERROR(ranks.AllReduce(Reduction::kMin, absl::MakeSpan(firsts)));
  std::vector<int32_t> order(peaks.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return firsts[a] < firsts[b]; });
  std::vector<int32_t> numbers(peaks.size());
  for (size_t c = 0; c < order.size(); ++c) {
    numbers[order[c]] = static_cast<int32_t>(c);
    clusters->peaks.push_back(peaks[order[c]]);
  }
  const int threads = ResolveThreads(num_threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < mine.points.num_points; ++i) {
    labels[i] = numbers[labels[i]];
  }
  return order;
}

}  // namespace

absl::StatusOr<RankClusters> FindRankClusters(
    const RankPoints& mine, const DensityPeaksOptions& options, bool keep_graph,
    Device device, Communicator& ranks, RankGraph* graph) {
  using internal::PeakCandidate;
  const PeakSelection& rule = options.peaks;
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const int32_t num_points, CountPoints(mine, ranks));
  ASSIGN_OR_RETURN(const double largest,
                   ranks.AllReduceLargest(internal::LargestDelta(
                       graph->graph, options.num_threads)));
  stopwatch.Lap("largest delta");
  const int64_t needed = internal::CandidatesNeeded(rule, num_points);
  internal::PeakCandidates candidates = internal::FindPeakCandidates(
      graph->graph, largest, rule, needed, options.num_threads);
  stopwatch.Lap("candidates for peaks");
  ASSIGN_OR_RETURN(const int64_t num_candidates,
                   ranks.AllReduce(Reduction::kSum, candidates.count));
  for (PeakCandidate& candidate : candidates.best) {
    candidate.point = mine.numbers[candidate.point];
  }
  ASSIGN_OR_RETURN(RankLists<PeakCandidate> all,
                   ranks.AllGather(absl::MakeConstSpan(candidates.best)));
  internal::KeepBestCandidates(needed, &all.values);
  ASSIGN_OR_RETURN(const std::vector<int32_t> peaks,
                   internal::PeaksAmong(rule, num_candidates, all.values));
  std::vector<LabelledPoint> roots;
  for (size_t k = 0; k < peaks.size(); ++k) {
    const auto place =
        std::lower_bound(mine.numbers.begin(), mine.numbers.end(), peaks[k]);
    if (place == mine.numbers.end() || *place != peaks[k]) continue;
    roots.push_back({static_cast<int32_t>(place - mine.numbers.begin()),
                     static_cast<int32_t>(k)});
  }
  std::vector<int32_t>& dependents = graph->graph.dependent_points;
  RankClusters clusters;
  ASSIGN_OR_RETURN(
      clusters.labels,
      FollowDependents(keep_graph ? dependents : std::move(dependents),
                       graph->away, roots, device, options.num_threads, ranks));
  RETURN_IF_ERROR(NumberClusters(peaks, mine, num_points, options.num_threads,
                                 ranks, &clusters)
                      .status());
  return clusters;
}

absl::StatusOr<RankClusters> FindSignificantRankClusters(
    const RankPoints& mine, const RankGraph& graph, const RankBasins& found,
    const DensityPeaksOptions& options, Communicator& ranks) {
  const Basins& basins = found.basins;
  Stopwatch stopwatch;
  internal::CandidateFacts facts;
  facts.densities = found.densities;
  facts.sizes = internal::BasinSizes(basins, options.num_threads);
  RETURN_IF_ERROR(
      ranks.AllReduce(Reduction::kSum, absl::MakeSpan(facts.sizes)));
  ASSIGN_OR_RETURN(const int32_t num_points, CountPoints(mine, ranks));
  facts.num_points = num_points;
  ASSIGN_OR_RETURN(
      facts.num_pairs,
      ranks.AllReduce(Reduction::kSum, internal::SumOfDensities(
                                           graph.graph, options.num_threads)));
  stopwatch.Lap("sizes of basins");
  const int32_t dimensions = internal::SignificanceDimensions(
      options.metric, mine.points.num_dimensions);
  const internal::SignificantCandidates kept =
      internal::KeepSignificant(facts, basins, dimensions,
                                options.peaks.density_min, options.num_threads);
  std::vector<int32_t> peaks;
  for (const int32_t candidate : kept.candidates) {
    peaks.push_back(basins.candidates[candidate]);
  }
  RankClusters clusters;
  clusters.labels = internal::LabelsOf(basins, kept, options.num_threads);
  ASSIGN_OR_RETURN(const std::vector<int32_t> order,
                   NumberClusters(peaks, mine, num_points, options.num_threads,
                                  ranks, &clusters));
  stopwatch.Lap("labels of clusters");
  Significance& significance = clusters.significance;
  for (const int32_t place : order) {
    const int32_t candidate = kept.candidates[place];
    internal::AddSigma(found.densities[candidate], basins.saddles[candidate],
                       &significance);
  }
  significance.num_candidates = static_cast<int32_t>(basins.candidates.size());
  significance.least_sigma =
      LeastSigma(NumTries(significance.num_candidates, facts.num_points,
                          facts.num_pairs, dimensions),
                 dimensions);
  return clusters;
}

}  // namespace warpclust
