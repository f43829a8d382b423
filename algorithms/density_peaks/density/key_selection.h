// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SelectKey: the k-th smallest of many keys that are computed when they are
// asked for, not stored. Bounds on it, from a sample of the keys, say which few
// of them to keep. If the bounds are wrong, a second pass corrects them, so the
// result is exact.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_KEY_SELECTION_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_KEY_SELECTION_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace warpclust {

// What a pass over keys, or a thread's part of it, finds out: the keys in [low,
// high], and the number of those below.
class KeysBetween {
 public:
  KeysBetween(double low, double high) : low_(low), high_(high) {}

  void Take(absl::Span<const double> keys);
  // Adds what others found, on `num_threads` threads, and empties those.
  void Merge(absl::Span<KeysBetween> others, int num_threads);
  // Replaces what was found, by what several parts found together.
  void Replace(int64_t num_below, std::vector<double> kept) {
    num_below_ = num_below;
    kept_ = std::move(kept);
    num_kept_ = kept_.size();
  }

  double low() const { return low_; }
  double high() const { return high_; }
  int64_t num_below() const { return num_below_; }
  int64_t num_kept() const { return static_cast<int64_t>(num_kept_); }
  // In no special order.
  absl::Span<double> kept() { return absl::MakeSpan(kept_).first(num_kept_); }

 private:
  double low_;
  double high_;
  int64_t num_below_ = 0;
  size_t num_kept_ = 0;
  std::vector<double> kept_;  // may be longer
};

struct KeyBounds {
  double low;
  double high;
};

// Bounds on the key that is `index`-th smallest, from 0, of `num_keys`: right
// with a probability near 1 if `sample` was drawn at random from them. Reorders
// `sample`.
KeyBounds BoundsFromSample(int64_t index, int64_t num_keys,
                           absl::Span<double> sample);

// The key that is `index`-th smallest, from 0. `pass` gives all keys, the same
// ones each time, to its argument; it is called once, or twice if `bounds` are
// wrong. Errors of `pass`.
absl::StatusOr<double> SelectKey(
    int64_t index, KeyBounds bounds,
    absl::FunctionRef<absl::Status(KeysBetween*)> pass);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_KEY_SELECTION_H_
