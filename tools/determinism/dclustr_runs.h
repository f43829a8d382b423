// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustR (algorithms/dclustr) of the determinism report.

#ifndef WARPCLUST_TOOLS_DETERMINISM_DCLUSTR_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_DCLUSTR_RUNS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// Exact mode, with tf and with tf-idf that is reweighted in the end: OClustR
// and stores of every history (dclustr_history.h) are one group. By the paper's
// rules: a group each history, since clusters depend on it. Stores are made in
// the directory `scratch`, which exists, one after the other.
absl::Status RunDClustR(const DocumentsInput& input, absl::string_view scratch,
                        DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_DCLUSTR_RUNS_H_
