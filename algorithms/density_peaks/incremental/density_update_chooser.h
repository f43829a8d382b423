// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityUpdateChooser: incidental or separate, from what either has cost. The
// paper draws the line at batches of 4 % of the points, where its locks begin
// to hurt (Liu et al. 2023, section 6.2.4); there are no locks here, and where
// the line is depends on machine and data, so it is measured.
//
// Model: the incidental method costs a time for each point of the batch, the
// separate one for each point that stays; both grow with density alike. The
// first two batches try one method each, then the cheaper prediction wins, and
// the other is tried again after 64 batches, or 16 if it is within a factor of
// two, since data drift.
//
// Thread-safety: one thread at a time. Results do not depend on it.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_UPDATE_CHOOSER_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_DENSITY_UPDATE_CHOOSER_H_

#include <cstdint>

#include "algorithms/density_peaks/incremental/incremental_engine.h"

namespace warpclust {

class DensityUpdateChooser {
 public:
  // The method for a batch of this size beside so many other points.
  DensityUpdate Choose(int64_t batch, int64_t others) const;

  // What a batch has cost; sizes of at least 1.
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
