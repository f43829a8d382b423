// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunOnThreads: a job whose ranks are threads of this process. For tests, and
// for measuring what a distributed algorithm sends on up to 64 ranks.
//
//   const absl::Status status = RunOnThreads(4, [&](Communicator& ranks) {
//     ASSIGN_OR_RETURN(graphs[ranks.rank()], Distributed(ranks, ...));
//     return absl::OkStatus();
//   });

#ifndef WARPCLUST_BASE_COMMUNICATOR_THREAD_RANKS_H_
#define WARPCLUST_BASE_COMMUNICATOR_THREAD_RANKS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/communicator/communicator.h"

namespace warpclust {

// Calls `run` for each of `num_ranks` ranks, for rank 0 on this thread and for
// each other one on a thread of its own, and waits for all.
// Returns OK if all do, otherwise the error that came first. From then on the
// calls of other ranks return it too, and a call that waits for a rank which
// has returned is an error, so that no rank waits forever for one that ended.
// Sets bytes_sent, if given, to what each rank sent. InvalidArgument unless
// num_ranks is in [1, 1024].
absl::Status RunOnThreads(int num_ranks,
                          absl::FunctionRef<absl::Status(Communicator&)> run,
                          std::vector<int64_t>* bytes_sent = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_COMMUNICATOR_THREAD_RANKS_H_
