// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WorkInRounds: threads that work together in short rounds, with a step on one
// thread between rounds.
//
// The threads live for all rounds and sleep while they wait. OpenMP's threads
// spin there, which on a shared core delays what they wait for.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_WORKER_ROUNDS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_WORKER_ROUNDS_H_

#include "absl/functional/function_ref.h"

namespace warpclust {

// Repeats a round until prepare() returns false: calls prepare() on the calling
// thread, then work(thread, threads) on each of `threads` threads, of which
// number 0 is the calling one. prepare() runs alone and sees everything that
// the round before has written. Neither may throw. If the system grants fewer
// threads, `threads` in work is their number, at least 1.
void WorkInRounds(int threads, absl::FunctionRef<bool()> prepare,
                  absl::FunctionRef<void(int thread, int threads)> work);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_WORKER_ROUNDS_H_
