// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PinnedBuffer<T>: a move-only array in host memory that the GPU can reach
// while the host works on; cudaMemcpyAsync needs it to be asynchronous. Use it
// for small results read inside a loop, and for streams of tiles. Names no CUDA
// type.
//
// Pinning is slow: keep buffers. For a single large copy, DeviceBuffer is
// faster. The contents of a new buffer are undefined.

#ifndef WARPCLUST_KERNELS_MEMORY_PINNED_BUFFER_H_
#define WARPCLUST_KERNELS_MEMORY_PINNED_BUFFER_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace warpclust {

namespace internal {
absl::StatusOr<void*> AllocatePinnedMemory(int64_t count,
                                           int64_t element_bytes);
void FreePinnedMemory(void* memory);
}  // namespace internal

template <typename T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // An empty buffer; needs no GPU.
  PinnedBuffer() = default;
  ~PinnedBuffer() { internal::FreePinnedMemory(data_); }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  // `count` >= 0 elements. ResourceExhausted if they do not fit, Unavailable
  // without a GPU, InvalidArgument if `count` is negative.
  static absl::StatusOr<PinnedBuffer> Allocate(int64_t count) {
    absl::StatusOr<void*> memory =
        internal::AllocatePinnedMemory(count, sizeof(T));
    if (!memory.ok()) return memory.status();
    return PinnedBuffer(static_cast<T*>(*memory), count);
  }

  // Host pointers, which the device may follow too. nullptr if empty.
  T* data() { return data_; }
  const T* data() const { return data_; }
  int64_t size() const { return size_; }
  absl::Span<T> span() { return {data_, static_cast<size_t>(size_)}; }
  absl::Span<const T> span() const {
    return {data_, static_cast<size_t>(size_)};
  }
  T& operator[](int64_t i) { return data_[i]; }
  const T& operator[](int64_t i) const { return data_[i]; }

 private:
  PinnedBuffer(T* data, int64_t size) : data_(data), size_(size) {}

  T* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_MEMORY_PINNED_BUFFER_H_
