// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA brute force against the double loop over all pairs, bit for bit: with
// the filter on tensor cores, with queues that overflow, and without filter.

#include "vptree/brute_force/cuda/brute_force_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/gpu_like.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Filter = CudaBruteForceOptions::Filter;

// However many items there are, and however far apart those of a sample.
TEST(TileSearchHostTest, LaunchesTakeAllItemsInTurn) {
  constexpr int64_t kMany = int64_t{1} << 46;
  for (const int64_t items : {int64_t{1}, int64_t{1000}, kMany - 1, kMany}) {
    for (const int64_t stride : {int64_t{1}, int64_t{51}, items}) {
      for (const int64_t most : {int64_t{1} << 30, (items + 2) / 3}) {
        const int64_t sampled = (items - 1) / stride + 1;
        if (sampled / most > 1000) continue;
        TileArguments arguments;
        arguments.end_item = items;
        arguments.item_stride = stride;
        int64_t blocks = 0;
        while (arguments.first_item < items) {
          TileArguments part = arguments;
          part.end_item = EndOfLaunch(arguments, most);
          ASSERT_EQ(part.first_item % stride, 0);
          ASSERT_GT(part.end_item, part.first_item);
          ASSERT_LE(NumBlocks(part), most);
          blocks += NumBlocks(part);
          arguments.first_item = part.end_item;
        }
        EXPECT_EQ(blocks, sampled) << items << ", " << stride << ", " << most;
      }
    }
  }
}

class BruteForceCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// Kinds of coordinates.
enum class Kind {
  kBytes,       // on a grid of 8 bits: the filter is exact
  kBits,        // 0 or 1: ties everywhere
  kIntegers,    // -1000 … 1000: no grid of 8 bits
  kNormal,      //
  kClusters,    // five, far apart
  kOffset,      // 10^9 and a little
  kTiny,        // around 10^-160: squares are no normal numbers
  kSubnormal,   // around 10^-310
  kRanges,      // dimensions whose scales differ by 10^9
  kOutlier,     // one point 10^6 times as far away as the others
  kDuplicates,  // of a few points
  kEqual,       // one point
  kCorners,     // one coordinate 1, others 0: all distances equal
  kLarge,       // up to 10^150
};
constexpr Kind kKinds[] = {Kind::kBytes,   Kind::kBits,       Kind::kIntegers,
                           Kind::kNormal,  Kind::kClusters,   Kind::kOffset,
                           Kind::kTiny,    Kind::kSubnormal,  Kind::kRanges,
                           Kind::kOutlier, Kind::kDuplicates, Kind::kEqual,
                           Kind::kCorners, Kind::kLarge};

double Coordinate(Kind kind, int32_t point, int32_t k, Random& random) {
  switch (kind) {
    case Kind::kBytes:
      return static_cast<double>(random.Below(256));
    case Kind::kBits:
      return static_cast<double>(random.Below(2));
    case Kind::kIntegers:
      return static_cast<double>(random.Below(2001)) - 1000;
    case Kind::kNormal:
      return random.Normal();
    case Kind::kClusters:
      return random.Normal() + 30 * ((point % 5 * 7 + k) % 3);
    case Kind::kOffset:
      return 1e9 + 1e-3 * random.Normal();
    case Kind::kTiny:
      return 1e-160 * random.Normal();
    case Kind::kSubnormal:
      return 1e-310 * random.Normal();
    case Kind::kRanges:
      return random.Unit() * std::pow(10.0, k % 10);
    case Kind::kOutlier:
      return random.Normal() * (point == 3 ? 1e6 : 1.0);
    case Kind::kDuplicates:
      return static_cast<double>((point % 7) * (k % 3));
    case Kind::kEqual:
      return 0.1;
    case Kind::kCorners:
      return point % 64 == k ? 1.0 : 0.0;
    case Kind::kLarge:
      return 1e150 * (2 * random.Unit() - 1);
  }
  return 0;
}

PointMatrix Points(Kind kind, int32_t n, int32_t d, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(Coordinate(kind, i, k, random));
    }
  }
  return points;
}

