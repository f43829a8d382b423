// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NeighborIndex: the searches that density peaks clustering runs over all
// points at once, on the CPU. All implementations return the same bytes, those
// of the double loop over all pairs; they differ in speed only:
//
//   box_tree.h      few dimensions
//   vp_tree.h       any metric, more dimensions
//   brute_force.h   many dimensions, or a radius that reaches most points
//   choose_index.h  picks one by a model fitted to measurements
//
//   ASSIGN_OR_RETURN(std::unique_ptr<NeighborIndex> index,
//                    BuildBoxTreeIndex(points, Norm::kL2, /*num_threads=*/0));
//   std::vector<int32_t> counts(points.num_points);
//   RETURN_IF_ERROR(index->CountWithin(KeyOfRadius(Norm::kL2, radius),
//                                      absl::MakeSpan(counts)));
//
// Points are prepared for their metric (vptree/points/metric.h) and must
// outlive the index. Radii are given as keys, because only the caller knows the
// metric. Arrays have one element per point, by point id.
//
// Errors: InvalidArgument for arrays of the wrong length and for keys that are
// negative or NaN; Cancelled for a search that was stopped (StopWith).

#ifndef WARPCLUST_VPTREE_POINTS_NEIGHBOR_INDEX_H_
#define WARPCLUST_VPTREE_POINTS_NEIGHBOR_INDEX_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "vptree/points/block_search.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// A pair of points by their ranks; rank > other_rank.
struct RankPair {
  int32_t rank;
  int32_t other_rank;

  friend bool operator==(const RankPair&, const RankPair&) = default;
};

// A query and a point that was found for it, by its rank.
struct QueryPair {
  int32_t query;
  int32_t rank;

  friend bool operator==(const QueryPair&, const QueryPair&) = default;
};

// The search for pairs that join labels, for one radius, ranks and labels,
// which it copies.
class JoiningPairSearch {
 public:
  virtual ~JoiningPairSearch() = default;

  // Appends pairs of points with key < radius_key. The point of larger rank r
  // is one of a part of all points, and the other is the one of smallest rank
  // in a group that is apart from the point's own by the joins of `forest`
  // below r: a pair for each such group near the point. A pair may be left out
  // if one of the same two labels and a smaller rank is found. Part 0 are all
  // points, part p about 1 in 8^p, all over the tree; those of part p + 1 are
  // left out if `without_next`. Order is arbitrary. Cancelled as searches of
  // the index.
  virtual absl::Status Search(const LabelForest& forest, int part,
                              bool without_next,
                              std::vector<RankPair>* pairs) = 0;

  // The same for points that are elsewhere; each is the point of larger rank of
  // its pairs. query_ranks[q] points of the index have smaller ranks than query
  // q, whose label is query_labels[q]. More than num_above[0] count as that
  // many. No pair is left out. FailedPrecondition if JoiningPairs was told more
  // than one of `num_above`.
  virtual absl::Status SearchOf(const PointMatrix& queries,
                                absl::Span<const int32_t> query_ranks,
                                absl::Span<const int32_t> query_labels,
                                const LabelForest& forest,
                                std::vector<QueryPair>* pairs) = 0;
};

// NearestOfHigherRank for several rankings: by the points' counts within each
// of some radii, most first, then by their ids.
class RankingsSearch {
 public:
  virtual ~RankingsSearch() = default;

  // A search for another thread.
  virtual std::unique_ptr<RankingsSearch> Copy() const = 0;

  // Sets ids[i] and keys[i] to the answer for point i by the counts number
  // `which`, whose ranks the caller says. It costs least in the order of the
  // radii. `num_threads` is at least 1. Cancelled as searches of the index.
  virtual absl::Status Search(int which, absl::Span<const int32_t> ranks,
                              int num_threads, absl::Span<int32_t> ids,
                              absl::Span<double> keys) = 0;

  // The ranks of the last search in an order of the index, until the next one.
  virtual absl::Span<const int32_t> slot_ranks() const = 0;
};

class NeighborIndex {
 public:
  virtual ~NeighborIndex() = default;

  // "box tree", "vp tree" or "brute force".
  virtual absl::string_view name() const = 0;
  virtual int32_t num_points() const = 0;

  // Sets counts[i] to the number of points j != i with key(i, j) < radius_key.
  // Duplicates of i count.
  virtual absl::Status CountWithin(double radius_key,
                                   absl::Span<int32_t> counts) const = 0;

