// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityUpdateChooser: incidental or separate, by what both have cost. The
// paper draws the line at batches of 4 % of the points, where its locks begin
// to hurt (Liu et al. 2023, section 6.2.4). There are no locks here, and the
// line depends on machine and data, so it is measured.
//
// Model: the incidental method costs a time per point of the batch, the
// separate method a time per point that stays; both grow with density alike.
// The first two batches try one method each, then the cheaper prediction wins.
// Since data drift, the other method is tried again after 64 batches, or after
// 16 if its prediction is within a factor of two.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_UPDATE_CHOOSER_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_UPDATE_CHOOSER_H_

#include <cstdint>

#include "algorithms/density_peaks/incremental/incremental_engine.h"

namespace warpclust {

class DensityUpdateChooser {
 public:
  // The method for a batch of this size, given the number of other points.
  DensityUpdate Choose(int64_t batch, int64_t others) const;

  // Learns what a batch has cost; sizes of at least 1.
  void Record(DensityUpdate method, int64_t batch, int64_t others,
              double seconds);

 private:
  struct Cost {
    double seconds_each = -1;  // Negative: not known yet.
    int64_t batches_ago = 0;
  };
  Cost incidental_;
  Cost separate_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_UPDATE_CHOOSER_H_
