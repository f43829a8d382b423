// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/text_blocks.h"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status WriteTextBlocks(
    int64_t num_blocks, int num_threads,
    absl::FunctionRef<absl::Status(int64_t block, int slot, std::string* text)>
        append,
    absl::FunctionRef<void(absl::string_view)> write) {
  const int threads = static_cast<int>(
      std::min<int64_t>(ResolveThreads(num_threads), num_blocks));
  if (threads <= 1) {
    std::string text;
    for (int64_t block = 0; block < num_blocks; ++block) {
      text.clear();
      RETURN_IF_ERROR(append(block, 0, &text));
      write(text);
    }
    return absl::OkStatus();
  }

  absl::Status first_error;
  std::atomic<bool> failed{false};  // `first_error` is one.
#pragma omp parallel num_threads(threads)
  {
    std::string text;
#pragma omp for ordered schedule(dynamic, 1)
    for (int64_t block = 0; block < num_blocks; ++block) {
      text.clear();
      absl::Status status;
      // An error of a later block does not keep this one from being written:
      // it is noted in order.
      if (!failed.load()) {
        status = append(block, omp_get_thread_num(), &text);
      }
#pragma omp ordered
      {
        if (!failed.load()) {
          if (status.ok()) {
            write(text);
          } else {
            first_error = status;
            failed.store(true);
          }
        }
      }
    }
  }
  return first_error;
}

std::vector<int64_t> RowBlocks(absl::Span<const int64_t> offsets,
                               int64_t entries) {
  const int64_t num_rows = static_cast<int64_t>(offsets.size()) - 1;
  std::vector<int64_t> bounds = {0};
  for (int64_t end = 1; end <= num_rows; ++end) {
    const int64_t begin = bounds.back();
    if (end == num_rows || end - begin >= entries ||
        offsets[end] - offsets[begin] >= entries) {
      bounds.push_back(end);
    }
  }
  return bounds;
}

}  // namespace warpclust