  // CountWithin for each of these keys, which ascend: counts[r n + i] is that
  // of point i within radius_keys[r]. A tree, and brute force in up to 16
  // dimensions, compute a distance once for all keys. A tree takes another 4
  // bytes per slot of its leaves and key.
  virtual absl::Status CountWithinEach(absl::Span<const double> radius_keys,
                                       absl::Span<int32_t> counts) const = 0;

  // CountWithinEach into one vector for each key, and a search for the rankings
  // by these counts. That is null unless a tree keeps neighbors, which it reads
  // once for up to 16 rankings. It takes 28 + 0.6 d bytes per point in full
  // leaves, up to 44 + 1.2 d in half-full ones, and 64 while it counts.
  virtual absl::StatusOr<std::unique_ptr<RankingsSearch>> CountAndRank(
      absl::Span<const double> radius_keys,
      absl::Span<std::vector<int32_t>> counts) const;

  // Sets nearest[i] to the point j with ranks[j] < ranks[i] of smallest key,
  // then smallest id; to no point for the point of rank 0. Ranks are a
  // permutation of 0 … n - 1; rank 0 is the highest. On entry nearest[i] is no
  // point, or any other point and its key: the answer for other ranks. If its
  // rank is higher than that of i, a tree looks for nearer points only.
  virtual absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const = 0;

  // NearestOfHigherRank without what is known before, into two arrays, for the
  // ranks by density, highest first, then smallest id. Returns false, without a
  // search, if the index has only the form above, or too little memory to rank
  // the points.
  virtual absl::StatusOr<bool> NearestOfHigherDensity(
      absl::Span<const int32_t> densities, absl::Span<int32_t> ids,
      absl::Span<double> keys) const {
    static_cast<void>(densities);
    static_cast<void>(ids);
    static_cast<void>(keys);
    return false;
  }

  // Copies the ranks of the last NearestOfHigherDensity, if that returned true,
  // and the ids of the points by rank.
  virtual absl::Status CopyDensityRanks(absl::Span<int32_t> ranks,
                                        absl::Span<int32_t> order) const {
    static_cast<void>(ranks);
    static_cast<void>(order);
    return NoRanksYet();
  }

  // NearestOfHigherRank for several rankings: sets nearest[r n + i] by
  // ranks[r n + i].
  virtual absl::Status NearestOfHigherRanks(
      absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
    const size_t n = num_points();
    for (size_t first = 0; first < ranks.size(); first += n) {
      const absl::Status status = NearestOfHigherRank(
          ranks.subspan(first, n), nearest.subspan(first, n));
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Whether that is faster than one ranking after the other, each from the
  // answers for the one before.
  virtual bool searches_rankings_together() const { return false; }

  // Lowers best[i] to the smallest ranks[j] of the points j with
  // key(i, j) < radius_key and labels[j] != labels[i], if that is smaller. A
  // best[i] of n finds any such point, one of 0 searches nothing: a caller that
  // needs few answers, or only those below a bound, pays for these.
  virtual absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels, absl::Span<int32_t> best) const = 0;

  // Returns a search for pairs that join labels, which are not negative, or
  // null if the index has none. Points of rank num_above[0] or more are left
  // out. If there are more of these numbers, num_above[k] points have more than
  // k others within the radius, and the ranks of these come first: then a tree
  // with kept neighbors need not search for points with few others near.
  // `slot_ranks` are empty or, of a RankingsSearch of this index, the same
  // ranks, which are then not put into its order again. They must outlive the
  // result.
  virtual absl::StatusOr<std::unique_ptr<JoiningPairSearch>> JoiningPairs(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> slot_ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> num_above) const {
    static_cast<void>(radius_key);
    static_cast<void>(ranks);
    static_cast<void>(slot_ranks);
    static_cast<void>(labels);
    static_cast<void>(num_above);
    return nullptr;
  }

  // The same searches for points that are elsewhere, of the same dimensions and
  // prepared alike. Arrays that begin with `query` have one element per row of
  // `queries`. No point is left out as the query itself.

  // Sets query_counts[q] to the number of points j with key(q, j) < radius_key.
  virtual absl::Status CountWithinOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<int32_t> query_counts) const = 0;

