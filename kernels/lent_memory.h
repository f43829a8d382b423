// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LentMemory: where other processes of a host find memory of a GPU that one of
// them lends (device_loan.h). Travels as bytes.

#ifndef WARPCLUST_KERNELS_LENT_MEMORY_H_
#define WARPCLUST_KERNELS_LENT_MEMORY_H_

#include <array>
#include <cstdint>

namespace warpclust {

// Names a host and its space of process numbers; all zero if the system does
// not tell.
using HostMark = std::array<char, 64>;
HostMark MarkOfHost();

struct LentMemory {
  HostMark host = {};
  int64_t process = 0;  // 0: nothing is lent.
  // In that process.
  uint64_t address = 0;
  // For other processes.
  std::array<char, 64> handle = {};
  int64_t bytes = 0;

  bool is_lent() const { return process != 0; }
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_LENT_MEMORY_H_
