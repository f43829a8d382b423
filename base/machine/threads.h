// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a number of threads means, the same everywhere: 0 is all cores, a
// positive number that many threads, a negative one an error. Results never
// depend on it.

#ifndef WARPCLUST_BASE_MACHINE_THREADS_H_
#define WARPCLUST_BASE_MACHINE_THREADS_H_

#include <cstdint>

#include "absl/status/status.h"

namespace warpclust {

// InvalidArgument if num_threads is negative.
absl::Status ValidateNumThreads(int num_threads);

// The number of threads to use, at least 1. For 0, the CPUs that this process
// may use, or OMP_NUM_THREADS if that is set. A request is cut to 16 per core
// or 64, whichever is more: OpenMP ends the process if the system gives no more
// threads.
int ResolveThreads(int requested);

// The same, but no more threads than there are `units_per_thread` in `units`:
// less work is not worth a thread.
int ThreadsFor(int64_t units, int64_t units_per_thread, int requested);

// How many units of a loop a thread takes at a time, for schedule(dynamic): a
// 32nd of its share, at least one. With fewer, threads work side by side in
// memory, where each takes the cache lines of the other; with more, some have
// nothing left to do in the end.
int ChunkFor(int64_t units, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_THREADS_H_
