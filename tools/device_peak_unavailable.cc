// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/device_peak.h"

namespace warpclust {

int64_t PeakDeviceBytes() { return 0; }

}  // namespace warpclust
