// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/keys_at_places.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectAsSorted(const std::vector<double>& keys,
                    const std::vector<int64_t>& places) {
  std::vector<double> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> expected;
  for (const int64_t place : places) expected.push_back(sorted[place]);
  for (int threads = 1; threads <= 5; ++threads) {
    EXPECT_EQ(KeysAtPlaces(keys, places, threads), expected)
        << keys.size() << " keys, " << threads << " threads";
  }
}

// Few different values, which are frequent, or many.
TEST(KeysAtPlacesTest, AsInSortedKeys) {
  for (const size_t size : {1, 2, 3, 255, 256, 257, 2047, 20000, 100000}) {
    for (const uint64_t num_values : {1, 2, 7, 200, 5000, 1 << 30}) {
      SCOPED_TRACE(testing::Message() << num_values << " values");
      Random random(size, num_values);
      std::vector<double> keys(size);
      for (double& key : keys) {
        const auto value = static_cast<double>(random.Below(num_values));
        key = value * value;  // Not uniform.
      }
      std::vector<int64_t> places;
      for (int k = 0; k < 16; ++k) {
        places.push_back(static_cast<int64_t>(random.Below(size)));
      }
      // Equal, adjacent and outermost ones.
      const auto last = static_cast<int64_t>(size) - 1;
      places.insert(places.end(),
                    {0, 0, places[0], std::min(places[1] + 1, last), last});
      std::sort(places.begin(), places.end());
      ExpectAsSorted(keys, places);
      ExpectAsSorted(keys, {places[3]});
      ExpectAsSorted(keys, {});
    }
  }
}

TEST(KeysAtPlacesTest, AllPlacesOfKeysInOrder) {
  std::vector<double> keys(50000);
  std::vector<int64_t> places(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<double>(i / 3);
    places[i] = static_cast<int64_t>(i);
  }
  ExpectAsSorted(keys, places);
  std::reverse(keys.begin(), keys.end());
  ExpectAsSorted(keys, places);
}

// A frequent key, and rare neighbors of it.
TEST(KeysAtPlacesTest, NextToFrequentKeys) {
  for (const double frequent :
       {0.0, 1.0, std::numeric_limits<double>::max(), kInfinity}) {
    SCOPED_TRACE(frequent);
    std::vector<double> keys(40000, frequent);
    std::vector<int64_t> places;
    for (size_t i = 0; i < keys.size(); i += 1000) {
      keys[i + 7] = std::nextafter(frequent, -1);
      keys[i + 8] = std::nextafter(frequent, kInfinity);
    }
    for (int64_t place = 0; place < 40000; place += 13) places.push_back(place);
    ExpectAsSorted(keys, places);
  }
}

// All keys are equal but those that the sample misses.
TEST(KeysAtPlacesTest, KeysThatNoSampleHas) {
  std::vector<double> keys(100000, 3);
  for (size_t i = 1; i < keys.size(); i += 48) {
    keys[i] = static_cast<double>(i % 7);
  }
  std::vector<int64_t> places;
  for (int64_t place = 0; place < 100000; place += 29) places.push_back(place);
  ExpectAsSorted(keys, places);
}

}  // namespace
}  // namespace warpclust
