// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Correlation clustering (algorithms/correlation) of the determinism report.

#ifndef WARPCLUST_TOOLS_DETERMINISM_CORRELATION_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_CORRELATION_RUNS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// GRASP, ILS and ours, each for a number of iterations and without a time
// limit: such a run is promised to be the same. What a run did besides (starts
// made) is not.
absl::Status RunCorrelation(const SignedInput& input, uint64_t seed,
                            DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_CORRELATION_RUNS_H_
