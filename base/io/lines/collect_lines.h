// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CollectLines: feeds the lines of an input to a collector, with several
// threads. Use it in readers whose lines depend on lines before them: on a
// header, or on the names that occurred.
//
//   struct Collector {
//     // Takes one line. `lines` stands on it.
//     absl::Status Add(const LineReader& lines, absl::string_view line);
//     // Whether what follows can be read in blocks.
//     bool IsSettled() const;
//     // An empty collector, to be copied, that reads blocks as this one would.
//     Collector ForBlock();
//     // Adds the lines of a block that a copy of ForBlock() took. False,
//     // without effect, if this collector would have read them otherwise, or
//     // might refuse one of them.
//     absl::StatusOr<bool> Append(Collector block);
//     // Instead, if appending is long: the same, but what touches only the
//     // lines of the block is done by `*rest`, while other blocks are
//     appended. absl::StatusOr<bool> Append(Collector block,
//                                 std::function<void()>* rest);
//     // Optional: what the thread that collected a block does with it last,
//     // such as looking up what this collector knows. True if Append of the
//     // block then changes nothing that CloseBlock reads of this collector:
//     // both run side by side.
//     bool CloseBlock(Collector* block) const;
//   };
//
//   RETURN_IF_ERROR(CollectLines(lines, num_threads, &collector));
//
// The first lines are added one by one, until the collector is settled. Then
// other threads collect blocks, which are appended in order. A block with an
// error, or that Append returns false for, is added line by line: so the
// collector ends as if it had taken all lines one by one, and the error is that
// of the first bad line.
//
// Cost and memory: those of ParseLineBlocks.

#ifndef WARPCLUST_BASE_IO_LINES_COLLECT_LINES_H_
#define WARPCLUST_BASE_IO_LINES_COLLECT_LINES_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "base/io/lines/line_blocks.h"
#include "base/io/lines/line_reader.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

namespace internal {

// Adds the remaining lines one by one.
template <typename Collector>
absl::Status AddLines(LineReader& lines, Collector* collector) {
  absl::string_view line;
  while (lines.Next(&line)) RETURN_IF_ERROR(collector->Add(lines, line));
  return lines.status();
}

}  // namespace internal

// Returns the first error of Add or Append, or else that of `lines`;
// InvalidArgument if num_threads is negative (0: all cores).
template <typename Collector>
absl::Status CollectLines(LineReader& lines, int num_threads,
                          Collector* collector) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  if (ResolveThreads(num_threads) == 1) {
    return internal::AddLines(lines, collector);
  }
  absl::string_view line;
  while (!collector->IsSettled()) {
    if (!lines.Next(&line)) return lines.status();
    RETURN_IF_ERROR(collector->Add(lines, line));
  }
  struct Part {
    LineBlock block;
    Collector collected;
    bool good = false;
    bool free = false;  // Append needs no lock.
  };
  // Guards what CloseBlock reads of the collector.
  absl::Mutex mutex;
  const Collector empty = collector->ForBlock();
  return ParseLineBlocks<Part>(
      lines, num_threads,
      [&](LineReader& block) {
        Part part{{}, empty};
        block.NextBlock(&part.block);
        LineReader copy = LineReader::FromBlock(part.block);
        part.good = internal::AddLines(copy, &part.collected).ok();
        if constexpr (requires { collector->CloseBlock(&part.collected); }) {
          absl::ReaderMutexLock lock(&mutex);
          const Collector* known = collector;
          part.free = part.good && known->CloseBlock(&part.collected);
        }
        return part;
      },
      [&mutex, collector](Part part,
                          std::function<void()>* rest) -> absl::Status {
        if (part.good) {
          absl::MutexLockMaybe lock(part.free ? nullptr : &mutex);
          absl::StatusOr<bool> appended;
          if constexpr (requires {
                          collector->Append(std::move(part.collected), rest);
                        }) {
            appended = collector->Append(std::move(part.collected), rest);
          } else {
            appended = collector->Append(std::move(part.collected));
          }
          RETURN_IF_ERROR(appended.status());
          if (*appended) return absl::OkStatus();
        }
        LineReader block = LineReader::FromBlock(std::move(part.block));
        absl::MutexLock lock(&mutex);
        return internal::AddLines(block, collector);
      });
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_LINES_COLLECT_LINES_H_
