// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeerWindow: memory of a GPU where the other ranks of the host find what its
// rank sends (peer_exchange.h).
//
// Memory that another process has open must not be freed, and who has it open
// is not known. So windows live as long as the process, are used again, and
// stay open: closing one took 6 ms per GB on an H100. Their sizes are powers of
// two, so that there are few. Thread-safe.

#ifndef WARPCLUST_KERNELS_NCCL_PEER_WINDOW_H_
#define WARPCLUST_KERNELS_NCCL_PEER_WINDOW_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "kernels/nccl/lent_memory.h"

namespace warpclust {

struct PeerWindow {
  int device = 0;
  LentMemory memory;

  char* data() const { return reinterpret_cast<char*>(memory.address); }
};

// For others to use again.
struct GiveBackWindow {
  void operator()(const PeerWindow* window) const;
};
using PeerWindowPtr = std::unique_ptr<const PeerWindow, GiveBackWindow>;

// One of at least `bytes` > 0 on the current GPU. ResourceExhausted if it does
// not fit, other errors as LendMemory.
absl::StatusOr<PeerWindowPtr> TakeWindow(int64_t bytes);

// The window of a rank, as the current GPU reads it. Errors as OpenLent.
absl::StatusOr<const char*> OpenWindow(const LentMemory& memory);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_PEER_WINDOW_H_
