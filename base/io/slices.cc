// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/slices.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status ForSlices(
    int64_t size, int64_t slice, int num_threads,
    absl::FunctionRef<absl::Status(int64_t begin, int64_t end)> use) {
  const int64_t slices = (size + slice - 1) / slice;
  const int threads = ThreadsFor(slices, 1, num_threads);
  absl::Status error;
  std::atomic<int64_t> failed{slices};  // The slice of `error`.
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t s = 0; s < slices; ++s) {
    if (s > failed.load()) continue;
    absl::Status status = use(s * slice, std::min(size, (s + 1) * slice));
    if (status.ok()) continue;
#pragma omp critical(first_error_of_slices)
    if (s < failed.load()) {
      failed.store(s);
      error = std::move(status);
    }
  }
  return error;
}

absl::Status ReadSlices(
    ByteReader& bytes, int64_t size, int64_t slice, int num_threads,
    absl::FunctionRef<absl::Status(int64_t begin, absl::string_view bytes)>
        use) {
  RETURN_IF_ERROR(
      ForSlices(size, slice, num_threads, [&](int64_t begin, int64_t end) {
        thread_local std::vector<char> buffer;
        if (static_cast<int64_t>(buffer.size()) < end - begin) {
          buffer.resize(end - begin);
        }
        RETURN_IF_ERROR(bytes.ReadAhead(begin, buffer.data(), end - begin));
        return use(begin, absl::string_view(buffer.data(), end - begin));
      }));
  return bytes.Skip(size).status();
}

}  // namespace warpclust
