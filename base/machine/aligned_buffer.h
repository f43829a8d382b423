// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays at a 64-byte boundary for vector code: AlignedVector, a std::vector,
// and AlignedBuffer, uninitialized memory. AdviseHugePages, ResizeInHugePages:
// fewer page faults and TLB misses for large arrays.
//
// Thread-safety: plain values.

#ifndef WARPCLUST_BASE_MACHINE_ALIGNED_BUFFER_H_
#define WARPCLUST_BASE_MACHINE_ALIGNED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace warpclust {

// Asks for huge pages behind the whole 2 MiB pages of [data, data + bytes).
// Advice only: contents and results never depend on it.
inline void AdviseHugePages(void* data, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr uintptr_t kHugePage = uintptr_t{1} << 21;
  const uintptr_t begin =
      (reinterpret_cast<uintptr_t>(data) + kHugePage - 1) & ~(kHugePage - 1);
  const uintptr_t end =
      (reinterpret_cast<uintptr_t>(data) + bytes) & ~(kHugePage - 1);
  if (end > begin) {
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
#endif
}

// values->resize(size), in huge pages. Reserves first: they must be requested
// before pages are touched.
template <class Vector>
void ResizeInHugePages(int64_t size, Vector* values) {
  values->reserve(size);
  AdviseHugePages(values->data(), size * sizeof(values->front()));
  values->resize(size);
}

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <class U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), kAlignment));
  }
  void deallocate(T* data, size_t) { ::operator delete(data, kAlignment); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) {
    return true;
  }
  friend bool operator!=(const CacheLineAllocator&, const CacheLineAllocator&) {
    return false;
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
};

// A vector whose elements begin at a cache line.
template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

// An array of trivial T that only ever grows.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivial_v<T>);

 public:
  // At least `size` elements. Contents are lost if the buffer has to grow.
  void Reserve(size_t size) {
    if (size <= capacity_) return;
    data_.reset();
    capacity_ = 0;
    const size_t bytes = size * sizeof(T);
    data_.reset(
        static_cast<T*>(::operator new (bytes, std::align_val_t{kAlignment})));
    capacity_ = size;
    AdviseHugePages(data_.get(), bytes);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  static constexpr size_t kAlignment = 64;
  struct Delete {
    void operator()(T* data) const {
      ::operator delete (data, std::align_val_t{kAlignment});
    }
  };

  std::unique_ptr<T, Delete> data_;
  size_t capacity_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_ALIGNED_BUFFER_H_
