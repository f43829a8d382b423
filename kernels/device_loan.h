// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceLoan: a copy of memory of a GPU that other GPUs of the host, also those
// of other processes, can read at the speed of the links between them. It needs
// no start, as NCCL does.
//
//   // The lender, which keeps `loan` until all have copied:
//   ASSIGN_OR_RETURN(const DeviceLoan loan, DeviceLoan::Make(data, bytes));
//   // Others, with loan.memory() by a message:
//   RETURN_IF_ERROR(CopyLent(memory, to));

#ifndef WARPCLUST_KERNELS_DEVICE_LOAN_H_
#define WARPCLUST_KERNELS_DEVICE_LOAN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/lent_memory.h"

namespace warpclust {

class DeviceLoan {
 public:
  // Copies `bytes` > 0 of the current GPU. The copy counts neither for
  // DeviceMemoryInUseBytes nor for its limit. ResourceExhausted if memory runs
  // out, other errors as LendMemory.
  static absl::StatusOr<DeviceLoan> Make(const void* data, int64_t bytes);
  ~DeviceLoan();
  DeviceLoan(DeviceLoan&& other) noexcept;
  DeviceLoan& operator=(DeviceLoan&& other) noexcept;

  const LentMemory& memory() const { return memory_; }

 private:
  DeviceLoan() = default;

  void* copy_ = nullptr;
  LentMemory memory_;
};

// Copies all of it to `to`, of the current GPU, and waits. Errors as OpenLent.
absl::Status CopyLent(const LentMemory& lent, void* to);

// For memory that others read where it is: `bytes` that begin a piece of
// cudaMalloc, as the pool of DeviceBuffer has no such handles. They must not be
// freed while another process has them open. Unavailable if the system does not
// name the host.
absl::StatusOr<LentMemory> LendMemory(const void* memory, int64_t bytes);

// Where the current GPU reads it, until CloseLent, which memory of this process
// does not need. Unavailable if it is on another host; other errors if the GPU
// cannot read it.
absl::StatusOr<const void*> OpenLent(const LentMemory& lent);
void CloseLent(const void* opened);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_LOAN_H_
