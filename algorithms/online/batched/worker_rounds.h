// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WorkInRounds: threads that work together in short rounds, with a step on one
// thread between two of them.
//
// The threads live for all rounds and sleep where they wait. OpenMP's spin
// there, and keep a core that is shared from what they wait for.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_WORKER_ROUNDS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_WORKER_ROUNDS_H_

#include "absl/functional/function_ref.h"

namespace warpclust {

// Calls prepare() on the calling thread and then work(thread, threads) on each
// of `threads` threads, of which number 0 is the calling one, until prepare
// gives false. Nothing else runs during prepare, which sees all that the round
// before has written, as the round does of it. Neither may throw. If the system
// has fewer threads to give, work is told how many there are: at least 1.
void WorkInRounds(int threads, absl::FunctionRef<bool()> prepare,
                  absl::FunctionRef<void(int thread, int threads)> work);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_WORKER_ROUNDS_H_
