// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The ranks of a job as processes, started by mpirun, mpiexec or srun, which
// exchange messages by MPI. Builds with --config=mpi have MPI; others know only
// a single rank.
//
//   ASSIGN_OR_RETURN(std::unique_ptr<Communicator> ranks, StartRanks(options));
//   const absl::Status status = Work(*ranks);
//   if (!status.ok()) AbortRanks(exit_code);
//   FinishRanks();
//
// A process that was not started by one of these programs is a single rank, and
// never calls MPI. Waiting for a message takes little of a processor, so ranks
// may outnumber the cores.

#ifndef WARPCLUST_BASE_COMMUNICATOR_MPI_PROCESS_RANKS_H_
#define WARPCLUST_BASE_COMMUNICATOR_MPI_PROCESS_RANKS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"

namespace warpclust {

struct ProcessRanksOptions {
  // A message that takes longer is Unavailable: its rank is taken for lost. 0:
  // wait forever.
  double timeout_seconds = 3600;
};

// Whether this build has MPI.
bool HasMpi();

// What the environment says: this process is rank `rank` of `size`. {0, 1} if
// it says nothing.
struct LaunchedRank {
  int rank = 0;
  int size = 1;
};
LaunchedRank LaunchedAs();
// Whether Open MPI's mpirun says that all ranks are on this host.
bool LaunchedOnOneHost();
// How many ranks the environment says are on this host; 0 if it does not say.
int NumLaunchedHere();

// The ranks of this job; once per process, before there are other threads.
// Unavailable if several were started and this build has no MPI, or MPI cannot
// start. Calls of different threads must not overlap. If all ranks are on one
// host, Open MPI does not look for networks, which takes 0.2 s or more, unless
// OMPI_MCA_pml is set; files of its parameters do not count then. Unless
// HWLOC_COMPONENTS is set, it does not list GPUs either.
absl::StatusOr<std::unique_ptr<Communicator>> StartRanks(
    const ProcessRanksOptions& options = {});

// Ends the use of MPI, once all ranks call it; nothing without MPI.
void FinishRanks();

// Returns to the first thread that calls it, among all processes of a host,
// each time: it may say why the job ends, and one message is enough. All others
// wait to be ended with the job, and end their process with this exit code
// after a minute. It takes no memory. Where ranks cannot share memory it always
// returns.
void ClaimLastWords(int exit_code);

// Ends this process and, with MPI, those of all other ranks with this exit
// code, which mpirun takes over.
[[noreturn]] void AbortRanks(int exit_code);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_COMMUNICATOR_MPI_PROCESS_RANKS_H_
