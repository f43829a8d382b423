// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WriteTextBlocks: formats blocks of a text on several threads and passes them
// on in order, while further blocks are formatted. Use it in writers of large
// files.
//
//   RETURN_IF_ERROR(WriteTextBlocks(
//       num_blocks, num_threads,
//       [&](int64_t block, int slot, std::string* text) {
//         ... append the lines of the block ...
//         return absl::OkStatus();
//       },
//       [&](absl::string_view text) { writer.Write(text); }));
//
// Neither the cuts nor the number of threads shows in the text. Memory: a block
// per thread.

#ifndef WARPCLUST_BASE_IO_TEXT_BLOCKS_H_
#define WARPCLUST_BASE_IO_TEXT_BLOCKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// `append` adds block `block` to an empty text. It is called on `num_threads`
// threads (0: all cores); each has a `slot` of its own, from 0 to
// ResolveThreads(num_threads) - 1. `write` takes the texts in the order of the
// blocks, one at a time, on any of the threads. Returns the first error of
// `append` in the order of the blocks: those before it were written.
absl::Status WriteTextBlocks(
    int64_t num_blocks, int num_threads,
    absl::FunctionRef<absl::Status(int64_t block, int slot, std::string* text)>
        append,
    absl::FunctionRef<void(absl::string_view)> write);

// Bounds of blocks of rows with about `entries` entries or `entries` rows each,
// whichever are more: block b has the rows [bounds[b], bounds[b + 1]). The
// entries of row i are [offsets[i], offsets[i + 1]); `offsets` is not empty.
std::vector<int64_t> RowBlocks(absl::Span<const int64_t> offsets,
                               int64_t entries);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TEXT_BLOCKS_H_
