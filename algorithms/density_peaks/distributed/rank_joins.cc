// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_joins.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/visits.h"
#include "algorithms/density_peaks/peaks/joining_pairs.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using internal::BasinPair;

struct StandingPair {
  PointStanding pass;
  PointStanding other;
  int32_t pass_basin;
  int32_t other_basin;
};

// A visitor asks for the other points of pairs whose pass it is.
struct PassQuery {
  PointStanding standing;
  int32_t basin;
};
// The rank that is asked keeps the pairs.
struct NoAnswer {};

class Joins {
 public:
  Joins(const RankSearch& search, const PointsInBasins& points,
        const DensityRanks& order, int32_t num_basins,
        JoiningPairSearch* joining)
      : search_(search),
        points_(points),
        order_(order),
        num_basins_(num_basins),
        joining_(joining) {}

  absl::Status FindOwn() {
    if (joining_ == nullptr) return AddFound();
    ASSIGN_OR_RETURN(const std::vector<internal::PairOfRanks> pairs,
                     internal::FindJoiningPairs(*joining_, order_,
                                                points_.basins, num_basins_,
                                                /*pairs=*/{}));
    for (const internal::PairOfRanks pair : pairs) {
      const int32_t pass = order_.order[internal::PassOf(pair)];
      AddPair(StandingAt(pass), points_.basins[pass],
              order_.order[internal::OtherOf(pair)]);
    }
    return AddFound();
  }

  absl::Status FindOthers(const RankBoxes& boxes, double radius_key) {
    const RankRows& rows = search_.rows;
    // Levels are ranks among own points.
    LabelForest forest(num_basins_);
    for (const StandingPair& pair : joins_) {
      forest.Join(pair.pass_basin, pair.other_basin, CountAbove(pair.pass));
    }
    // A point with nothing within d_c is in no pair.
    const auto n = static_cast<int64_t>(points_.densities.size());
    std::vector<uint8_t> asks;
    ResizeVector(n, search_.threads, &asks);
#pragma omp parallel for num_threads(search_.threads) schedule(static)
    for (int64_t i = 0; i < n; ++i) asks[i] = points_.densities[i] > 0 ? 1 : 0;
    KeyLimits limits;
    // Keys below the radius.
    limits.same = std::nextafter(radius_key, -1.0);
    limits.asked = asks.data();
    RETURN_IF_ERROR(VisitOtherRanks<NoAnswer>(
        search_.ranks, search_.mine.points.num_dimensions, search_.threads,
        [&](int step) {
          return rows.NearRanks(search_.ranks, step, boxes, limits);
        },
        [&](int, const std::vector<int32_t>* visitors) {
          return rows.Rows(*visitors);
        },
        [&](absl::Span<const int32_t> visitors)
            -> absl::StatusOr<std::vector<PassQuery>> {
          return QueriesOf(visitors);
        },
        [&](const PointMatrix& visitors, absl::Span<const PassQuery> queries,
            absl::Span<NoAnswer>) { return Answer(visitors, queries, forest); },
        [](int, absl::Span<const int32_t>, absl::Span<const NoAnswer>) {
          return absl::OkStatus();
        }));
    return AddFound();
  }

  std::vector<BasinPair> Get() const {
    std::vector<BasinPair> joins;
    joins.reserve(joins_.size());
    for (const StandingPair& pair : joins_) {
      joins.push_back(
          {DensityOf(pair.pass), pair.pass_basin, pair.other_basin});
    }
    return joins;
  }

 private:
  PointStanding StandingAt(int32_t i) const { return points_.StandingAt(i); }
  int32_t CountAbove(PointStanding bound) const {
    return CountAboveStanding(order_.order, points_.densities, points_.numbers,
                              bound);
  }

  void AddPair(PointStanding pass, int32_t pass_basin, int32_t other) {
    found_.push_back(
        {pass, StandingAt(other), pass_basin, points_.basins[other]});
  }

  std::vector<PassQuery> QueriesOf(absl::Span<const int32_t> visitors) const {
    std::vector<PassQuery> queries(visitors.size());
#pragma omp parallel for num_threads(search_.threads) schedule(static)
    for (size_t v = 0; v < visitors.size(); ++v) {
      const int32_t i = visitors[v];
      queries[v] = {StandingAt(i), points_.basins[i]};
    }
    return queries;
  }

  absl::Status Answer(const PointMatrix& visitors,
                      absl::Span<const PassQuery> queries,
                      const LabelForest& forest) {
    // This rank has no points.
    if (joining_ == nullptr) return absl::OkStatus();
    std::vector<int32_t> above(queries.size()), basins(queries.size());
#pragma omp parallel for num_threads(search_.threads) schedule(static)
    for (size_t q = 0; q < queries.size(); ++q) {
      above[q] = CountAbove(queries[q].standing);
      basins[q] = queries[q].basin;
    }
    std::vector<QueryPair> pairs;
    RETURN_IF_ERROR(
        joining_->SearchOf(visitors, above, basins, forest, &pairs));
    for (const QueryPair& pair : pairs) {
      const PassQuery& query = queries[pair.query];
      AddPair(query.standing, query.basin, order_.order[pair.rank]);
    }
    // Most of what is found for different visitors is superfluous.
    KeepNeeded(joins_, &found_);
    return absl::OkStatus();
  }

  // Of `pairs`, sorts and keeps those that join basins which `known`, sorted
  // and none of these, do not join before.
  void KeepNeeded(absl::Span<const StandingPair> known,
                  std::vector<StandingPair>* pairs) const {
    const auto is_before = [](const StandingPair& a, const StandingPair& b) {
      return std::pair(a.pass, a.other) < std::pair(b.pass, b.other);
    };
    std::sort(pairs->begin(), pairs->end(), is_before);
    internal::BasinGroups groups(num_basins_);
    auto next = known.begin();
    size_t kept = 0;
    for (const StandingPair& pair : *pairs) {
      for (; next != known.end() && is_before(*next, pair); ++next) {
        groups.Join(next->pass_basin, next->other_basin);
      }
      if (groups.Join(pair.pass_basin, pair.other_basin)) {
        (*pairs)[kept++] = pair;
      }
    }
    pairs->resize(kept);
  }

  // Adds what the ranks found to joins_.
  absl::Status AddFound() {
    ASSIGN_OR_RETURN(const RankLists<StandingPair> all,
                     search_.ranks.AllGather(absl::MakeConstSpan(found_)));
    found_.clear();
    joins_.insert(joins_.end(), all.values.begin(), all.values.end());
    KeepNeeded({}, &joins_);
    return absl::OkStatus();
  }

  const RankSearch& search_;
  const PointsInBasins points_;
  const DensityRanks& order_;
  const int32_t num_basins_;
  JoiningPairSearch* const joining_;  // null without points
  // The same on all ranks.
  std::vector<StandingPair> joins_;
  // What this rank has found since all ranks got joins_.
  std::vector<StandingPair> found_;
};

}  // namespace

absl::StatusOr<std::vector<BasinPair>> FindJoinsOnRanks(
    const RankSearch& search, const PointsInBasins& points,
    const DensityRanks& order, const RankBoxes& boxes, double radius_key,
    int32_t num_basins, JoiningPairSearch* joining) {
  Stopwatch stopwatch;
  Joins joins(search, points, order, num_basins, joining);
  RETURN_IF_ERROR(joins.FindOwn());
  stopwatch.Lap("saddles among own points");
  RETURN_IF_ERROR(joins.FindOthers(boxes, radius_key));
  stopwatch.Lap("saddles on other ranks");
  return joins.Get();
}

}  // namespace warpclust
