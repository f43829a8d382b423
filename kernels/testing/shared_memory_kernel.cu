// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "kernels/testing/shared_memory_kernel.h"

namespace warpclust {
namespace {

// By one block.
__global__ void Kernel(int bytes, int* out) {
  extern __shared__ unsigned char dynamic[];
  __shared__ int count[kStaticSharedBytes / sizeof(int)];
  if (threadIdx.x == 0) count[0] = 0;
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) {
    dynamic[i] = static_cast<unsigned char>(i % 251);
  }
  __syncthreads();
  int right = 0;
  for (int i = threadIdx.x; i < bytes; i += blockDim.x) {
    right += dynamic[bytes - 1 - i] == (bytes - 1 - i) % 251 ? 1 : 0;
  }
  atomicAdd(&count[0], right);
  __syncthreads();
  if (threadIdx.x == 0) *out = count[0];
}

}  // namespace

SharedMemoryKernel GetSharedMemoryKernel() { return &Kernel; }

}  // namespace warpclust
