// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/cuda/testing/naive_searches.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

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

std::vector<int32_t> ShuffledRanks(int32_t n, Random& random) {
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  Shuffle(absl::MakeSpan(ranks), &random);
  return ranks;
}

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

LabelCase NaiveLabels(const std::vector<double>& keys, int32_t n, int32_t first,
                      const std::vector<double>& radius_keys, Random& random) {
  LabelCase expected;
  expected.ranks = ShuffledRanks(n, random);
  // Any labels, those of TensorPoints::kClusters, runs of the input, one.
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

void ExpectSameCounts(CudaBruteForce& index,
                      const std::vector<double>& radius_keys,
                      const std::vector<std::vector<int32_t>>& expected,
                      const std::string& what) {
  for (size_t r = 0; r < expected.size(); ++r) {
    DeviceBuffer<int32_t> counts;
    const absl::Status status = index.CountWithin(radius_keys[r], counts);
    ASSERT_TRUE(status.ok()) << what << ": " << status;
    const absl::StatusOr<std::vector<int32_t>> got = counts.ToHost();
    ASSERT_TRUE(got.ok()) << what << ": " << got.status();
    ASSERT_EQ(expected[r], *got) << what << " radius key " << radius_keys[r];
  }
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

}  // namespace warpclust
