// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/key_selection.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Many keys are equal if `num_values` is small.
std::vector<double> RandomKeys(size_t size, uint64_t num_values,
                               uint64_t seed) {
  Random random(seed);
  std::vector<double> keys(size);
  for (double& key : keys) key = static_cast<double>(random.Below(num_values));
  return keys;
}

TEST(KeySelectionTest, RightWithAnyBounds) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed, 1);
    const size_t size = 1 + random.Below(200);
    const std::vector<double> keys =
        RandomKeys(size, 1 + random.Below(300), seed);
    std::vector<double> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    const double a = sorted[random.Below(size)];
    const double b = sorted[random.Below(size)];
    for (const KeyBounds bounds :
         {KeyBounds{-kInfinity, kInfinity},
          KeyBounds{std::min(a, b), kInfinity},
          KeyBounds{-kInfinity, std::max(a, b)}, KeyBounds{a, a},
          KeyBounds{std::min(a, b), std::max(a, b)},
          KeyBounds{a + 0.25, a + 0.5}, KeyBounds{1000, 1001},
          KeyBounds{-2, -1}}) {
      for (size_t index = 0; index < size; index += 1 + size / 20) {
        int passes = 0;
        const absl::StatusOr<double> key =
            SelectKey(static_cast<int64_t>(index), bounds,
                      [&](KeysBetween* pass) -> absl::Status {
                        ++passes;
                        // In two parts, each in pieces.
                        const size_t middle = size / 3;
                        KeysBetween part(pass->low(), pass->high());
                        for (size_t i = 0; i < size; i += 7) {
                          (i < middle ? &part : pass)
                              ->Take(absl::MakeConstSpan(keys).subspan(i, 7));
                        }
                        pass->Merge({&part, 1}, /*num_threads=*/1);
                        return absl::OkStatus();
                      });
        ASSERT_TRUE(key.ok()) << key.status();
        ASSERT_EQ(*key, sorted[index]) << "index " << index;
        const bool right = bounds.low <= *key && *key <= bounds.high;
        ASSERT_EQ(passes, right ? 1 : 2);
      }
    }
  }
}

TEST(KeySelectionTest, AnErrorOfAPassIsTheResult) {
  for (const int good_passes : {0, 1}) {
    int passes = 0;
    const absl::StatusOr<double> key =
        SelectKey(0, {-2, -1}, [&](KeysBetween* pass) -> absl::Status {
          if (passes++ == good_passes) return absl::DataLossError("lost");
          pass->Take({3});
          return absl::OkStatus();
        });
    EXPECT_EQ(key.status(), absl::DataLossError("lost"));
    EXPECT_EQ(passes, good_passes + 1);
  }
}

// Of many keys, some of none, to none or some.
TEST(KeySelectionTest, MergesAllParts) {
  const std::vector<double> keys = RandomKeys(200000, 100, 1);
  const auto all = absl::MakeConstSpan(keys);
  for (const size_t first : {0, 1000}) {
    KeysBetween merged(10, 90);
    merged.Take(all.first(first));
    std::vector<KeysBetween> parts(7, KeysBetween(10, 90));
    parts[0].Take({1, 2});  // Keeps none.
    parts[2].Take(all.subspan(first, 70000));
    parts[3].Take(all.subspan(first + 70000, 3));
    parts[4].Take(all.subspan(first + 70003));
    parts[6].Take({95});
    merged.Merge(absl::MakeSpan(parts), /*num_threads=*/3);
    EXPECT_EQ(merged.num_below(),
              2 + std::count_if(keys.begin(), keys.end(),
                                [](double key) { return key < 10; }));
    std::vector<double> expected;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(expected),
                 [](double key) { return key >= 10 && key <= 90; });
    std::vector<double> found(merged.kept().begin(), merged.kept().end());
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    EXPECT_EQ(merged.num_kept(), static_cast<int64_t>(expected.size()));
  }
}

TEST(KeySelectionTest, BoundsAreNearAndMostlyRight) {
  constexpr int64_t kKeys = 200000;
  std::vector<double> keys = RandomKeys(kKeys, uint64_t{1} << 50, 1);
  std::sort(keys.begin(), keys.end());
  Random random(2);
  for (const int64_t index :
       {int64_t{0}, int64_t{3}, kKeys / 50, kKeys / 2, kKeys - 1}) {
    SCOPED_TRACE(testing::Message() << "index " << index);
    int num_right = 0;
    for (int run = 0; run < 20; ++run) {
      std::vector<double> sample(20000);
      for (double& key : sample) key = keys[random.Below(kKeys)];
      const KeyBounds bounds =
          BoundsFromSample(index, kKeys, absl::MakeSpan(sample));
      num_right += bounds.low <= keys[index] && keys[index] <= bounds.high;
      const int64_t kept =
          std::upper_bound(keys.begin(), keys.end(), bounds.high) -
          std::lower_bound(keys.begin(), keys.end(), bounds.low);
      EXPECT_LT(kept, kKeys / 20);
    }
    EXPECT_GE(num_right, 19);
  }
}

// Fewer keys in the sample than deviations: no bounds.
TEST(KeySelectionTest, NoBoundsFromSmallSamples) {
  std::vector<double> sample = {3, 1};
  const KeyBounds bounds = BoundsFromSample(5, 10, absl::MakeSpan(sample));
  EXPECT_EQ(bounds.low, -kInfinity);
  EXPECT_EQ(bounds.high, kInfinity);
  EXPECT_EQ(BoundsFromSample(0, 1, {}).high, kInfinity);
}

}  // namespace
}  // namespace warpclust
