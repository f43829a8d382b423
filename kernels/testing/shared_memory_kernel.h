// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_KERNELS_TESTING_SHARED_MEMORY_KERNEL_H_
#define WARPCLUST_KERNELS_TESTING_SHARED_MEMORY_KERNEL_H_

namespace warpclust {

// A kernel with kStaticSharedBytes of shared memory of its own. It sets *out to
// the number of the dynamic bytes, which it writes and reads.
inline constexpr int kStaticSharedBytes = 1024;
using SharedMemoryKernel = void (*)(int bytes, int* out);
SharedMemoryKernel GetSharedMemoryKernel();

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TESTING_SHARED_MEMORY_KERNEL_H_
