// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/cpu_pair_rounds.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

using internal::Lower;

CpuPairRounds::CpuPairRounds(const PointsInBasins& points,
                             const DensityRanks& ranks, OtherLabelSearch search,
                             VisitorSearch search_for, int32_t num_basins,
                             int num_threads)
    : points_(points),
      ranks_(ranks),
      search_(std::move(search)),
      search_for_(std::move(search_for)),
      threads_(ResolveThreads(num_threads)),
      n_(static_cast<int32_t>(points.basins.size())),
      roots_(num_basins) {
  for (std::vector<int32_t>* const by_place :
       {&labels_, &found_basins_, &best_}) {
    ResizeVector(n_, threads_, by_place);
  }
  ResizeVector(n_, threads_, &found_);
  ResizeVector(n_, threads_, &is_exact_);
  ResizeVector(n_, threads_, &searches_);
  std::iota(roots_.begin(), roots_.end(), 0);
  SetLabels();
  // A point with nothing within d_c is in no pair.
  active_ = NumbersWhere(
      n_, threads_, [this](int32_t i) { return points_.densities[i] > 0; });
}

int32_t CpuPairRounds::CountAbove(PointStanding bound) const {
  if (bound == kNoStanding) return n_;
  return CountAboveStanding(ranks_.order, points_.densities, points_.numbers,
                            bound);
}

template <typename Visit>
void CpuPairRounds::ForEachPair(const Visit& visit) const {
  const auto count = static_cast<int64_t>(active_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int64_t a = 0; a < count; ++a) {
    if (IsPair(active_[a])) visit(active_[a]);
  }
}

template <typename Visit>
void CpuPairRounds::ForEachSearching(const Visit& visit) const {
  const auto count = static_cast<int64_t>(active_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int64_t a = 0; a < count; ++a) {
    if (searches_[active_[a]] != 0) visit(active_[a]);
  }
}

void CpuPairRounds::SetLabels() {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int32_t i = 0; i < n_; ++i) labels_[i] = roots_[points_.basins[i]];
}

absl::Status CpuPairRounds::SetGroups(absl::Span<const int32_t> roots) {
  roots_.assign(roots.begin(), roots.end());
  SetLabels();
  return absl::OkStatus();
}

absl::Status CpuPairRounds::FirstPairs(absl::Span<PointStanding> passes,
                                       absl::Span<PointStanding> others) {
  std::fill(passes.begin(), passes.end(), kNoStanding);
  std::fill(others.begin(), others.end(), kNoStanding);
  ForEachPair([&](int32_t i) { Lower(PassAt(i), &passes[labels_[i]]); });
  ForEachPair([&](int32_t i) {
    if (PassAt(i) == passes[labels_[i]]) {
      Lower(OtherAt(i), &others[labels_[i]]);
    }
  });
  return absl::OkStatus();
}

absl::Status CpuPairRounds::PairBasins(absl::Span<const PointStanding> passes,
                                       absl::Span<const PointStanding> others,
                                       absl::Span<uint64_t> basins) {
  std::fill(basins.begin(), basins.end(), kNoBasins);
  ForEachPair([&](int32_t i) {
    const int32_t g = labels_[i];
    if (PassAt(i) != passes[g] || OtherAt(i) != others[g]) return;
    const auto own = static_cast<uint64_t>(points_.basins[i]);
    const auto other = static_cast<uint64_t>(found_basins_[i]);
    Lower(StandingAt(i) > found_[i] ? own << 32 | other : other << 32 | own,
          &basins[g]);
  });
  return absl::OkStatus();
}

absl::StatusOr<int64_t> CpuPairRounds::BeginSearch(
    absl::Span<const PointStanding> bounds) {
  bounds_.assign(bounds.begin(), bounds.end());
  above_.resize(bounds.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (size_t g = 0; g < bounds_.size(); ++g) {
    above_[g] = CountAbove(bounds_[g]);
  }
  const auto count = static_cast<int64_t>(active_.size());
  int64_t searching = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) \
    reduction(+ : searching)
  for (int64_t a = 0; a < count; ++a) {
    const int32_t i = active_[a];
    if (IsPair(i)) continue;
    // A pair of this point has a pass of at least both.
    if (PassAt(i) >= bounds_[labels_[i]]) continue;
    searches_[i] = 1;
    best_[i] = above_[labels_[i]];
    ++searching;
  }
  return searching;
}

absl::Status CpuPairRounds::SearchOwn() {
  RETURN_IF_ERROR(search_(ranks_.ranks, labels_, absl::MakeSpan(best_)));
  ForEachSearching([&](int32_t i) {
    found_[i] = bounds_[labels_[i]];
    found_basins_[i] = -1;
    if (best_[i] == above_[labels_[i]]) return;
    const int32_t j = ranks_.order[best_[i]];
    found_[i] = StandingAt(j);
    found_basins_[i] = points_.basins[j];
  });
  return absl::OkStatus();
}

absl::Status CpuPairRounds::EndSearch() {
  ForEachSearching([&](int32_t i) {
    const PointStanding bound = bounds_[labels_[i]];
    is_exact_[i] = found_[i] < bound || bound == kNoStanding ? 1 : 0;
    searches_[i] = 0;
    best_[i] = 0;
  });
  // Points near no other group never make a pair.
  KeepWhere(
      threads_,
      [this](int32_t i) {
        return is_exact_[i] == 0 || found_[i] != kNoStanding;
      },
      &active_);
  return absl::OkStatus();
}

absl::Status CpuPairRounds::Ask(absl::Span<const int32_t> places,
                                absl::Span<FoundQuery> queries) {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (size_t v = 0; v < places.size(); ++v) {
    queries[v] = {found_[places[v]], labels_[places[v]]};
  }
  return absl::OkStatus();
}

absl::Status CpuPairRounds::AskAll(absl::Span<MetPoint> points) {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int32_t i = 0; i < n_; ++i) {
    points[i] = {searches_[i] == 0 ? 0 : found_[i], StandingAt(i), labels_[i],
                 points_.basins[i]};
  }
  return absl::OkStatus();
}

absl::Status CpuPairRounds::Take(absl::Span<const int32_t> places,
                                 absl::Span<const FoundPoint> found) {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (size_t v = 0; v < places.size(); ++v) {
    const int32_t i = places[v];
    if (found[v].basin < 0 || found[v].standing >= found_[i]) continue;
    found_[i] = found[v].standing;
    found_basins_[i] = found[v].basin;
  }
  return absl::OkStatus();
}

absl::Status CpuPairRounds::SearchFor(const PointMatrix& visitors,
                                      absl::Span<const FoundQuery> queries,
                                      absl::Span<FoundPoint> found) {
  const auto count = static_cast<int64_t>(queries.size());
  std::vector<int32_t> labels(count);
  std::vector<int32_t> best(count);
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int64_t q = 0; q < count; ++q) {
    labels[q] = queries[q].label;
    best[q] = CountAbove(queries[q].bound);
  }
  const std::vector<int32_t> before = best;
  RETURN_IF_ERROR(search_for_(visitors, ranks_.ranks, labels_, labels,
                              absl::MakeSpan(best)));
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int64_t q = 0; q < count; ++q) {
    found[q] = {queries[q].bound};
    if (best[q] == before[q]) continue;
    const int32_t j = ranks_.order[best[q]];
    found[q] = {StandingAt(j), points_.basins[j]};
  }
  return absl::OkStatus();
}

}  // namespace warpclust
