// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/memory/device_buffer.h"
#include "tools/cli/process/device_memory.h"

namespace warpclust {

int64_t PeakDeviceBytes() { return DeviceMemoryPeakBytes(); }

void LimitDeviceBytes(int64_t bytes) { SetDeviceMemoryLimit(bytes); }

}  // namespace warpclust