// All keys, once: [i * n + j].
std::vector<double> AllKeys(const PointMatrix& points, Norm norm) {
  const int64_t n = points.num_points;
  std::vector<double> keys(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      keys[i * n + j] = keys[j * n + i] = DistanceKey(
          norm, points.Row(static_cast<int32_t>(i)),
          points.Row(static_cast<int32_t>(j)), points.num_dimensions);
    }
  }
  return keys;
}

std::vector<int32_t> NaiveCounts(const std::vector<double>& keys, int64_t n,
                                 double radius_key) {
  std::vector<int32_t> counts(static_cast<size_t>(n), 0);
  for (int64_t i = 0; i < n; ++i) {
    int32_t count = 0;
    for (int64_t j = 0; j < n; ++j) count += keys[i * n + j] < radius_key;
    counts[i] = count - (keys[i * n + i] < radius_key);
  }
  return counts;
}

std::vector<NearestPoint> NaiveNearest(const std::vector<double>& keys,
                                       int64_t n,
                                       const std::vector<int32_t>& ranks) {
  std::vector<NearestPoint> nearest(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      if (ranks[j] < ranks[i] &&
          Preferred(keys[i * n + j], static_cast<int32_t>(j), nearest[i].key,
                    nearest[i].id)) {
        nearest[i] = {keys[i * n + j], static_cast<int32_t>(j)};
      }
    }
  }
  return nearest;
}

std::vector<int32_t> RanksByCount(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t r = 0; r < order.size(); ++r) {
    ranks[order[r]] = static_cast<int32_t>(r);
  }
  return ranks;
}

// Keys between points (ties at the radius), beside them, and far from them.
std::vector<double> RadiusKeys(const std::vector<double>& keys, int64_t n,
                               Random& random) {
  std::vector<double> radii = {0.0, std::numeric_limits<double>::infinity()};
  if (n < 2) return radii;
  for (int i = 0; i < 3; ++i) {
    const int64_t a = static_cast<int64_t>(random.Below(n));
    const int64_t b = (a + 1 + static_cast<int64_t>(random.Below(n - 1))) % n;
    const double key = keys[a * n + b];
    radii.push_back(key);
    radii.push_back(std::nextafter(key, 1e308));
    if (i == 0) radii.push_back(0.1 * key);
  }
  return radii;
}

// A search for other labels, and what it must give by radius.
struct LabelCase {
  std::vector<int32_t> ranks;
  std::vector<int32_t> labels;
  std::vector<int32_t> before;
  std::vector<std::vector<int32_t>> best;
};

// Between the first `first` points and the others, or among all if that is -1.
LabelCase NaiveLabels(const std::vector<double>& keys, int32_t n, int32_t first,
                      const std::vector<double>& radius_keys, Random& random) {
  LabelCase expected;
  expected.ranks.resize(n);
  std::iota(expected.ranks.begin(), expected.ranks.end(), 0);
  for (int32_t i = n - 1; i > 0; --i) {
    std::swap(expected.ranks[i], expected.ranks[random.Below(i + 1)]);
  }
  // Any labels, those of Kind::kClusters, runs of the input, one.
  const uint64_t kind = random.Below(4);
  // Of no bounds, of few searches, of bounds.
  const uint64_t bounds = random.Below(3);
  for (int32_t i = 0; i < n; ++i) {
    expected.labels.push_back(kind == 0 ? static_cast<int32_t>(random.Below(4))
                              : kind == 1 ? i % 5
                              : kind == 2 ? i / 100
                                          : 7);
    const auto bound = static_cast<int32_t>(random.Below(n + 1));
    expected.before.push_back(bounds == 0                      ? n
                              : bounds == 1 && bound % 16 != 0 ? 0
                                                               : bound);
  }
  for (const double radius_key : radius_keys) {
    std::vector<int32_t> best = expected.before;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        if ((first < 0 || (i < first) != (j < first)) &&
            expected.labels[i] != expected.labels[j] &&
            keys[i * n + j] < radius_key) {
          best[i] = std::min(best[i], expected.ranks[j]);
        }
      }
    }
    expected.best.push_back(std::move(best));
  }
  return expected;
}

