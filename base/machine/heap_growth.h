// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How malloc gets memory from the system, for programs: libraries leave the
// allocator as it is. Other allocators than glibc's ignore the calls.
//
// GrowHeapsInLargeSteps: for programs whose threads allocate side by side. Call
// it first in main().
//
// The heap of a thread other than the first grows page by page in glibc, each
// time by a system call that stops the page faults of all threads: 16 threads
// made 3,000 of them to read 20 MB of text.
//
// KeepFreedMemory: for phases that allocate large arrays one after the other.
// From then on malloc returns nothing to the system, so that an array gets the
// pages of those freed before, which are there; of the first thread of the
// process, since glibc maps arrays of more than 64 MiB of others by themselves.
// Fresh pages cost 0.2 to 0.5 s per GB on a virtual machine.
//
// FetchMemory: takes and frees `bytes` of memory, touched by `num_threads`
// threads, for a program that has called KeepFreedMemory and waits for
// something else.

#ifndef WARPCLUST_BASE_MACHINE_HEAP_GROWTH_H_
#define WARPCLUST_BASE_MACHINE_HEAP_GROWTH_H_

#include <cstdint>

namespace warpclust {

void GrowHeapsInLargeSteps();
void KeepFreedMemory();
void FetchMemory(int64_t bytes, int num_threads);

// Gives the system the free pages of all heaps of `num_threads` threads (0: all
// cores) if the process is not small and does not keep freed memory. Call it
// after a phase that freed much, such as reading in blocks: what is free in the
// heap of one thread serves no other thread, nor large allocations.
void GiveBackFreeMemory(int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_HEAP_GROWTH_H_
