// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GrowHeapsInLargeSteps: for programs whose threads allocate side by side. Call
// it first in main(); libraries leave the allocator as it is.
//
// The heap of a thread other than the first grows page by page in glibc, each
// time by a system call that stops the page faults of all threads: 16 threads
// made 3,000 of them to read 20 MB of text. Other allocators ignore the call.

#ifndef WARPCLUST_BASE_MACHINE_HEAP_GROWTH_H_
#define WARPCLUST_BASE_MACHINE_HEAP_GROWTH_H_

namespace warpclust {

void GrowHeapsInLargeSteps();

// Gives the system the free pages of all heaps of `num_threads` threads (0: all
// cores) if the process is not small. Call it after a phase that freed much,
// such as reading in blocks: what is free in the heap of one thread serves no
// other thread, nor large allocations.
void GiveBackFreeMemory(int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_HEAP_GROWTH_H_
