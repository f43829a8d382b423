// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/tensor/tensor_map.h"

namespace warpclust {

absl::StatusOr<CUtensorMap> RowsTensorMap(const void* rows, int64_t num_rows,
                                          int64_t row_bytes, int box_rows) {
  // By the runtime, so that programs link no driver library.
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  RETURN_IF_ERROR(CudaStatus(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                       cudaEnableDefault, &found),
      "tensor maps"));
  if (found != cudaDriverEntryPointSuccess) {
    return absl::UnavailableError("expected a driver that has tensor maps");
  }
  const auto encode =
      reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  const cuuint64_t sizes[] = {static_cast<cuuint64_t>(row_bytes),
                              static_cast<cuuint64_t>(num_rows)};
  const cuuint64_t strides[] = {static_cast<cuuint64_t>(row_bytes)};
  const cuuint32_t box[] = {128, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t steps[] = {1, 1};
  CUtensorMap map;
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, const_cast<void*>(rows),
             sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    return absl::InternalError(absl::StrCat("tensor map of ", num_rows,
                                            " rows of ", row_bytes,
                                            " bytes: CUDA error ", result));
  }
  return map;
}

}  // namespace warpclust
