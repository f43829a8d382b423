// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The GPU memory of this process: how much it may hold, for --device_memory,
// and the most it has held at once, for the summary. Two implementations,
// chosen by the build: with --config=cuda, and without. Thread-safe.

#ifndef WARPCLUST_TOOLS_CLI_DEVICE_MEMORY_H_
#define WARPCLUST_TOOLS_CLI_DEVICE_MEMORY_H_

#include <cstdint>

namespace warpclust {

// 0 if nothing ran on a GPU.
int64_t PeakDeviceBytes();

// Not more than that from now on, as if the GPU had no more.
void LimitDeviceBytes(int64_t bytes);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_DEVICE_MEMORY_H_
