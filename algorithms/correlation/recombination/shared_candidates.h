// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Candidates that the ranks of a search exchange (ranked_search.h), so that all
// ranks have the same.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SHARED_CANDIDATES_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SHARED_CANDIDATES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// The candidates of all ranks, in order of ranks; all have as many labels. If
// each rank made those of ItemsOfRank, candidate i of the result is item i.
// Each rank sends 4 bytes per label, and receives those of the others.
absl::StatusOr<std::vector<Candidate>> GatherCandidates(
    Communicator& ranks, std::vector<Candidate> mine);

// After a stop, each rank's step ended at another place: all ranks take the
// candidate of rank 0. Otherwise leaves it. Returns whether there was a stop.
absl::StatusOr<bool> AgreeAfterStop(Communicator& ranks, SearchControl& control,
                                    Candidate* candidate);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SHARED_CANDIDATES_H_
