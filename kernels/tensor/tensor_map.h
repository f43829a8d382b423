// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RowsTensorMap: rows of bytes in device memory as the copy engine of compute
// capability 9.0 reads them. For .cu files; kernels take the map as a
// __grid_constant__ parameter (kernels/tensor/warpgroup.cuh).

#ifndef WARPCLUST_KERNELS_TENSOR_TENSOR_MAP_H_
#define WARPCLUST_KERNELS_TENSOR_TENSOR_MAP_H_

#include <cuda.h>

#include <cstdint>

#include "absl/status/statusor.h"

namespace warpclust {

// Boxes of 128 bytes of `box_rows` (at most 256) rows, swizzled; what lies
// beyond a row's end is zero. `rows` and `row_bytes` are multiples of 16.
absl::StatusOr<CUtensorMap> RowsTensorMap(const void* rows, int64_t num_rows,
                                          int64_t row_bytes, int box_rows);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TENSOR_TENSOR_MAP_H_
