// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceBuffer<T>: a move-only array in the memory of the current GPU. This
// header names no CUDA type, so other headers may include it.
//
//   ASSIGN_OR_RETURN(DeviceBuffer<float> weights,
//                    DeviceBuffer<float>::FromHost(matrix.weights));
//
// Cost: memory comes from a pool that keeps what is freed, so repeated
// allocations are cheap; that of AllocateApart does not, and is kept too.
// Several threads copy large pageable host memory through pinned memory, at the
// bandwidth of the bus.
//
// A buffer belongs to the GPU that is the current one when it is allocated.
// That GPU must be the current one of every thread that uses or destroys the
// buffer.
//
// Order: all members act on CUDA's legacy default stream: after all earlier
// work on every Stream (stream.h) and before all later work, except those of
// Stream::CreateBeside. So a buffer may be used on any other Stream right after
// Allocate, and destroyed while kernels that use it still run. Streams with
// cudaStreamNonBlocking, which CreateBeside makes, are not ordered this way:
// synchronize them first, and the default stream before their work.
//
// The contents of a new buffer are undefined.

#ifndef WARPCLUST_KERNELS_MEMORY_DEVICE_BUFFER_H_
#define WARPCLUST_KERNELS_MEMORY_DEVICE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/machine/resize_vector.h"

namespace warpclust {

namespace internal {

// Who gives and takes back memory of the GPU.
enum class MemorySource : bool { kPool, kDriver };
// `count` elements of `element_bytes`; nullptr for count 0.
absl::StatusOr<void*> AllocateDeviceMemory(int64_t count, int64_t element_bytes,
                                           MemorySource source);
void FreeDeviceMemory(void* memory, int64_t bytes, MemorySource source);
// Copy `count` elements of `element_bytes` to or from the elements [offset,
// offset + count) of a device array of `size` elements.
absl::Status CopyHostToDevice(const void* host, void* device, int64_t size,
                              int64_t offset, int64_t count,
                              int64_t element_bytes);
absl::Status CopyDeviceToHost(const void* device, void* host, int64_t size,
                              int64_t offset, int64_t count,
                              int64_t element_bytes);
absl::Status FillDeviceMemory(void* memory, int64_t bytes, uint8_t value);
absl::Status CopyWithinDevice(const void* from, void* to, int64_t bytes);

}  // namespace internal

template <typename T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // An empty buffer; needs no GPU.
  DeviceBuffer() = default;
  ~DeviceBuffer() { internal::FreeDeviceMemory(data_, bytes(), source_); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        source_(other.source_) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(source_, other.source_);
    return *this;
  }

  // `count` >= 0 elements, aligned to 256 bytes. ResourceExhausted if they do
  // not fit or exceed SetDeviceMemoryLimit, Unavailable without a GPU,
  // InvalidArgument if `count` is negative.
  static absl::StatusOr<DeviceBuffer> Allocate(int64_t count) {
    return AllocateFrom(internal::MemorySource::kPool, count);
  }

  // The same, for a large array that stays to the end of a job. From 256 MiB on
  // it does not come from the pool, which takes ten times as long where it has
  // to grow. What is freed is kept for arrays of about the same size
  // (kept_blocks.h), where the pool serves all sizes.
  static absl::StatusOr<DeviceBuffer> AllocateApart(int64_t count) {
    constexpr int64_t kLeast = (int64_t{1} << 28) / int64_t{sizeof(T)};
    return AllocateFrom(count < kLeast ? internal::MemorySource::kPool
                                       : internal::MemorySource::kDriver,
                        count);
  }

  // Allocate and CopyFromHost.
  static absl::StatusOr<DeviceBuffer> FromHost(absl::Span<const T> values) {
    absl::StatusOr<DeviceBuffer> buffer =
        Allocate(static_cast<int64_t>(values.size()));
    if (!buffer.ok()) return buffer.status();
    if (absl::Status s = buffer->CopyFromHost(values); !s.ok()) return s;
    return buffer;
  }

  // Device pointers: the host must not dereference them. nullptr if empty.
  T* data() { return data_; }
  const T* data() const { return data_; }
  int64_t size() const { return size_; }
  int64_t bytes() const { return size_ * static_cast<int64_t>(sizeof(T)); }
  bool empty() const { return size_ == 0; }

  // Writes `values` over the elements from `offset` on. The caller may change
  // `values` afterwards. InvalidArgument if they reach past the end.
  absl::Status CopyFromHost(absl::Span<const T> values, int64_t offset = 0) {
    return internal::CopyHostToDevice(values.data(), data_, size_, offset,
                                      static_cast<int64_t>(values.size()),
                                      sizeof(T));
  }

  // Reads values.size() elements from `offset` on and waits for them.
  // InvalidArgument if they reach past the end.
  absl::Status CopyToHost(absl::Span<T> values, int64_t offset = 0) const {
    return internal::CopyDeviceToHost(data_, values.data(), size_, offset,
                                      static_cast<int64_t>(values.size()),
                                      sizeof(T));
  }

  // All elements, in a new vector, whose memory is cleared on `num_threads`
  // threads (0: all cores).
  absl::StatusOr<std::vector<T>> ToHost(int num_threads = 0) const {
    std::vector<T> values;
    if constexpr (std::is_arithmetic_v<T>) {
      ResizeVector(size_, num_threads, &values);
    } else {
      values.resize(static_cast<size_t>(size_));
    }
    if (absl::Status s = CopyToHost(absl::MakeSpan(values)); !s.ok()) return s;
    return values;
  }

