// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiments of González-Soler, Pérez-Suárez, Chang, "Static and
// Incremental Overlapping Clustering Algorithms for Large Collections
// Processing in GPU", Informatica 41 (2017), section 4.

#ifndef WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_EXPERIMENTS_H_
#define WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_EXPERIMENTS_H_

#include "absl/status/status.h"
#include "tools/reproduce/data/data_sets.h"
#include "tools/reproduce/frame/lab.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

Paper OClustRPaper();

// Table 3 and the static algorithms: Table 4 and Figure 17.
absl::Status RunStaticExperiments(DataSets* sets, Lab* lab);
// The incremental algorithms: Table 5, Figures 18 and 19.
absl::Status RunIncrementalExperiments(DataSets* sets, Lab* lab);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_OCLUSTR_EXPERIMENTS_H_
