// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/testing/failing_allocations.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "gtest/gtest.h"

// What an Abseil table loses when it cannot grow is known (GuardTable).
extern "C" const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() { return "leak:GuardTable\n"; }

namespace {

constexpr int64_t kAll = -1;

// Allocations that still succeed.
std::atomic<int64_t> left{kAll};
// Whether one alone fails, and those after it succeed again.
std::atomic<bool> one_fails{false};
std::atomic<bool> any_failed{false};
std::atomic<int64_t> replaced_calls{0};

// Throws if none is left.
void TakeOne() {
  replaced_calls.fetch_add(1, std::memory_order_relaxed);
  int64_t now = left.load();
  do {
    if (now == kAll) return;
    if (now == 0) {
      any_failed.store(true);
      if (one_fails.load()) left.store(kAll);
      throw std::bad_alloc();
    }
  } while (!left.compare_exchange_weak(now, now - 1));
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Whether the operator new of this file is the program's, and may fail: what
// tells the thread sanitizer about OpenMP's threads allocates by it, too.
bool IsReplaced() {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return false;
#endif
#endif
  const int64_t before = replaced_calls.load();
  // Volatile: g++ warns of memory that it sees go from new to free.
  void* volatile probe = ::operator new(1);
  ::operator delete(probe);
  return replaced_calls.load() != before;
}

}  // namespace

void* operator new(std::size_t size) {
  TakeOne();
  return OrThrow(std::malloc(std::max<std::size_t>(size, 1)));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  TakeOne();
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t whole = (std::max<std::size_t>(size, 1) + step - 1) / step;
  return OrThrow(std::aligned_alloc(step, whole * step));
}

// The library's other forms come down to these; a sanitizer's do not, and it
// wants what one form gave to come back by the same.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  // The one is to be an error; std::stable_sort goes on without its memory.
  if (one_fails.load()) return std::malloc(std::max<std::size_t>(size, 1));
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* operator new[](std::size_t size) { return operator new(size); }

void operator delete[](void* memory) noexcept { std::free(memory); }

void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory) noexcept { std::free(memory); }

void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace warpclust {

int64_t RunWithoutMemory(absl::FunctionRef<void()> job) {
  constexpr int64_t kFineRuns = 200;
  if (!IsReplaced()) {
    job();
    return -1;
  }
  int64_t runs = 0;
  for (int64_t allowed = 0;; ++runs) {
    any_failed.store(false);
    left.store(allowed);
    try {
      job();
    } catch (const std::bad_alloc&) {
    }
    left.store(kAll);
    if (!any_failed.load()) return runs;
    allowed += std::max<int64_t>(1, (allowed - kFineRuns) / 8);
  }
}

void ExpectStatusWhereverMemoryEnds(int64_t least,
                                    absl::FunctionRef<absl::Status()> call) {
  if (!IsReplaced()) {
    const absl::Status status = call();
    EXPECT_TRUE(status.ok()) << status;
    return;
  }
  // Where that is far, not at every place.
  for (int64_t allowed = 0;; allowed += 1 + allowed / 32) {
    one_fails.store(true);
    left.store(allowed);
    const absl::Status status = call();
    left.store(kAll);
    one_fails.store(false);
    if (status.ok()) {
      EXPECT_GT(allowed, least);
      return;
    }
    ASSERT_EQ(status.code(), absl::StatusCode::kResourceExhausted)
        << "after " << allowed << " allocations: " << status;
  }
}

}  // namespace warpclust
