// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Evaluation measures (eval) of the determinism report. They are of the CPU.

#ifndef WARPCLUST_TOOLS_DETERMINISM_EVALUATION_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_EVALUATION_RUNS_H_

#include "absl/status/status.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// Every measure, of overlapping clusters against the labels of the documents
// and against other clusters, and of two partitions of the stream.
absl::Status RunEvaluation(const DocumentsInput& documents,
                           const StreamInput& stream,
                           DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_EVALUATION_RUNS_H_
