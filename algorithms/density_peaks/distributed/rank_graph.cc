// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_graph.h"

#include <algorithm>
#include <cstddef>
#include <future>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "algorithms/density_peaks/distributed/rank_densities.h"
#include "algorithms/density_peaks/distributed/visits.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "vptree/points/block_search.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {
namespace {

// A visitor that looks for a nearer point of higher rank.
struct NearerQuery {
  double key;
  int32_t nearest;  // Its number, or -1.
  PointStanding standing;
};
struct NearerAnswer {
  double key;
  int32_t number;  // -1: none is nearer.
  int32_t place;
};

class GraphSearch {
 public:
  explicit GraphSearch(const RankSearch& search)
      : search_(search),
        mine_(search.mine),
        rows_(search.rows),
        index_(search.index),
        blocks_(search.blocks),
        threads_(search.threads),
        ranks_(search.ranks),
        n_(mine_.points.num_points) {}

  absl::StatusOr<RankGraph> Find(double cutoff_distance) {
    Stopwatch stopwatch;
    result_.graph.cutoff_distance = cutoff_distance;
    // While densities are counted, the system clears memory for other results.
    std::future<void> clearing = std::async(std::launch::async, [this] {
      ResizeVector(n_, threads_, &result_.graph.dependent_points);
      ResizeVector(n_, threads_, &result_.graph.dependent_distances);
    });
    RETURN_IF_ERROR(FindRankDensities(
        search_, internal::RadiusKey(search_.metric, cutoff_distance),
        &result_.graph.densities, &result_.boxes));
    clearing.get();
    result_.density_seconds = stopwatch.Lap("density");
    RETURN_IF_ERROR(FindDependents());
    result_.dependent_seconds = stopwatch.Lap("dependent");
    return std::move(result_);
  }

 private:
  const RankBoxes& boxes() const { return result_.boxes; }

  PointStanding StandingAt(int32_t i) const {
    return StandingOf(result_.graph.densities[i], mine_.numbers[i]);
  }

  absl::Status FindDependents() {
    Stopwatch stopwatch;
    std::vector<int32_t>& dependents = result_.graph.dependent_points;
    std::vector<double>& keys = result_.graph.dependent_distances;
    const std::vector<int32_t>& densities = result_.graph.densities;
    ASSIGN_OR_RETURN(
        has_ranked_there_,
        index_.NearestOfHigherDensity(densities, absl::MakeSpan(dependents),
                                      absl::MakeSpan(keys)));
    if (!has_ranked_there_) {
      result_.order = RanksOfDensities(densities, threads_);
      std::vector<NearestPoint> nearest(n_);
      RETURN_IF_ERROR(index_.NearestOfHigherRank(result_.order.ranks,
                                                 absl::MakeSpan(nearest)));
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (int32_t i = 0; i < n_; ++i) {
        dependents[i] = nearest[i].id;
        keys[i] = nearest[i].key;
      }
    }
    stopwatch.Lap("dependent among own points");
    const PointStanding top = n_ == 0 ? kNoStanding : StandingAt(FindTop());
    ASSIGN_OR_RETURN(const RankLists<PointStanding> tops,
                     ranks_.AllGather(absl::MakeConstSpan(&top, 1)));
    RETURN_IF_ERROR(blocks_ != nullptr ? FindDependentsBetweenBlocks()
                                       : FindDependentsOfVisitors(tops));
    stopwatch.Lap("dependent on other ranks");
    RETURN_IF_ERROR(FindLargestKeyOfTop(tops));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t i = 0; i < n_; ++i)
      keys[i] = DistanceOfKey(search_.metric, keys[i]);
    return absl::OkStatus();
  }

