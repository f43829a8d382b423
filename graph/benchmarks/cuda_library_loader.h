// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedLibrary: a CUDA library opened at run time, for benchmarks that compare
// with it and must build and run without it. library_baselines_cuda.h says
// where it is looked for. It stays open until the process ends.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_CUDA_LIBRARY_LOADER_H_
#define WARPCLUST_GRAPH_BENCHMARKS_CUDA_LIBRARY_LOADER_H_

#include <initializer_list>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpclust {

class SharedLibrary {
 public:
  // The first of `names` ("libcublas.so.13") that opens. The libraries that it
  // `needs` are opened before, from the same places, if they are there.
  // Unavailable if none of `names` opens.
  static absl::StatusOr<SharedLibrary> Open(
      std::initializer_list<const char*> names,
      std::initializer_list<const char*> needs);

  // Sets `*function` to the symbol `name`. Unavailable if there is none.
  template <typename Function>
  absl::Status Find(const char* name, Function** function) const {
    absl::StatusOr<void*> symbol = FindSymbol(name);
    if (!symbol.ok()) return symbol.status();
    *function = reinterpret_cast<Function*>(*symbol);
    return absl::OkStatus();
  }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  absl::StatusOr<void*> FindSymbol(const char* name) const;

  void* handle_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_CUDA_LIBRARY_LOADER_H_
