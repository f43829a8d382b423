// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ParseLineBlocks: parses the lines of an input with several threads and hands
// the results over in the order of the lines. Use it in readers of whole files.
//
//   using Part = absl::StatusOr<std::vector<double>>;
//   RETURN_IF_ERROR(ParseLineBlocks<Part>(
//       lines, num_threads,
//       [](LineReader& block) -> Part { ... block.Next(&line) ... },
//       [&](Part part) { ... append, or return the error ... }));
//
// The input is cut at ends of lines, into blocks of about 512 KiB, smaller ones
// in small files. Neither the cuts nor the number of threads shows in the
// result if `merge` only appends. The first error in the order of lines ends
// the reading.
//
// Cost: threads read their own blocks of a plain file. Otherwise reading and
// inflating are serial, while other threads parse. Memory: three blocks and
// their results per thread.

#ifndef WARPCLUST_BASE_IO_LINES_LINE_BLOCKS_H_
#define WARPCLUST_BASE_IO_LINES_LINE_BLOCKS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

namespace internal {

// At most this many blocks are parsed and not merged.
int64_t MostBlocks(int num_threads);

// Calls `parse` with each block and its number, in `num_threads` threads (0:
// all cores), and `merge` with each number once it is parsed: in order, in one
// thread at a time. `*rest`, if `merge` sets it, is called after it, while
// others merge.
absl::Status ForEachBlock(
    LineReader& lines, int num_threads,
    absl::FunctionRef<void(int64_t number, LineReader& block)> parse,
    absl::FunctionRef<absl::Status(int64_t number, std::function<void()>* rest)>
        merge);

}  // namespace internal

// Calls `parse` with the lines of each block, in `num_threads` threads (0: all
// cores), and `merge` with the results, in order, in one of these threads at a
// time. Returns the first error of `merge`, or else that of `lines`. `parse`
// reports errors in its result, those of its lines (status()) included. What
// `merge` puts into `*rest` is called once, also after an error, by any thread.
template <typename Part>
absl::Status ParseLineBlocks(
    LineReader& lines, int num_threads,
    absl::FunctionRef<Part(LineReader&)> parse,
    absl::FunctionRef<absl::Status(Part, std::function<void()>* rest)> merge) {
  const int64_t num_slots = internal::MostBlocks(num_threads);
  std::vector<absl::optional<Part>> parts(num_slots);
  return internal::ForEachBlock(
      lines, num_threads,
      [&](int64_t number, LineReader& block) {
        parts[number % num_slots].emplace(parse(block));
      },
      [&](int64_t number, std::function<void()>* rest) {
        absl::optional<Part>& slot = parts[number % num_slots];
        Part part = *std::move(slot);
        slot.reset();
        return merge(std::move(part), rest);
      });
}

// The same without a rest.
template <typename Part>
absl::Status ParseLineBlocks(LineReader& lines, int num_threads,
                             absl::FunctionRef<Part(LineReader&)> parse,
                             absl::FunctionRef<absl::Status(Part)> merge) {
  const auto merge_all = [&](Part part, std::function<void()>*) {
    return merge(std::move(part));
  };
  return ParseLineBlocks<Part>(
      lines, num_threads, parse,
      absl::FunctionRef<absl::Status(Part, std::function<void()>*)>(merge_all));
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_LINES_LINE_BLOCKS_H_