void ExpectSameLabels(CudaBruteForce& index,
                      const std::vector<double>& radius_keys,
                      const LabelCase& expected, const std::string& what) {
  const auto on_device = [](const std::vector<int32_t>& values) {
    return DeviceBuffer<int32_t>::FromHost(values);
  };
  const absl::StatusOr<DeviceBuffer<int32_t>> ranks = on_device(expected.ranks);
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  const absl::StatusOr<DeviceBuffer<int32_t>> labels =
      on_device(expected.labels);
  ASSERT_TRUE(labels.ok()) << labels.status();
  for (size_t r = 0; r < expected.best.size(); ++r) {
    absl::StatusOr<DeviceBuffer<int32_t>> best = on_device(expected.before);
    ASSERT_TRUE(best.ok()) << best.status();
    const absl::Status status =
        index.HighestRankOfOtherLabel(radius_keys[r], *ranks, *labels, *best);
    ASSERT_TRUE(status.ok()) << what << ": " << status;
    const absl::StatusOr<std::vector<int32_t>> got = best->ToHost();
    ASSERT_TRUE(got.ok()) << what << ": " << got.status();
    ASSERT_EQ(expected.best[r], *got)
        << what << " radius key " << radius_keys[r];
  }
}

// What a search must give, computed once for several indexes.
struct Expected {
  std::vector<double> radius_keys;
  LabelCase labels;
  std::vector<std::vector<int32_t>> counts;
  std::vector<std::vector<int32_t>> ranks;
  std::vector<std::vector<NearestPoint>> nearest;
};

Expected NaiveSearches(const PointMatrix& points, Norm norm, uint64_t seed) {
  const int64_t n = points.num_points;
  const std::vector<double> keys = AllKeys(points, norm);
  Random random(seed);
  Expected expected;
  expected.radius_keys = RadiusKeys(keys, n, random);
  for (double radius_key : expected.radius_keys) {
    expected.counts.push_back(NaiveCounts(keys, n, radius_key));
  }
  std::vector<int32_t> shuffled(static_cast<size_t>(n));
  std::iota(shuffled.begin(), shuffled.end(), 0);
  for (size_t i = shuffled.size(); i > 1; --i) {
    std::swap(shuffled[i - 1], shuffled[random.Below(i)]);
  }
  expected.ranks = {RanksByCount(expected.counts.back()), shuffled};
  for (const std::vector<int32_t>& ranks : expected.ranks) {
    expected.nearest.push_back(NaiveNearest(keys, n, ranks));
  }
  expected.labels = NaiveLabels(keys, static_cast<int32_t>(n), /*first=*/-1,
                                expected.radius_keys, random);
  return expected;
}

void ExpectSame(const PointMatrix& points, Norm norm,
                const CudaBruteForceOptions& options, const Expected& expected,
                const std::string& what) {
  absl::StatusOr<DevicePoints> device = DevicePoints::FromHost(points, norm);
  ASSERT_TRUE(device.ok()) << device.status();
  absl::StatusOr<CudaBruteForce> index =
      CudaBruteForce::Create(*device, options);
  ASSERT_TRUE(index.ok()) << what << ": " << index.status();
  for (size_t r = 0; r < expected.counts.size(); ++r) {
    DeviceBuffer<int32_t> counts;
    const absl::Status status =
        index->CountWithin(expected.radius_keys[r], counts);
    ASSERT_TRUE(status.ok()) << what << ": " << status;
    const absl::StatusOr<std::vector<int32_t>> got = counts.ToHost();
    ASSERT_TRUE(got.ok()) << what << ": " << got.status();
    ASSERT_EQ(expected.counts[r], *got)
        << what << " radius key " << expected.radius_keys[r];
  }
  ExpectSameLabels(*index, expected.radius_keys, expected.labels, what);
  if (::testing::Test::HasFatalFailure()) return;
  for (size_t r = 0; r < expected.ranks.size(); ++r) {
    const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
        DeviceBuffer<int32_t>::FromHost(expected.ranks[r]);
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    DeviceBuffer<int32_t> ids;
    DeviceBuffer<double> keys;
    const absl::Status status = index->NearestOfHigherRank(*ranks, ids, keys);
    ASSERT_TRUE(status.ok()) << what << ": " << status;
    const absl::StatusOr<std::vector<int32_t>> got_ids = ids.ToHost();
    ASSERT_TRUE(got_ids.ok()) << what << ": " << got_ids.status();
    const absl::StatusOr<std::vector<double>> got_keys = keys.ToHost();
    ASSERT_TRUE(got_keys.ok()) << what << ": " << got_keys.status();
    for (size_t i = 0; i < got_ids->size(); ++i) {
      ASSERT_EQ(expected.nearest[r][i].id, (*got_ids)[i])
          << what << " point " << i;
      ASSERT_EQ(expected.nearest[r][i].key, (*got_keys)[i])
          << what << " point " << i;
    }
  }
}

