// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KeysAtPlaces: the keys at several places of the ascending order of many keys,
// which are not sorted. Splitters from a sample divide the keys into buckets.
// Only the buckets that hold a place are searched, each by one thread.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_KEYS_AT_PLACES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_KEYS_AT_PLACES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace warpclust {

// `places` ascend, from 0, and are below the number of keys; no key is NaN.
// `num_threads`: 0 is all cores. Expected O(n / threads) for n keys and few
// places, also if many keys are equal.
std::vector<double> KeysAtPlaces(absl::Span<const double> keys,
                                 absl::Span<const int64_t> places,
                                 int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_KEYS_AT_PLACES_H_
