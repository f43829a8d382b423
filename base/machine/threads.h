// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How many threads a request means. The same everywhere: num_threads is 0 for
// all cores, at least 1 for that many; a negative number is an error. Results
// never depend on it.

#ifndef WARPCLUST_BASE_MACHINE_THREADS_H_
#define WARPCLUST_BASE_MACHINE_THREADS_H_

#include "absl/status/status.h"

namespace warpclust {

// InvalidArgument if num_threads is negative.
absl::Status ValidateNumThreads(int num_threads);

// At least 1. `requested` itself if positive; 0 is all cores: the CPUs that
// this process may use, or OMP_NUM_THREADS if that is set. More than 16 threads
// a core, and more than 64, count as that many: OpenMP ends the process when
// the system has no more threads to give. Thread-safe.
int ResolveThreads(int requested);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_THREADS_H_
