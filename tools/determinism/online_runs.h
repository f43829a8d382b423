// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Online clustering (algorithms/online) of the determinism report.

#ifndef WARPCLUST_TOOLS_DETERMINISM_ONLINE_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_ONLINE_RUNS_H_

#include "absl/status/status.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// Every exact method, with thresholds of 0.1 and 0.5, and with clusters that
// expire and merge. The column `batch` is the documents a batch where the
// method has batches, and those a call of Add elsewhere: both must not matter.
// One way changes from one method to another by the state between.
absl::Status RunOnline(const StreamInput& input, DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_ONLINE_RUNS_H_
