// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The GPU memory of this process. The build chooses the implementation: with
// --config=cuda or without.

#ifndef WARPCLUST_TOOLS_CLI_PROCESS_DEVICE_MEMORY_H_
#define WARPCLUST_TOOLS_CLI_PROCESS_DEVICE_MEMORY_H_

#include <cstdint>

namespace warpclust {

// The most bytes held at once on one GPU; 0 if nothing ran there.
int64_t PeakDeviceBytes();

// From now on the process behaves as if each GPU had this much memory.
void LimitDeviceBytes(int64_t bytes);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROCESS_DEVICE_MEMORY_H_
