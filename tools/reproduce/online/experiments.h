// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiments of Teitler, Sankaranarayanan, Samet, "Online Document
// Clustering Using the GPU", University of Maryland (2010), sections 1 and 5.
// The paper does not number its graphs; here they are 1 to 4 in its order.

#ifndef WARPCLUST_TOOLS_REPRODUCE_ONLINE_EXPERIMENTS_H_
#define WARPCLUST_TOOLS_REPRODUCE_ONLINE_EXPERIMENTS_H_

#include "absl/status/status.h"
#include "tools/reproduce/data/data_sets.h"
#include "tools/reproduce/frame/lab.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

Paper OnlinePaper();

absl::Status RunOnlineExperiments(DataSets* sets, Lab* lab);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_ONLINE_EXPERIMENTS_H_
