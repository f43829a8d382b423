// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A StartRunner that deals the starts to the ranks of a job, each of which has
// a runner of its own. All ranks get all results.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_RANKED_STARTS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_RANKED_STARTS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/starts/starts.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// `runner` is this rank's. A Run sends 16 bytes per start, and the labels of
// those starts that are better than all before them. `ranks` must outlive the
// result. Errors of the communicator.
absl::StatusOr<std::unique_ptr<StartRunner>> NewRankedStartRunner(
    std::unique_ptr<StartRunner> runner, Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_RANKED_STARTS_H_