  // Replaces query_nearest[q] by the Preferred point j with ranks[j] <
  // query_ranks[q] if that is preferred to it.
  virtual absl::Status NearestOfHigherRankOf(
      const PointMatrix& queries, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> query_ranks,
      absl::Span<NearestPoint> query_nearest) const = 0;

  // The same by the ranks of the last NearestOfHigherDensity, if that returned
  // true. Those of higher rank than query q are the points of higher density,
  // and those of its density whose ids are below query_places[q].
  virtual absl::Status NearestOfHigherDensityOf(
      const PointMatrix& queries, absl::Span<const int32_t> query_densities,
      absl::Span<const int32_t> query_places,
      absl::Span<NearestPoint> query_nearest) const {
    static_cast<void>(queries);
    static_cast<void>(query_densities);
    static_cast<void>(query_places);
    static_cast<void>(query_nearest);
    return NoRanksYet();
  }

  // Lowers query_best[q] to the smallest ranks[j] of the points j with
  // key(q, j) < radius_key and labels[j] != query_labels[q].
  virtual absl::Status HighestRankOfOtherLabelOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> query_labels,
      absl::Span<int32_t> query_best) const = 0;

  // The largest key of `row`, a query, and any point; none if only the caller,
  // who has the points, can tell.
  virtual absl::StatusOr<std::optional<double>> LargestKeyOf(
      absl::Span<const double> row) const {
    static_cast<void>(row);
    return std::nullopt;
  }

  // Returns searches between the points from `begin` on and `others`, which are
  // the first block if `others_first`, or null if the index has none. If they
  // read rows, `others` and the index must outlive them.
  virtual absl::StatusOr<std::unique_ptr<BlockSearch>> Meet(
      int32_t begin, const PackedRows& others, bool others_first) const {
    static_cast<void>(begin);
    static_cast<void>(others);
    static_cast<void>(others_first);
    return nullptr;
  }

  // Estimates the seconds that CountWithin takes by measuring a sample of the
  // points: a few milliseconds, or up to 1/50 of the whole if that is more.
  virtual absl::StatusOr<double> EstimateSeconds(double radius_key) const = 0;

  // Returns the number of distances that the searches computed so far, to
  // points and to bounds of subtrees: the cost measure of the paper's Figure 7.
  virtual int64_t distance_evaluations() const = 0;

  // Makes later calls of CountAndRank and JoiningPairs faster, at the cost of
  // one search and of 32 bytes per point: a tree keeps the nearest neighbors of
  // each point. Does not change results. Cancelled as searches.
  virtual absl::Status KeepNeighbors() { return absl::OkStatus(); }

  // Sets how many threads a search takes from now on. At least 1. Not while a
  // search runs. An index may take fewer.
  virtual void SetNumThreads(int num_threads) {
    static_cast<void>(num_threads);
  }

  // Ends searches, except EstimateSeconds, soon after the owner of `work` asks
  // for it; their results are then undefined. Null: never.
  void StopWith(const WorkShare* work) { work_ = work; }

 protected:
  static absl::Status NoRanksYet() {
    return absl::FailedPreconditionError(
        "the points have no ranks by density yet");
  }
  const WorkShare* work() const { return work_; }
  absl::Status NotStopped() const {
    return StopRequested(work_)
               ? absl::CancelledError("the search of points was stopped")
               : absl::OkStatus();
  }

 private:
  const WorkShare* work_ = nullptr;
};

inline absl::StatusOr<std::unique_ptr<RankingsSearch>>
NeighborIndex::CountAndRank(absl::Span<const double> radius_keys,
                            absl::Span<std::vector<int32_t>> counts) const {
  const size_t n = num_points();
  // Not a vector, whose zeros one thread would write.
  const std::unique_ptr<int32_t[]> of_all(new int32_t[n * radius_keys.size()]);
  const absl::Status status = CountWithinEach(
      radius_keys, absl::MakeSpan(of_all.get(), n * radius_keys.size()));
  if (!status.ok()) return status;
  for (size_t r = 0; r < counts.size(); ++r) {
    counts[r].assign(of_all.get() + r * n, of_all.get() + (r + 1) * n);
  }
  return nullptr;
}

// HighestRankOfOtherLabel of one radius, on any device.
using OtherLabelSearch = std::function<absl::Status(
    absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
    absl::Span<int32_t> best)>;

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_NEIGHBOR_INDEX_H_
