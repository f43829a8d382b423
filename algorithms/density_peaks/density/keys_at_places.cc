// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/keys_at_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int kBuckets = 256;
constexpr int64_t kSampled = 2048;
constexpr int64_t kKeysPerThread = 1 << 14;

using OfBuckets = std::array<int64_t, kBuckets>;

double Next(double key) {
  return std::nextafter(key, std::numeric_limits<double>::infinity());
}

// Ascending keys. Bucket b has the keys from splitter b - 1 to below splitter
// b.
class Splitters {
 public:
  explicit Splitters(absl::Span<const double> keys) {
    const auto num_keys = static_cast<int64_t>(keys.size());
    const int64_t size = std::min(num_keys, kSampled);
    std::vector<double> sample(size);
    for (int64_t i = 0; i < size; ++i) sample[i] = keys[i * num_keys / size];
    std::sort(sample.begin(), sample.end());
    for (int b = 0; b < kBuckets - 1; ++b) {
      splitters_[b] = sample[(b + 1) * size / kBuckets];
    }
    // Two splitters are equal where a key is frequent: it gets a bucket alone.
    for (int b = kBuckets - 2; b > 0; --b) {
      if (splitters_[b] == splitters_[b - 1]) {
        splitters_[b] = Next(splitters_[b]);
      }
    }
  }

  // Without branches, which would be mispredicted.
  size_t BucketOf(double key) const {
    size_t bucket = 0;
#pragma GCC unroll 8
    for (size_t half = kBuckets / 2; half > 0; half /= 2) {
      bucket +=
          half * static_cast<size_t>(splitters_[bucket + half - 1] <= key);
    }
    return bucket;
  }

  // All keys of the bucket are equal to its Low().
  bool IsOneKey(int bucket) const {
    return bucket > 0 && bucket < kBuckets - 1 &&
           splitters_[bucket] == Next(splitters_[bucket - 1]);
  }
  double Low(int bucket) const { return splitters_[bucket - 1]; }

 private:
  std::array<double, kBuckets - 1> splitters_;
};

}  // namespace

std::vector<double> KeysAtPlaces(absl::Span<const double> keys,
                                 absl::Span<const int64_t> places,
                                 int num_threads) {
  std::vector<double> selected(places.size());
  if (places.empty()) return selected;
  const Splitters splitters(keys);
  const auto num_keys = static_cast<int64_t>(keys.size());
  const int threads = ThreadsFor(num_keys, kKeysPerThread, num_threads);
  std::vector<uint8_t> bucket_of(keys.size());
  // How many keys of a bucket a thread has; later, where it writes them.
  std::vector<OfBuckets> of_threads(threads);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; ++t) {
    OfBuckets counts = {};
    const int64_t end = num_keys * (t + 1) / threads;
    for (int64_t i = num_keys * t / threads; i < end; ++i) {
      const size_t bucket = splitters.BucketOf(keys[i]);
      bucket_of[i] = static_cast<uint8_t>(bucket);
      ++counts[bucket];
    }
    of_threads[t] = counts;
  }

  // Where buckets begin in the ascending order; then the places of each.
  std::array<int64_t, kBuckets + 1> begins = {};
  for (int b = 0; b < kBuckets; ++b) {
    begins[b + 1] = begins[b];
    for (const OfBuckets& counts : of_threads) begins[b + 1] += counts[b];
  }
  std::array<absl::Span<const int64_t>, kBuckets> places_of;
  // Buckets to search are gathered.
  std::array<bool, kBuckets> is_searched;
  OfBuckets gathered_at = {};
  int64_t num_gathered = 0;
  auto place = places.begin();
  for (int b = 0; b < kBuckets; ++b) {
    const auto end = std::lower_bound(place, places.end(), begins[b + 1]);
    places_of[b] = absl::MakeConstSpan(place, end);
    place = end;
    is_searched[b] = !places_of[b].empty() && !splitters.IsOneKey(b);
    gathered_at[b] = num_gathered;
    if (is_searched[b]) num_gathered += begins[b + 1] - begins[b];
  }

  // Without branches: each thread writes the keys of all other buckets to one
  // place of its own, apart from those of other threads.
  constexpr int64_t kApart = 16;
  std::vector<double> gathered(num_gathered + kApart * (threads + 1));
  OfBuckets next = gathered_at;
  for (int t = 0; t < threads; ++t) {
    for (int b = 0; b < kBuckets; ++b) {
      const int64_t count = of_threads[t][b];
      of_threads[t][b] =
          is_searched[b] ? next[b] : num_gathered + kApart * (t + 1);
      next[b] += count;
    }
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; ++t) {
    OfBuckets at = of_threads[t];
    const int64_t end = num_keys * (t + 1) / threads;
    for (int64_t i = num_keys * t / threads; i < end; ++i) {
      const int bucket = bucket_of[i];
      gathered[at[bucket]] = keys[i];
      at[bucket] += static_cast<int64_t>(is_searched[bucket]);
    }
  }

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int b = 0; b < kBuckets; ++b) {
    double* const first = gathered.data() + gathered_at[b];
    double* from = first;
    for (const int64_t& of_bucket : places_of[b]) {
      double& key = selected[&of_bucket - places.data()];
      if (!is_searched[b]) {
        key = splitters.Low(b);
        continue;
      }
      double* const at = first + (of_bucket - begins[b]);
      if (at >= from) {
        std::nth_element(from, at, first + (begins[b + 1] - begins[b]));
      }
      from = at + 1;
      key = *at;
    }
  }
  return selected;
}

}  // namespace warpclust
