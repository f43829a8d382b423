// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA brute force between two blocks against the double loop, bit for bit.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/brute_force/cuda/testing/naive_searches.h"
#include "vptree/brute_force/cuda/testing/tensor_points.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Filter = CudaBruteForceOptions::Filter;

class BruteForceBetweenCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

constexpr Norm kNorms[] = {Norm::kL2, Norm::kL1, Norm::kLInf};

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
  expected.ranks = ShuffledRanks(n, random);
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
  ExpectSameCounts(*index, expected.radius_keys, expected.counts, what);
  if (::testing::Test::HasFatalFailure()) return;
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

TEST_F(BruteForceBetweenCudaTest, BlocksOfEveryKind) {
  constexpr int32_t kSizes[] = {0, 1, 31, 127, 128, 129, 260, 400};
  constexpr int32_t kDimensions[] = {2, 20, 33, 64, 100};
  for (uint64_t seed = 4001; seed <= 4250; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed);
    const TensorPoints kind = kTensorPoints[seed % 14];
    const int32_t first = kSizes[random.Below(8)];
    const int32_t n = first + kSizes[random.Below(8)];
    const int32_t d = kDimensions[random.Below(5)];
    const Norm norm = random.Below(2) == 0 ? Norm::kL2 : kNorms[seed % 3];
    ExpectNaiveBetween(MakeTensorPoints(kind, n, d, seed), first, norm, seed,
                       absl::StrCat("kind ", static_cast<int>(kind), " first ",
                                    first, " n ", n, " d ", d, " norm ",
                                    static_cast<int>(norm), " seed ", seed));
    if (HasFatalFailure()) return;
  }
}

// Several pivots, runs of columns and samples; blocks that lie apart.
TEST_F(BruteForceBetweenCudaTest, BlocksOfManyTiles) {
  uint64_t seed = 4500;
  for (TensorPoints kind :
       {TensorPoints::kBytes, TensorPoints::kNormal, TensorPoints::kClusters,
        TensorPoints::kRanges, TensorPoints::kDuplicates}) {
    for (int32_t first : {100, 3000, 8100}) {
      ++seed;
      if (!TakesCase()) continue;
      PointMatrix points = MakeTensorPoints(kind, 8200, 20, seed);
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

}  // namespace
}  // namespace warpclust