  // Sets every byte to `value`. Does not wait.
  absl::Status FillBytes(uint8_t value) {
    return internal::FillDeviceMemory(data_, bytes(), value);
  }

 private:
  DeviceBuffer(T* data, int64_t size, internal::MemorySource source)
      : data_(data), size_(size), source_(source) {}

  static absl::StatusOr<DeviceBuffer> AllocateFrom(
      internal::MemorySource source, int64_t count) {
    absl::StatusOr<void*> memory =
        internal::AllocateDeviceMemory(count, sizeof(T), source);
    if (!memory.ok()) return memory.status();
    return DeviceBuffer(static_cast<T*>(*memory), count, source);
  }

  T* data_ = nullptr;
  int64_t size_ = 0;
  internal::MemorySource source_ = internal::MemorySource::kPool;
};

// Replaces `buffer` by a new one of `count` elements. The old memory is freed
// first. Errors as Allocate.
template <typename T>
absl::Status AllocateInto(int64_t count, DeviceBuffer<T>& buffer) {
  buffer = DeviceBuffer<T>();
  absl::StatusOr<DeviceBuffer<T>> allocated = DeviceBuffer<T>::Allocate(count);
  if (!allocated.ok()) return allocated.status();
  buffer = *std::move(allocated);
  return absl::OkStatus();
}

// AllocateInto(wanted, buffer). If that does not fit, tries a half, a quarter
// and so on, but at least `least` elements. For tiles and room to grow.
template <typename T>
absl::Status AllocateUpTo(int64_t wanted, int64_t least,
                          DeviceBuffer<T>& buffer) {
  for (;;) {
    absl::Status status = AllocateInto(wanted > least ? wanted : least, buffer);
    if (!absl::IsResourceExhausted(status) || wanted <= least) return status;
    wanted /= 2;
  }
}

// Makes `buffer` hold at least `count` elements. If it has to grow, all
// contents become undefined, and it grows by at least a half where that fits,
// so that many small steps cost little. Never shrinks. Errors as Allocate.
template <typename T>
absl::Status MakeRoom(int64_t count, DeviceBuffer<T>& buffer) {
  if (count <= buffer.size()) return absl::OkStatus();
  const int64_t half_more = buffer.size() + buffer.size() / 2;
  return AllocateUpTo(count > half_more ? count : half_more, count, buffer);
}

// MakeRoom, but a copy keeps the first `keep` elements, or all if there are
// fewer; those behind them are undefined. Needs old and new memory at once.
template <typename T>
absl::Status ReserveInto(int64_t count, DeviceBuffer<T>& buffer,
                         int64_t keep = INT64_MAX) {
  if (count <= buffer.size()) return absl::OkStatus();
  const int64_t half_more = buffer.size() + buffer.size() / 2;
  absl::StatusOr<DeviceBuffer<T>> larger =
      DeviceBuffer<T>::Allocate(count > half_more ? count : half_more);
  if (!larger.ok() && count < half_more) {
    larger = DeviceBuffer<T>::Allocate(count);
  }
  if (!larger.ok()) return larger.status();
  const int64_t kept = keep < buffer.size() ? keep : buffer.size();
  if (absl::Status s =
          internal::CopyWithinDevice(buffer.data(), larger->data(),
                                     kept * static_cast<int64_t>(sizeof(T)));
      !s.ok()) {
    return s;
  }
  buffer = *std::move(larger);
  return absl::OkStatus();
}

// ReserveInto; every byte of the new elements is 0.
template <typename T>
absl::Status ReserveZeroed(int64_t count, DeviceBuffer<T>& buffer) {
  const int64_t before = buffer.size();
  if (absl::Status s = ReserveInto(count, buffer); !s.ok()) return s;
  return internal::FillDeviceMemory(
      buffer.data() + before,
      (buffer.size() - before) * static_cast<int64_t>(sizeof(T)), 0);
}

// Bytes in all DeviceBuffers of the process on the current GPU, and the most
// that they were on any GPU since the start. ResetDeviceMemoryPeak makes that
// count from now on.
int64_t DeviceMemoryInUseBytes();
int64_t DeviceMemoryPeakBytes();
void ResetDeviceMemoryPeak();

// An estimate of the bytes that Allocate can still give: free memory of the
// current GPU plus what is kept, within the limit below. Other processes
// may take memory, and free memory may be fragmented. Unavailable without a
// GPU.
absl::StatusOr<int64_t> DeviceMemoryFreeBytes();

// Makes Allocate fail, as if memory had run out, rather than raise
// DeviceMemoryInUseBytes of any GPU above `bytes`: to share a GPU with others,
// and for tests. What is kept does not count. Negative: no limit (the default).
void SetDeviceMemoryLimit(int64_t bytes);

// Gives the driver what is kept, for allocations that are not of DeviceBuffers.
// Waits for all work on the current GPU.
absl::Status ReturnDeviceMemory();

// Returns `status`. If it says that memory ran out but not yet for what, its
// message gets the prefix "`what` does not fit: ". For functions that know what
// they make: "the similarity graph of 12 documents".
absl::Status NameWhatDidNotFit(absl::Status status, absl::string_view what);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_MEMORY_DEVICE_BUFFER_H_
