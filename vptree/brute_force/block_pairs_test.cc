// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches between two blocks against double loops.

#include "vptree/brute_force/block_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/testing/filter_points.h"
#include "vptree/points/byte_grid.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/point_rows.h"

namespace warpclust {
namespace {

double Key(const PointMatrix& points, Norm norm, int32_t i, int32_t j) {
  return DistanceKey(norm, points.Row(i), points.Row(j), points.num_dimensions);
}

// All points, of which those of [begin, end) become bytes in `packed` if they
// may and lie on a grid; else floats, unless these would overflow.
PointRows PackRange(int32_t begin, int32_t end, bool may_be_bytes,
                    PointMatrix* points, PackedPoints* packed) {
  const int32_t d = points->num_dimensions;
  const absl::Span<double> values =
      absl::MakeSpan(points->values)
          .subspan(int64_t{begin} * d, int64_t{end - begin} * d);
  for (const double value : values) {
    if (std::abs(value) > std::numeric_limits<float>::max()) {
      return PointRows(*points);
    }
  }
  packed->num_points = end - begin;
  if (may_be_bytes) {
    packed->grid = ByteGrid::Find(
        end - begin, d,
        [&](int32_t i, double*) { return points->Row(begin + i); }, 1);
  }
  if (packed->grid.has_value()) {
    packed->bytes.resize(int64_t{end - begin} * packed->grid->row_bytes());
    for (int32_t i = begin; i < end; ++i) {
      packed->grid->ToBytes(
          points->Row(i),
          packed->bytes.data() + (i - begin) * packed->grid->row_bytes());
    }
  } else {
    packed->floats.assign(values.begin(), values.end());
    std::copy(packed->floats.begin(), packed->floats.end(), values.begin());
  }
  PointRows rows(d);
  rows.Append(points->Row(0), begin);
  rows.Append(packed->rows());
  rows.Append(points->Row(end), points->num_points - end);
  return rows;
}

constexpr int32_t kSizes[] = {0, 1, 31, 32, 100, 128, 129, 300, 700};

// All searches between two blocks of such points.
void CheckSearches(FilterPoints kind, int32_t d, Norm norm, bool one_is_known,
                   Random* random) {
  const int32_t first = kSizes[random->Below(9)];
  const int32_t n = first + kSizes[random->Below(9)];
  if (n == 0) return;
  PointMatrix points = MakeFilterPoints(kind, n, d, random);
  SCOPED_TRACE(testing::Message()
               << first << " of " << n << " points, " << d << " dimensions");
  // A packed block, or none.
  const int32_t begin = random->Below(2) == 0 ? 0 : first;
  const int32_t end = random->Below(2) == 0 ? begin : begin == 0 ? first : n;
  PackedPoints packed;
  const PointRows rows =
      PackRange(begin, end, random->Below(2) == 0, &points, &packed);
  const int threads = 1 + static_cast<int>(random->Below(3));
  // A block with a filter of its own, of which it may be a part, or none.
  PointMatrix with_more;
  std::optional<PairFilter> filter;
  KnownPoints known;
  if (one_is_known) {
    known.are_last = random->Below(2) == 0;
    known.count = known.are_last ? n - first : first;
    known.first = random->Below(2) == 0 ? 0 : kSizes[random->Below(9)];
    const int32_t begin = known.are_last ? first : 0;
    with_more =
        BehindOthers(points, begin, begin + known.count, known.first, random);
    filter.emplace(PointRows(with_more), norm, threads,
                   static_cast<int32_t>(random->Below(known.first + 1)));
    known.filter = &*filter;
  }
  const BlockPairs pairs(rows, first, norm, threads, known);

  const double radius_key =
      n == 1 ? 1 : Key(points, norm, 0, n - 1) * (0.5 + random->Unit());
  std::vector<int32_t> counts(n, 7), expected(n);
  ASSERT_TRUE(pairs.CountWithin(radius_key, absl::MakeSpan(counts)).ok());
  for (int32_t i = 0; i < first; ++i) {
    for (int32_t j = first; j < n; ++j) {
      if (!(Key(points, norm, i, j) < radius_key)) continue;
      ++expected[i];
      ++expected[j];
    }
  }
  ASSERT_EQ(counts, expected);

  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  Shuffle(absl::MakeSpan(ranks), random);
  // The best of the own block, or one elsewhere with any id.
  std::vector<NearestPoint> nearest(n), best(n);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (ranks[j] >= ranks[i]) continue;
      const double key = Key(points, norm, i, j);
      if (Preferred(key, j, best[i].key, best[i].id)) best[i] = {key, j};
      if ((i < first) != (j < first)) continue;
      if (Preferred(key, j, nearest[i].key, nearest[i].id)) {
        nearest[i] = {key, j};
      }
    }
    if (best[i].id < 0 || random->Below(3) != 0) continue;
    const NearestPoint elsewhere = {
        random->Below(2) == 0 ? best[i].key : 0.75 * best[i].key,
        static_cast<int32_t>(random->Below(n + 1))};
    for (NearestPoint* known : {&nearest[i], &best[i]}) {
      if (Preferred(elsewhere.key, elsewhere.id, known->key, known->id)) {
        *known = elsewhere;
      }
    }
  }
  ASSERT_TRUE(pairs.NearestOfHigherRank(ranks, absl::MakeSpan(nearest)).ok());
  ASSERT_EQ(nearest, best);

