// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ResolveThreads: how many threads a request means. Results never depend on
// the number.

#ifndef WARPCLUST_BASE_MACHINE_THREADS_H_
#define WARPCLUST_BASE_MACHINE_THREADS_H_

namespace warpclust {

// At least 1. `requested` itself if positive; 0 (or less) is all cores: the
// CPUs that this process may use, or OMP_NUM_THREADS if that is set. More than
// 16 threads a core, and more than 64, count as that many: OpenMP ends the
// process when the system has no more threads to give. Thread-safe.
int ResolveThreads(int requested);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_THREADS_H_
