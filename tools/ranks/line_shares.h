// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How the lines of one or many files are dealt to the ranks of a job: the files
// follow one another in the order of their names, and rank r of p gets the r-th
// of p shares of equally many lines. So documents have the numbers that they
// have in one process.
//
// Cost: all lines are counted first, plain files in pieces of two blocks
// that are dealt to ranks, compressed ones each by one rank. Then a rank reads
// its share of plain files, and compressed ones that have lines of its share
// from their beginning. All ranks must see the same files.

#ifndef WARPCLUST_TOOLS_RANKS_LINE_SHARES_H_
#define WARPCLUST_TOOLS_RANKS_LINE_SHARES_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

// Whether `path` names many files, as a shell's pattern: it has *, ? or [, and
// there is no file of that very name.
bool IsFilePattern(absl::string_view path);

// The files that a pattern names, in ascending order; `path` itself if it is
// none. NotFound if there are no such files.
absl::StatusOr<std::vector<std::string>> FilesOf(absl::string_view path);

// Calls `use` with the lines of this rank, in order, as blocks of about
// `block_bytes`. A collective call. Returns the first error in the order of the
// lines, on all ranks: those of LineReader and `use`.
absl::Status ForEachOwnBlock(Communicator& ranks,
                             const std::vector<std::string>& files,
                             int64_t block_bytes,
                             absl::FunctionRef<absl::Status(LineBlock)> use);

// The same for up to `num_threads` blocks at a time (0: all cores), which `use`
// may parse side by side. Lines are counted by as many threads.
absl::Status ForOwnBlocks(
    Communicator& ranks, const std::vector<std::string>& files,
    int64_t block_bytes, int num_threads,
    absl::FunctionRef<absl::Status(absl::Span<LineBlock>)> use);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_LINE_SHARES_H_
