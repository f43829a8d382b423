// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustR (algorithms/oclustr) of the determinism report.

#ifndef WARPCLUST_TOOLS_DETERMINISM_OCLUSTR_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_OCLUSTR_RUNS_H_

#include "absl/status/status.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// Relevances of the vertices, and the clusters, from documents at once and from
// their graph; tf and tf-idf.
absl::Status RunOClustR(const DocumentsInput& input, DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_OCLUSTR_RUNS_H_
