// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ScatterByteRows: rows of 8-bit digits to their places in the rows that the
// dense cosine join reads
// (graph/cosine/dense/cuda/device_dense_documents_cuda.h).

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_CUDA_BYTE_ROWS_CUDA_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_CUDA_BYTE_ROWS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// Some rows on the device: row i of these is to be row numbers[i].
struct StagedByteRows {
  DeviceBuffer<int8_t> digits;
  DeviceBuffer<DenseScale> scales;
  DeviceBuffer<int32_t> numbers;
};

// Copies the first `count` of `staged` to their places in `to`, where there is
// room for them. The numbers differ. Runs on the default stream.
absl::Status ScatterByteRows(const StagedByteRows& staged, int64_t count,
                             DeviceDenseDocuments* to);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_CUDA_BYTE_ROWS_CUDA_H_
