// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CopyToDevice: packed points become the doubles of DevicePoints.

#ifndef WARPCLUST_VPTREE_POINTS_DEVICE_PACKED_POINTS_H_
#define WARPCLUST_VPTREE_POINTS_DEVICE_PACKED_POINTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/packed_points.h"

namespace warpclust {

// Writes the coordinates over `values` from `offset` on. Floats become doubles
// on the GPU, piece by piece. Errors as DeviceBuffer::FromHost.
absl::Status CopyToDevice(const PackedRows& rows, int64_t offset,
                          DeviceBuffer<double>& values);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_DEVICE_PACKED_POINTS_H_
