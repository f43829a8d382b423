// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Process ranks in builds without MPI.

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "base/communicator/mpi/process_ranks.h"

namespace warpclust {

bool HasMpi() { return false; }

absl::StatusOr<std::unique_ptr<Communicator>> StartRanks(
    const ProcessRanksOptions&) {
  const LaunchedRank launched = LaunchedAs();
  if (launched.size > 1) {
    return absl::UnavailableError(absl::StrCat(
        "expected one process, found ", launched.size,
        " ranks: this build has no MPI (build with --config=mpi)"));
  }
  return std::make_unique<SingleRank>();
}

void FinishRanks() {}

void ClaimLastWords(int) {}

void AbortRanks(int exit_code) { _exit(exit_code); }

}  // namespace warpclust
