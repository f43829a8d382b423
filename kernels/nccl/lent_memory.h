// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LentMemory: where other GPUs of a host, also those of other processes, find
// memory of a GPU that one of them lends, by CUDA's IPC. They read it at the
// speed of the links between them, and it needs no start, as NCCL does. Travels
// as bytes.

#ifndef WARPCLUST_KERNELS_NCCL_LENT_MEMORY_H_
#define WARPCLUST_KERNELS_NCCL_LENT_MEMORY_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"

namespace warpclust {

// Names a host and its space of process numbers; all zero if the system does
// not tell.
using HostMark = std::array<char, 64>;

struct LentMemory {
  HostMark host = {};
  int64_t process = 0;
  // In that process.
  uint64_t address = 0;
  // For other processes.
  std::array<char, 64> handle = {};
  int64_t bytes = 0;
};

// `bytes` that begin a piece of cudaMalloc, as the pool of DeviceBuffer has no
// such handles. They must not be freed while another process has them open.
// Unavailable if the system does not name the host.
absl::StatusOr<LentMemory> LendMemory(const void* memory, int64_t bytes);

// Where the current GPU reads it. Unavailable if it is on another host; other
// errors if the GPU cannot read it.
absl::StatusOr<const void*> OpenLent(const LentMemory& lent);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_LENT_MEMORY_H_
