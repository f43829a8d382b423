// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Where std::bad_alloc may not go on by itself: WithMemory makes a Status of it
// where a library ends, BadAllocCarrier takes it out of a parallel region,
// which no exception may leave: OpenMP would end the process, or wait for ever
// for the thread that is missing.

#ifndef WARPCLUST_BASE_MACHINE_OUT_OF_MEMORY_H_
#define WARPCLUST_BASE_MACHINE_OUT_OF_MEMORY_H_

#include <atomic>
#include <new>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// What `call` gives, a Status or a StatusOr; ResourceExhausted with `message`
// if it throws std::bad_alloc.
template <typename Call>
auto WithMemory(absl::string_view message, const Call& call)
    -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(message);
  }
}

//   BadAllocCarrier carrier;
//   #pragma omp parallel for
//   for (int64_t i = 0; i < n; ++i) carrier.Run([&] { Work(i); });
//   carrier.Throw();
//
// Thread-safety: all members but Throw may be called by several threads at
// once.
class BadAllocCarrier {
 public:
  // call(), unless memory has run out before.
  template <typename Call>
  void Run(const Call& call) {
    if (ran_out()) return;
    try {
      call();
    } catch (const std::bad_alloc&) {
      ran_out_.store(true, std::memory_order_relaxed);
    }
  }

  // Whether a call threw.
  bool ran_out() const { return ran_out_.load(std::memory_order_relaxed); }

  // Throws std::bad_alloc if a call did. After the parallel region.
  void Throw() const {
    if (ran_out()) throw std::bad_alloc();
  }

 private:
  std::atomic<bool> ran_out_{false};
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_OUT_OF_MEMORY_H_
