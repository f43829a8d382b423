// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SweepStep: what a run with one threshold gives, as --sweep prints it and
// pages draw it.

#ifndef WARPCLUST_TOOLS_REPORT_SWEEP_STEP_H_
#define WARPCLUST_TOOLS_REPORT_SWEEP_STEP_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct SweepStep {
  Decimal threshold;
  int64_t edges = 0;
  int64_t clusters = 0;
  // Clusters of one document.
  int64_t alone = 0;
  // The share of the documents that are in a cluster of two or more.
  double coverage = 0;
  // Memberships per document.
  double overlap = 0;
  // The mean of the inner cosines (eval/describe/cluster_descriptions.h) of the
  // clusters of two or more; none without such clusters.
  absl::optional<double> inner_cosine;
  // FBCubed (eval/bcubed.h) of these clusters and those of the next threshold;
  // none for the last.
  absl::optional<double> agreement;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_SWEEP_STEP_H_
