// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/device_memory.h"

namespace warpclust {

int64_t PeakDeviceBytes() { return 0; }

void LimitDeviceBytes(int64_t) {}

}  // namespace warpclust
