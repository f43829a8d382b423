// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Two threads of each process of mpirun want to say why the job ends, all at
// once. One line of output and exit code 4 if one of them did.

#include <unistd.h>

#include <memory>
#include <thread>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "base/communicator/mpi/process_ranks.h"

namespace {

[[noreturn]] void Speak() {
  warpclust::ClaimLastWords(/*exit_code=*/5);
  // As if memory ran out meanwhile.
  warpclust::ClaimLastWords(/*exit_code=*/5);
  if (write(STDERR_FILENO, "the last words\n", 15) != 15) _exit(6);
  // Time for others, who should not speak.
  sleep(1);
  warpclust::AbortRanks(4);
}

}  // namespace

int main() {
  const absl::StatusOr<std::unique_ptr<warpclust::Communicator>> ranks =
      warpclust::StartRanks({.timeout_seconds = 40});
  if (!ranks.ok() || !(*ranks)->Barrier().ok()) return 3;
  const std::thread other(Speak);
  Speak();
}
