// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiments of Liu, Gong, Su, Wan, Zhang, Yu, "Improving Density Peaks
// Clustering through GPU acceleration", FGCS 141 (2023), section 6.

#ifndef WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_EXPERIMENTS_H_
#define WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_EXPERIMENTS_H_

#include "absl/status/status.h"
#include "tools/reproduce/data/data_sets.h"
#include "tools/reproduce/frame/lab.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

Paper DensityPeaksPaper();

// Tables 1 to 3, Figures 6 to 11.
absl::Status RunGdpcExperiments(DataSets* sets, Lab* lab);
// Figures 12 to 15.
absl::Status RunIncrementalGdpcExperiments(DataSets* sets, Lab* lab);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DENSITY_PEAKS_EXPERIMENTS_H_
