// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeakDeviceBytes: the most GPU memory this process has held at once, for the
// summary. Two implementations, chosen by the build: with --config=cuda, and
// without. Thread-safe.

#ifndef WARPCLUST_TOOLS_DEVICE_PEAK_H_
#define WARPCLUST_TOOLS_DEVICE_PEAK_H_

#include <cstdint>

namespace warpclust {

// 0 if nothing ran on a GPU.
int64_t PeakDeviceBytes();

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DEVICE_PEAK_H_