void ExpectNaive(const PointMatrix& points, Norm norm, uint64_t seed,
                 const std::string& what) {
  const Expected expected = NaiveSearches(points, norm, seed);
  CudaBruteForceOptions options;
  ExpectSame(points, norm, options, expected, what + " auto");
  if (norm != Norm::kL2) return;
  options.filter = Filter::kNone;
  ExpectSame(points, norm, options, expected, what + " plain");
  options.filter = Filter::kTensorCores;
  options.queue_capacity = 3;
  ExpectSame(points, norm, options, expected, what + " short queue");
  // Longer than the shared memory of small GPUs has room for.
  options.queue_capacity = 8192;
  const GpuLike gpu("8.6");
  ExpectSame(points, norm, options, expected, what + " little shared memory");
}

constexpr Norm kNorms[] = {Norm::kL2, Norm::kL1, Norm::kLInf};

TEST_F(BruteForceCudaTest, EveryKindOfPoints) {
  uint64_t seed = 1;
  for (Kind kind : kKinds) {
    for (int32_t d : {2, 7, 33, 64, 100}) {
      for (Norm norm : kNorms) {
        const int32_t n = 150 + static_cast<int32_t>(seed * 37 % 260);
        ++seed;
        if (!TakesCase()) continue;
        ExpectNaive(
            Points(kind, n, d, seed), norm, seed,
            absl::StrCat("kind ", static_cast<int>(kind), " n ", n, " d ", d,
                         " norm ", static_cast<int>(norm), " seed ", seed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(BruteForceCudaTest, EverySize) {
  uint64_t seed = 1000;
  for (int32_t n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 257, 1000}) {
    for (Kind kind : {Kind::kBytes, Kind::kNormal, Kind::kEqual}) {
      for (int32_t d : {1, 3, 31, 32}) {
        ++seed;
        if (!TakesCase()) continue;
        ExpectNaive(Points(kind, n, d, seed), Norm::kL2, seed,
                    absl::StrCat("kind ", static_cast<int>(kind), " n ", n,
                                 " d ", d, " seed ", seed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(BruteForceCudaTest, ManyDimensions) {
  uint64_t seed = 2000;
  for (int32_t d : {300, 384, 385, 784, 4096, 4097}) {
    for (Kind kind :
         {Kind::kBytes, Kind::kNormal, Kind::kClusters, Kind::kRanges}) {
      ++seed;
      if (!TakesCase()) continue;
      ExpectNaive(Points(kind, 300, d, seed), Norm::kL2, seed,
                  absl::StrCat("kind ", static_cast<int>(kind), " d ", d,
                               " seed ", seed));
      if (HasFatalFailure()) return;
    }
  }
}

// What the searches between the first `first` points and the others must give.
struct ExpectedBetween {
  int32_t first = 0;
  std::vector<double> radius_keys;
  LabelCase labels;
  std::vector<std::vector<int32_t>> counts;
  std::vector<int32_t> ranks;
  // What each point has found before: the best of its own block, perhaps
  // something better elsewhere, or nothing.
  std::vector<NearestPoint> known;
  std::vector<NearestPoint> nearest;
};

ExpectedBetween NaiveBetween(const PointMatrix& points, int32_t first,
                             Norm norm, uint64_t seed) {
  const int32_t n = points.num_points;
  const std::vector<double> keys = AllKeys(points, norm);
  const auto key_of = [&](int64_t i, int64_t j) { return keys[i * n + j]; };
  Random random(seed);
  ExpectedBetween expected;
  expected.first = first;
  expected.radius_keys = RadiusKeys(keys, n, random);
  for (const double radius_key : expected.radius_keys) {
    std::vector<int32_t> counts(n);
    for (int32_t i = 0; i < first; ++i) {
      for (int32_t j = first; j < n; ++j) {
        if (!(key_of(i, j) < radius_key)) continue;
        ++counts[i];
        ++counts[j];
      }
    }
    expected.counts.push_back(std::move(counts));
  }
  expected.ranks.resize(n);
  std::iota(expected.ranks.begin(), expected.ranks.end(), 0);
  for (int32_t i = n - 1; i > 0; --i) {
    std::swap(expected.ranks[i], expected.ranks[random.Below(i + 1)]);
  }
  expected.known.resize(n);
  for (int32_t i = 0; i < n; ++i) {
    NearestPoint& known = expected.known[i];
    NearestPoint across;
    for (int32_t j = 0; j < n; ++j) {
      if (expected.ranks[j] >= expected.ranks[i]) continue;
      NearestPoint& best = (i < first) == (j < first) ? known : across;
      if (Preferred(key_of(i, j), j, best.key, best.id)) {
        best = {key_of(i, j), j};
      }
    }
    if (random.Below(3) == 0 && across.id >= 0) {
      // Equal keys: ids decide, also those of points that are not here.
      const NearestPoint elsewhere = {
          random.Below(2) == 0 ? across.key : 0.75 * across.key,
          static_cast<int32_t>(random.Below(n + 1))};
      if (Preferred(elsewhere.key, elsewhere.id, known.key, known.id)) {
        known = elsewhere;
      }
    }
    const bool is_better =
        Preferred(across.key, across.id, known.key, known.id);
    expected.nearest.push_back(across.id >= 0 && is_better ? across : known);
  }
  expected.labels = NaiveLabels(keys, n, first, expected.radius_keys, random);
  return expected;
}

void ExpectSameBetween(const PointMatrix& points, Norm norm,
                       const CudaBruteForceOptions& options,
                       const ExpectedBetween& expected,
                       const std::string& what) {
  absl::StatusOr<DevicePoints> device = DevicePoints::FromHost(points, norm);
  ASSERT_TRUE(device.ok()) << device.status();
  absl::StatusOr<CudaBruteForce> index =
      CudaBruteForce::CreateBetween(*device, expected.first, options);
  ASSERT_TRUE(index.ok()) << what << ": " << index.status();
  for (size_t r = 0; r < expected.counts.size(); ++r) {
    DeviceBuffer<int32_t> counts;
    const absl::Status status =
        index->CountWithin(expected.radius_keys[r], counts);
    ASSERT_TRUE(status.ok()) << what << ": " << status;
    const absl::StatusOr<std::vector<int32_t>> got = counts.ToHost();
    ASSERT_TRUE(got.ok()) << what << ": " << got.status();
    ASSERT_EQ(expected.counts[r], *got)
        << what << " radius key " << expected.radius_keys[r];
  }
  ExpectSameLabels(*index, expected.radius_keys, expected.labels, what);
  if (::testing::Test::HasFatalFailure()) return;
  std::vector<int32_t> known_ids;
  std::vector<double> known_keys;
  for (const NearestPoint& known : expected.known) {
    known_ids.push_back(known.id);
    known_keys.push_back(known.key);
  }
  const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
      DeviceBuffer<int32_t>::FromHost(expected.ranks);
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  absl::StatusOr<DeviceBuffer<int32_t>> ids =
      DeviceBuffer<int32_t>::FromHost(known_ids);
  ASSERT_TRUE(ids.ok()) << ids.status();
  absl::StatusOr<DeviceBuffer<double>> keys =
      DeviceBuffer<double>::FromHost(known_keys);
  ASSERT_TRUE(keys.ok()) << keys.status();
  const absl::Status status = index->NearestOfHigherRank(*ranks, *ids, *keys);
  ASSERT_TRUE(status.ok()) << what << ": " << status;
  const absl::StatusOr<std::vector<int32_t>> got_ids = ids->ToHost();
  ASSERT_TRUE(got_ids.ok()) << what << ": " << got_ids.status();
  const absl::StatusOr<std::vector<double>> got_keys = keys->ToHost();
  ASSERT_TRUE(got_keys.ok()) << what << ": " << got_keys.status();
  for (size_t i = 0; i < got_ids->size(); ++i) {
    ASSERT_EQ(expected.nearest[i].id, (*got_ids)[i]) << what << " point " << i;
    ASSERT_EQ(expected.nearest[i].key, (*got_keys)[i])
        << what << " point " << i;
  }
}

void ExpectNaiveBetween(const PointMatrix& points, int32_t first, Norm norm,
                        uint64_t seed, const std::string& what) {
  const ExpectedBetween expected = NaiveBetween(points, first, norm, seed);
  CudaBruteForceOptions options;
  ExpectSameBetween(points, norm, options, expected, what + " auto");
  if (norm != Norm::kL2) return;
  options.filter = Filter::kNone;
  ExpectSameBetween(points, norm, options, expected, what + " plain");
  options.filter = Filter::kTensorCores;
  options.queue_capacity = 3;
  ExpectSameBetween(points, norm, options, expected, what + " short queue");
}

TEST_F(BruteForceCudaTest, BlocksOfEveryKind) {
  constexpr int32_t kSizes[] = {0, 1, 31, 127, 128, 129, 260, 400};
  constexpr int32_t kDimensions[] = {2, 20, 33, 64, 100};
  for (uint64_t seed = 4001; seed <= 4250; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed);
    const Kind kind = kKinds[seed % 14];
    const int32_t first = kSizes[random.Below(8)];
    const int32_t n = first + kSizes[random.Below(8)];
    const int32_t d = kDimensions[random.Below(5)];
    const Norm norm = random.Below(2) == 0 ? Norm::kL2 : kNorms[seed % 3];
    ExpectNaiveBetween(Points(kind, n, d, seed), first, norm, seed,
                       absl::StrCat("kind ", static_cast<int>(kind), " first ",
                                    first, " n ", n, " d ", d, " norm ",
                                    static_cast<int>(norm), " seed ", seed));
    if (HasFatalFailure()) return;
  }
}

// Several pivots, runs of columns and samples; blocks that lie apart.
TEST_F(BruteForceCudaTest, BlocksOfManyTiles) {
  uint64_t seed = 4500;
  for (Kind kind : {Kind::kBytes, Kind::kNormal, Kind::kClusters, Kind::kRanges,
                    Kind::kDuplicates}) {
    for (int32_t first : {100, 3000, 8100}) {
      ++seed;
      if (!TakesCase()) continue;
      PointMatrix points = Points(kind, 8200, 20, seed);
      for (int32_t i = 0; first == 3000 && i < first; ++i) {
        points.values[i * 20] += 10;
      }
      ExpectNaiveBetween(
          points, first, Norm::kL2, seed,
          absl::StrCat("kind ", static_cast<int>(kind), " first ", first));
      if (HasFatalFailure()) return;
    }
  }
}

// Multiples of 4, and radii so small that they vanish when divided by the
// square of the step: duplicates are within them all the same.
TEST_F(BruteForceCudaTest, TheSmallestRadiusHoldsDuplicates) {
  PointMatrix points = Points(Kind::kDuplicates, 300, 5, 1);
  for (double& value : points.values) value *= 4;
  Expected expected;
  expected.radius_keys = {std::numeric_limits<double>::denorm_min(), 1e-320,
                          1e-300, 1.0};
  const std::vector<double> keys = AllKeys(points, Norm::kL2);
  for (const double radius_key : expected.radius_keys) {
    expected.counts.push_back(NaiveCounts(keys, 300, radius_key));
    ASSERT_GT(expected.counts.back()[0], 0);
  }
  ExpectSame(points, Norm::kL2, CudaBruteForceOptions(), expected, "smallest");
}

// Enough tiles for samples, several pivots, near and far tiles.
TEST_F(BruteForceCudaTest, ManyTiles) {
  uint64_t seed = 3000;
  for (Kind kind : {Kind::kBytes, Kind::kClusters, Kind::kRanges,
                    Kind::kOutlier, Kind::kDuplicates}) {
    ++seed;
    if (!TakesCase()) continue;
    const PointMatrix points = Points(kind, 8200, 20, seed);
    const Expected expected = NaiveSearches(points, Norm::kL2, seed);
    for (Filter filter : {Filter::kAuto, Filter::kTensorCores}) {
      CudaBruteForceOptions options;
      options.filter = filter;
      ExpectSame(points, Norm::kL2, options, expected,
                 absl::StrCat("kind ", static_cast<int>(kind), " filter ",
                              static_cast<int>(filter)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(BruteForceCudaTest, TheFilterDecidesNearlyAll) {
  for (Kind kind : {Kind::kBytes, Kind::kNormal, Kind::kClusters}) {
    if (!TakesCase()) continue;
    const absl::StatusOr<DevicePoints> points =
        DevicePoints::FromHost(Points(kind, 3000, 50, 9), Norm::kL2);
    ASSERT_TRUE(points.ok()) << points.status();
    absl::StatusOr<CudaBruteForce> index = CudaBruteForce::Create(*points);
    ASSERT_TRUE(index.ok()) << index.status();
    DeviceBuffer<int32_t> counts;
    // Of two normal points the mean key is 2 d; for bytes that decides none.
    ASSERT_TRUE(index->CountWithin(100, counts).ok());
    const absl::StatusOr<CudaBruteForce::Statistics> statistics =
        index->LastStatistics();
    ASSERT_TRUE(statistics.ok()) << statistics.status();
    EXPECT_TRUE(statistics->tensor_cores);
    EXPECT_GT(statistics->pairs, 0);
    EXPECT_LT(statistics->undecided,
              kind == Kind::kBytes ? 1 : statistics->pairs / 20);
    const absl::StatusOr<double> seconds = index->EstimateSeconds(100);
    ASSERT_TRUE(seconds.ok()) << seconds.status();
    EXPECT_GT(*seconds, 0);
    EXPECT_LT(*seconds, 1);
  }
}

TEST_F(BruteForceCudaTest, BadArgumentsAndNoMemoryAreStatuses) {
  const absl::StatusOr<DevicePoints> points =
      DevicePoints::FromHost(Points(Kind::kNormal, 500, 5, 1), Norm::kL2);
  ASSERT_TRUE(points.ok()) << points.status();
  CudaBruteForceOptions options;
  options.queue_capacity = 0;
  EXPECT_EQ(CudaBruteForce::Create(*points, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (const int32_t first : {-1, 501}) {
    EXPECT_EQ(CudaBruteForce::CreateBetween(*points, first).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  absl::StatusOr<CudaBruteForce> index = CudaBruteForce::Create(*points);
  ASSERT_TRUE(index.ok()) << index.status();
  DeviceBuffer<int32_t> counts;
  EXPECT_EQ(index->CountWithin(-1, counts).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(index->CountWithin(std::nan(""), counts).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(index->EstimateSeconds(-1).status().code(),
            absl::StatusCode::kInvalidArgument);
  DeviceBuffer<double> keys;
  DeviceBuffer<int32_t> ids;
  EXPECT_EQ(
      index->NearestOfHigherRank(DeviceBuffer<int32_t>(), ids, keys).code(),
      absl::StatusCode::kInvalidArgument);
  absl::StatusOr<CudaBruteForce> between =
      CudaBruteForce::CreateBetween(*points, 200);
  ASSERT_TRUE(between.ok()) << between.status();
  const absl::StatusOr<DeviceBuffer<int32_t>> ranks =
      DeviceBuffer<int32_t>::FromHost(std::vector<int32_t>(500));
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  DeviceBuffer<int32_t> best;
  EXPECT_EQ(index->HighestRankOfOtherLabel(1, *ranks, *ranks, best).code(),
            absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(AllocateInto(500, best).ok());
  EXPECT_EQ(index->HighestRankOfOtherLabel(-1, *ranks, *ranks, best).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      index->HighestRankOfOtherLabel(1, *ranks, DeviceBuffer<int32_t>(), best)
          .code(),
      absl::StatusCode::kInvalidArgument);
  // Nothing is said of what points know.
  EXPECT_EQ(between->NearestOfHigherRank(*ranks, ids, keys).code(),
            absl::StatusCode::kInvalidArgument);
  SetDeviceMemoryLimit(DeviceMemoryInUseBytes() + 1000);
  EXPECT_EQ(CudaBruteForce::Create(*points).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(index->CountWithin(1, counts).code(),
            absl::StatusCode::kResourceExhausted);
  SetDeviceMemoryLimit(-1);
  EXPECT_TRUE(index->CountWithin(1, counts).ok());
}

}  // namespace
}  // namespace warpclust