  // The own point that outranks all others.
  int32_t FindTop() const {
    // Of equal densities the first.
    uint64_t top = 0;
#pragma omp parallel for num_threads(threads_) reduction(max : top)
    for (int32_t i = 0; i < n_; ++i) {
      const auto density = static_cast<uint64_t>(result_.graph.densities[i]);
      top = std::max(top, density << 32 | ~static_cast<uint32_t>(i));
    }
    return static_cast<int32_t>(~static_cast<uint32_t>(top));
  }

  absl::Status FindDependentsOfVisitors(const RankLists<PointStanding>& tops) {
    const std::vector<double>& keys = result_.graph.dependent_distances;
    return VisitOtherRanks<NearerAnswer>(
        ranks_, mine_.points.num_dimensions, threads_,
        [&](int step) {
          return rows_.NearRanks(ranks_, step, boxes(), {keys});
        },
        [&](int rank, std::vector<int32_t>* visitors) {
          return RowsOfWanting(rank, tops.values[rank], visitors);
        },
        [&](absl::Span<const int32_t> visitors)
            -> absl::StatusOr<std::vector<NearerQuery>> {
          std::vector<NearerQuery> queries(visitors.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
          for (size_t v = 0; v < visitors.size(); ++v) {
            queries[v] = QueryOf(visitors[v]);
          }
          return queries;
        },
        [&](const PointMatrix& visitors, absl::Span<const NearerQuery> queries,
            absl::Span<NearerAnswer> answers) {
          return FindNearer(visitors, queries, answers);
        },
        [&](int rank, absl::Span<const int32_t> visitors,
            absl::Span<const NearerAnswer> answers) {
          TakeNearer(
              rank, static_cast<int32_t>(visitors.size()),
              [&](int32_t v) { return visitors[v]; },
              [&](int32_t v) { return answers[v]; });
          return absl::OkStatus();
        });
  }

  // Leaves those points to visit a rank for which it may have a nearer point.
  absl::StatusOr<std::vector<double>> RowsOfWanting(
      int rank, PointStanding top, std::vector<int32_t>* visitors) const {
    ASSIGN_OR_RETURN(std::vector<double> rows, rows_.Rows(*visitors));
    const size_t d = mine_.points.num_dimensions;
    const std::vector<double>& keys = result_.graph.dependent_distances;
    std::vector<uint8_t> wants(visitors->size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (size_t v = 0; v < visitors->size(); ++v) {
      const int32_t i = (*visitors)[v];
      wants[v] = top < StandingAt(i) &&
                 boxes().LeastKey(rank, rows.data() + v * d) <= keys[i];
    }
    size_t kept = 0;
    for (size_t v = 0; v < visitors->size(); ++v) {
      if (wants[v] == 0) continue;
      (*visitors)[kept] = (*visitors)[v];
      std::copy_n(rows.data() + v * d, d, rows.data() + kept * d);
      ++kept;
    }
    visitors->resize(kept);
    rows.resize(kept * d);
    return rows;
  }

  absl::Status FindDependentsBetweenBlocks() {
    return MeetOtherBlocks<NearerAnswer>(
        ranks_, n_, threads_, MeetingOrder::kDescending,
        [&](int32_t i) { return QueryOf(i); },
        [&](const BlockMeeting& meeting, absl::Span<const NearerQuery> queries,
            absl::Span<NearerAnswer> answers) {
          return FindNearerBetween(meeting, queries, answers);
        },
        [&](int rank, absl::Span<const NearerAnswer> answers) {
          TakeNearer(
              rank, static_cast<int32_t>(answers.size()),
              [](int32_t i) { return i; },
              [&](int32_t i) { return answers[i]; });
        });
  }

  NearerQuery QueryOf(int32_t i) const {
    return {result_.graph.dependent_distances[i],
            result_.DependentNumber(i, mine_.numbers), StandingAt(i)};
  }

  // Takes the answer k for each point point_of(k), if it is preferred: several
  // ranks may search for a point at the same time. Points differ.
  template <typename PointOf, typename AnswerOf>
  void TakeNearer(int rank, int32_t count, const PointOf& point_of,
                  const AnswerOf& answer_of) {
    std::vector<int32_t>& dependents = result_.graph.dependent_points;
    std::vector<double>& keys = result_.graph.dependent_distances;
    const std::vector<int32_t> taken =
        FewNumbersWhere(count, threads_, [&](int32_t k) {
          const NearerAnswer answer = answer_of(k);
          const int32_t i = point_of(k);
          return answer.number >= 0 &&
                 Preferred(answer.key, answer.number, keys[i],
                           result_.DependentNumber(i, mine_.numbers));
        });
    // Dependent points of this rank, or none, before.
    std::vector<int32_t> added = taken;
    KeepWhere(
        threads_, [&](int32_t k) { return dependents[point_of(k)] < n_; },
        &added);
    const auto first = static_cast<int32_t>(result_.away.size());
    result_.away.resize(first + added.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (size_t a = 0; a < added.size(); ++a) {
      dependents[point_of(added[a])] = n_ + first + static_cast<int32_t>(a);
    }
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (size_t t = 0; t < taken.size(); ++t) {
      const NearerAnswer answer = answer_of(taken[t]);
      const int32_t i = point_of(taken[t]);
      keys[i] = answer.key;
      result_.away[dependents[i] - n_] = {
          i, {rank, answer.place}, answer.number};
    }
  }

  absl::Status FindNearerBetween(const BlockMeeting& meeting,
                                 absl::Span<const NearerQuery> queries,
                                 absl::Span<NearerAnswer> answers) {
    ASSIGN_OR_RETURN(const BlockSearch* const search,
                     blocks_->Search(index_, meeting));
    Stopwatch stopwatch;
    // Numbers of each side are consecutive (points are in blocks of the input),
    // and ascend over all rows. A point found before may be elsewhere; the row
    // that it would have here decides ties.
    const int32_t my_first =
        meeting.num_mine == 0 ? 0 : mine_.numbers[meeting.begin];
    const int32_t others_first =
        queries.empty() ? 0 : NumberOf(queries[0].standing);
    const auto row_of = [&](int32_t number) {
      return std::clamp(number - my_first, 0, meeting.num_mine) +
             std::clamp(number - others_first, 0, meeting.num_others);
    };
    std::vector<int32_t> densities(meeting.num_rows());
    std::vector<NearestPoint> known(meeting.num_rows());
    const auto set_row = [&](int32_t row, const NearerQuery& query) {
      densities[row] = DensityOf(query.standing);
      if (query.nearest >= 0) known[row] = {query.key, row_of(query.nearest)};
    };
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t i = meeting.begin; i < n_; ++i) {
      set_row(meeting.RowOfMine(i), QueryOf(i));
    }
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t q = 0; q < meeting.num_others; ++q) {
      set_row(meeting.RowOfOther(q), queries[q]);
    }
    const std::vector<int32_t> ranks =
        RanksOfDensities(densities, threads_).ranks;
    std::vector<NearestPoint> found = known;
    stopwatch.Lap("rows of both blocks");
    RETURN_IF_ERROR(search->NearestOfHigherRank(ranks, absl::MakeSpan(found)));
    stopwatch.Lap("dependent between blocks");
    TakeNearer(
        meeting.from, meeting.num_mine,
        [&](int32_t k) { return meeting.begin + k; },
        [&](int32_t k) -> NearerAnswer {
          const int32_t row = meeting.RowOfMine(meeting.begin + k);
          if (found[row] == known[row]) return {found[row].key, -1, -1};
          const int32_t place = found[row].id - meeting.RowOfOther(0);
          return {found[row].key, others_first + place, place};
        });
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t q = 0; q < meeting.num_others; ++q) {
      const int32_t row = meeting.RowOfOther(q);
      answers[q] = {found[row].key, -1, -1};
      if (found[row] == known[row]) continue;
      const int32_t place =
          meeting.begin + found[row].id - meeting.RowOfMine(meeting.begin);
      answers[q].number = mine_.numbers[place];
      answers[q].place = place;
    }
    stopwatch.Lap("answers between blocks");
    return absl::OkStatus();
  }

