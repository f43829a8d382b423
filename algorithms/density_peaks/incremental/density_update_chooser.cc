// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/incremental/density_update_chooser.h"

#include <algorithm>

namespace warpclust {
namespace {

constexpr int64_t kStale = 64;
// For predictions within a factor of two.
constexpr int64_t kStaleIfClose = 16;

}  // namespace

DensityUpdate DensityUpdateChooser::Choose(int64_t batch,
                                           int64_t others) const {
  if (incidental_.seconds_each < 0) return DensityUpdate::kIncidental;
  if (separate_.seconds_each < 0) return DensityUpdate::kSeparate;
  const double incidental =
      incidental_.seconds_each * static_cast<double>(batch);
  const double separate = separate_.seconds_each * static_cast<double>(others);
  const bool incidental_wins = incidental <= separate;
  const Cost& other = incidental_wins ? separate_ : incidental_;
  const bool close =
      std::max(incidental, separate) < 2 * std::min(incidental, separate);
  if (other.batches_ago >= (close ? kStaleIfClose : kStale)) {
    return incidental_wins ? DensityUpdate::kSeparate
                           : DensityUpdate::kIncidental;
  }
  return incidental_wins ? DensityUpdate::kIncidental
                         : DensityUpdate::kSeparate;
}

void DensityUpdateChooser::Record(DensityUpdate method, int64_t batch,
                                  int64_t others, double seconds) {
  ++incidental_.batches_ago;
  ++separate_.batches_ago;
  const bool incidental = method == DensityUpdate::kIncidental;
  Cost& cost = incidental ? incidental_ : separate_;
  const double each = seconds / static_cast<double>(std::max<int64_t>(
                                    1, incidental ? batch : others));
  // The mean with the old value: one slow batch does not decide the next 64.
  cost.seconds_each =
      cost.seconds_each < 0 ? each : (cost.seconds_each + each) / 2;
  cost.batches_ago = 0;
}

}  // namespace warpclust
