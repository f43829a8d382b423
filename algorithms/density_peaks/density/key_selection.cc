// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/key_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Standard deviations from the expected place in the sample to the bounds.
constexpr double kDeviations = 6;

constexpr int64_t kKeysPerThread = 1 << 14;

}  // namespace

void KeysBetween::Take(absl::Span<const double> keys) {
  if (kept_.size() < num_kept_ + keys.size()) {
    ResizeVector(static_cast<int64_t>(2 * kept_.size() + keys.size()),
                 /*num_threads=*/1, &kept_);
  }
  // Without branches: each key is written, and the next one over it if it was
  // not to be kept.
  double* const kept = kept_.data();
  size_t num_kept = num_kept_;
  for (const double key : keys) {
    num_below_ += key < low_;
    kept[num_kept] = key;
    num_kept += static_cast<size_t>(static_cast<int>(key >= low_) &
                                    static_cast<int>(key <= high_));
  }
  num_kept_ = num_kept;
}

void KeysBetween::Merge(absl::Span<KeysBetween> others, int num_threads) {
  kept_.resize(num_kept_);
  std::vector<int64_t> begins;
  for (KeysBetween& other : others) {
    num_below_ += other.num_below_;
    if (num_kept_ == 0) {  // One copy less.
      kept_.swap(other.kept_);
      std::swap(num_kept_, other.num_kept_);
    }
    begins.push_back(num_kept());
    num_kept_ += other.num_kept_;
  }
  const int threads = ThreadsFor(num_kept(), kKeysPerThread, num_threads);
  ResizeVector(num_kept(), threads, &kept_);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (size_t i = 0; i < others.size(); ++i) {
    std::copy_n(others[i].kept_.data(), others[i].num_kept_,
                kept_.data() + begins[i]);
    others[i] = KeysBetween(low_, high_);
  }
}

KeyBounds BoundsFromSample(int64_t index, int64_t num_keys,
                           absl::Span<double> sample) {
  const double size = static_cast<double>(sample.size());
  const double share =
      (static_cast<double>(index) + 0.5) / static_cast<double>(num_keys);
  const double place = share * size;
  const double distance =
      kDeviations * std::sqrt(place * (1 - share)) + kDeviations;
  KeyBounds bounds = {-kInfinity, kInfinity};
  auto rest = sample.begin();
  if (place - distance >= 0) {
    rest += static_cast<int64_t>(place - distance);
    std::nth_element(sample.begin(), rest, sample.end());
    bounds.low = *rest;
  }
  if (place + distance < size) {
    const auto high = sample.begin() + static_cast<int64_t>(place + distance);
    std::nth_element(rest, high, sample.end());
    bounds.high = *high;
  }
  return bounds;
}

absl::StatusOr<double> SelectKey(
    int64_t index, KeyBounds bounds,
    absl::FunctionRef<absl::Status(KeysBetween*)> pass) {
  for (;;) {
    KeysBetween keys(bounds.low, bounds.high);
    RETURN_IF_ERROR(pass(&keys));
    const int64_t place = index - keys.num_below();
    if (place < 0) {
      bounds = {-kInfinity, bounds.low};
    } else if (place >= keys.num_kept()) {
      bounds = {bounds.high, kInfinity};
    } else {
      const absl::Span<double> kept = keys.kept();
      std::nth_element(kept.begin(), kept.begin() + place, kept.end());
      return kept[static_cast<size_t>(place)];
    }
  }
}

}  // namespace warpclust
