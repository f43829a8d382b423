// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunInTeams: few items that run side by side, each on several threads. OpenMP
// runs a parallel region inside another one on a single thread; here each team
// has threads of its own.
//
//   RunInTeams(chains.size(), teams, threads, [&](int64_t i, int threads) {
//     Run(threads, &chains[i]);
//   });

#ifndef WARPCLUST_BASE_MACHINE_TEAMS_H_
#define WARPCLUST_BASE_MACHINE_TEAMS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace warpclust {

// Calls run(item, threads of its team) once for each item in [0, count), in any
// order and from `teams` threads, at least 1. The teams share num_threads, at
// least as many, which are OpenMP's: run may have parallel regions. With more
// than one thread, call it outside of such a region. If the system gives fewer
// threads, fewer teams do the work.
void RunInTeams(int64_t count, int teams, int num_threads,
                absl::FunctionRef<void(int64_t item, int threads)> run);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_TEAMS_H_
