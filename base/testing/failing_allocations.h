// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunWithoutMemory: for tests of the promise that host memory that runs out is
// an error, never the end of the process. An exception that leaves an OpenMP
// region, a thread or a destructor is that end: then the test dies.
//
//   RunWithoutMemory([&] {
//     const auto result = CompareCovers(truth, clusters, n, 3);
//   });
//
// A program that links this has an operator new of its own. Not thread-safe:
// one call at a time; the job's own threads run out of memory together.

#ifndef WARPCLUST_BASE_TESTING_FAILING_ALLOCATIONS_H_
#define WARPCLUST_BASE_TESTING_FAILING_ALLOCATIONS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace warpclust {

// Runs `job` with no memory for operator new, then with memory for the first
// allocation, for the first two, and so on (in growing steps after some
// hundred) until it has all that it asks for. Each run has to return or to
// throw std::bad_alloc. Returns how many runs were short of memory. Where
// operator new cannot be replaced (some sanitizers have their own) it runs
// once, with all memory, and the answer is -1. `job` does the same each time,
// and no expectations of the test.
int64_t RunWithoutMemory(absl::FunctionRef<void()> job);

// The same for a call that makes a Status of it, for whose message there is to
// be memory: one allocation fails, the first, then the second, and so on, and
// those after it do not. Expects (GoogleTest) ResourceExhausted until it gives
// OK, and that to take more than `least` allocations: at fewer, nothing would
// have been tried. `call` throws nothing; where operator new cannot be replaced
// it runs once, with all memory.
void ExpectStatusWhereverMemoryEnds(int64_t least,
                                    absl::FunctionRef<absl::Status()> call);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_FAILING_ALLOCATIONS_H_