  absl::Status FindNearer(const PointMatrix& visitors,
                          absl::Span<const NearerQuery> queries,
                          absl::Span<NearerAnswer> answers) {
    // A visitor's nearest point so far is not here; the place that it would
    // have here decides ties, as the visitor's own place does.
    const auto count = static_cast<int64_t>(queries.size());
    const auto place_of = [&](int32_t number) {
      return static_cast<int32_t>(
          std::lower_bound(mine_.numbers.begin(), mine_.numbers.end(), number) -
          mine_.numbers.begin());
    };
    std::vector<int32_t> densities(count);
    std::vector<int32_t> places(count);
    std::vector<NearestPoint> known(count);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t q = 0; q < count; ++q) {
      const NearerQuery& query = queries[q];
      densities[q] = DensityOf(query.standing);
      places[q] = place_of(NumberOf(query.standing));
      known[q] = {query.key, query.nearest < 0 ? -1 : place_of(query.nearest)};
    }
    std::vector<NearestPoint> found = known;
    RETURN_IF_ERROR(
        has_ranked_there_
            ? index_.NearestOfHigherDensityOf(visitors, densities, places,
                                              absl::MakeSpan(found))
            : index_.NearestOfHigherRankOf(visitors, result_.order.ranks,
                                           RanksAmongOwn(queries),
                                           absl::MakeSpan(found)));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t q = 0; q < count; ++q) {
      const bool is_nearer = !(found[q] == known[q]);
      answers[q] = {found[q].key, is_nearer ? mine_.numbers[found[q].id] : -1,
                    found[q].id};
    }
    return absl::OkStatus();
  }

  // A visitor's rank here is the number of points that outrank it.
  std::vector<int32_t> RanksAmongOwn(
      absl::Span<const NearerQuery> queries) const {
    std::vector<int32_t> ranks(queries.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (size_t q = 0; q < queries.size(); ++q) {
      ranks[q] =
          CountAboveStanding(result_.order.order, result_.graph.densities,
                             mine_.numbers, queries[q].standing);
    }
    return ranks;
  }

  // The delta of the point of rank 0 is its largest distance to any point.
  absl::Status FindLargestKeyOfTop(const RankLists<PointStanding>& tops) {
    const auto owner = static_cast<int>(
        std::min_element(tops.values.begin(), tops.values.end()) -
        tops.values.begin());
    std::vector<double> row(mine_.points.num_dimensions);
    const bool is_mine = owner == ranks_.rank();
    const int32_t top = is_mine ? FindTop() : -1;
    if (is_mine) {
      ASSIGN_OR_RETURN(row, rows_.Rows({top}));
    }
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(row), owner));
    ASSIGN_OR_RETURN(std::optional<double> of_mine, index_.LargestKeyOf(row));
    if (!of_mine.has_value()) {
      of_mine = LargestKey(mine_.points, NormOfMetric(search_.metric),
                           row.data(), threads_);
    }
    ASSIGN_OR_RETURN(const double largest, ranks_.AllReduceLargest(*of_mine));
    if (is_mine) result_.graph.dependent_distances[top] = largest;
    return absl::OkStatus();
  }

  const RankSearch& search_;
  // Of search_.
  const RankPoints& mine_;
  const RankRows& rows_;
  const NeighborIndex& index_;
  MetBlocks* const blocks_;
  const int threads_;
  Communicator& ranks_;

  const int32_t n_;
  // Whether the ranks by density are on the GPU instead of in result_.
  bool has_ranked_there_ = false;
  RankGraph result_;
};

}  // namespace

absl::StatusOr<RankGraph> FindRankGraph(const RankSearch& search,
                                        double cutoff_distance) {
  return GraphSearch(search).Find(cutoff_distance);
}

}  // namespace warpclust
