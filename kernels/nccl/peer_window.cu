// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>
#include <vector>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/peer_window.h"

namespace warpclust {
namespace {

// Of another process or this one, as `device` reaches it.
struct Opened {
  int device;
  int64_t process;
  uint64_t address;  // In that process.
  const char* here;
};

struct Windows {
  std::mutex mutex;
  std::vector<const PeerWindow*> idle;
  std::vector<Opened> opened;
};

Windows& AllWindows() {
  static Windows& windows = *new Windows;
  return windows;
}

absl::StatusOr<int> CurrentDevice() {
  int device = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "find the GPU"));
  return device;
}

}  // namespace

void GiveBackWindow::operator()(const PeerWindow* window) const {
  Windows& windows = AllWindows();
  const std::lock_guard<std::mutex> lock(windows.mutex);
  windows.idle.push_back(window);
}

absl::StatusOr<PeerWindowPtr> TakeWindow(int64_t bytes) {
  ASSIGN_OR_RETURN(const int device, CurrentDevice());
  Windows& windows = AllWindows();
  const std::lock_guard<std::mutex> lock(windows.mutex);
  const auto found = std::find_if(
      windows.idle.begin(), windows.idle.end(), [&](const PeerWindow* window) {
        return window->device == device && window->memory.bytes >= bytes;
      });
  if (found != windows.idle.end()) {
    PeerWindowPtr window(*found);
    windows.idle.erase(found);
    return window;
  }
  const uint64_t size = std::bit_ceil(static_cast<uint64_t>(bytes));
  void* memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, size);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    RETURN_IF_ERROR(ReturnDeviceMemory());
    error = cudaMalloc(&memory, size);
  }
  RETURN_IF_ERROR(CudaStatus(error, "allocate a window for other ranks"));
  absl::StatusOr<LentMemory> lent =
      LendMemory(memory, static_cast<int64_t>(size));
  if (!lent.ok()) {
    cudaFree(memory);
    return lent.status();
  }
  return PeerWindowPtr(new PeerWindow{device, *lent});
}

absl::StatusOr<const char*> OpenWindow(const LentMemory& memory) {
  ASSIGN_OR_RETURN(const int device, CurrentDevice());
  Windows& windows = AllWindows();
  const std::lock_guard<std::mutex> lock(windows.mutex);
  for (const Opened& window : windows.opened) {
    if (window.device == device && window.process == memory.process &&
        window.address == memory.address) {
      return window.here;
    }
  }
  ASSIGN_OR_RETURN(const void* const here, OpenLent(memory));
  windows.opened.push_back(
      {device, memory.process, memory.address, static_cast<const char*>(here)});
  return windows.opened.back().here;
}

}  // namespace warpclust
