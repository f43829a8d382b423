// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The experiments of Levorato, Drummond, Frota, Figueiredo, "A GPU-accelerated
// local search algorithm for the Correlation Clustering problem", SBPO (2015),
// section 4 and Figure 1.

#ifndef WARPCLUST_TOOLS_REPRODUCE_CORRELATION_EXPERIMENTS_H_
#define WARPCLUST_TOOLS_REPRODUCE_CORRELATION_EXPERIMENTS_H_

#include "absl/status/status.h"
#include "tools/reproduce/data/data_sets.h"
#include "tools/reproduce/frame/lab.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {

Paper CorrelationPaper();

absl::Status RunCorrelationExperiments(DataSets* sets, Lab* lab);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_CORRELATION_EXPERIMENTS_H_