  // Each point has the best of its own block already, or a lower bound.
  std::vector<int32_t> labels(n), lowest(n, n), expected_lowest;
  for (int32_t& label : labels) label = static_cast<int32_t>(random->Below(3));
  const auto near = [&](int32_t i, int32_t j) {
    return labels[i] != labels[j] && Key(points, norm, i, j) < radius_key;
  };
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if ((i < first) != (j < first) || !near(i, j)) continue;
      lowest[i] = std::min(lowest[i], ranks[j]);
    }
    if (random->Below(2) != 0) continue;
    const auto bound = static_cast<int32_t>(random->Below(n));
    lowest[i] = std::min(lowest[i], bound);
  }
  expected_lowest = lowest;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if ((i < first) == (j < first) || !near(i, j)) continue;
      expected_lowest[i] = std::min(expected_lowest[i], ranks[j]);
    }
  }
  ASSERT_TRUE(pairs
                  .HighestRankOfOtherLabel(radius_key, ranks, labels,
                                           absl::MakeSpan(lowest))
                  .ok());
  ASSERT_EQ(lowest, expected_lowest);
}

TEST(BlockPairsTest, AsDoubleLoops) {
  constexpr int32_t kDimensions[] = {1, 3, 17, 40, 70, 130};
  constexpr Norm kNorms[] = {Norm::kL2, Norm::kL2, Norm::kL1, Norm::kLInf};
  for (uint64_t seed = 1; seed <= 250 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const FilterPoints kind =
        kFilterPoints[random.Below(std::size(kFilterPoints))];
    const int32_t d = kDimensions[random.Below(6)];
    const Norm norm = kNorms[random.Below(4)];
    CheckSearches(kind, d, norm, random.Below(2) == 0, &random);
  }
}

// Of points whose axes stay as a rule (pair_filter_test.cc).
TEST(BlockPairsTest, OfAKnownBlock) {
  for (uint64_t seed = 1; seed <= 60 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CheckSearches(kPointsWithAxes[random.Below(3)],
                  random.Below(2) == 0 ? 70 : 130, Norm::kL2,
                  /*one_is_known=*/true, &random);
  }
}

TEST(BlockPairsTest, WrongArguments) {
  Random random(1);
  const PointMatrix points =
      MakeFilterPoints(FilterPoints::kUniform, 5, 2, &random);
  const BlockPairs pairs(PointRows(points), 2, Norm::kL2, 1);
  std::vector<int32_t> counts(4);
  EXPECT_EQ(pairs.CountWithin(1, absl::MakeSpan(counts)).code(),
            absl::StatusCode::kInvalidArgument);
  counts.resize(5);
  EXPECT_EQ(pairs.CountWithin(-1, absl::MakeSpan(counts)).code(),
            absl::StatusCode::kInvalidArgument);
  std::vector<NearestPoint> nearest(4);
  EXPECT_EQ(pairs.NearestOfHigherRank(counts, absl::MakeSpan(nearest)).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
