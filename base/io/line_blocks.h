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
// The input is cut into blocks of about 512 KiB, at ends of lines. Neither the
// cuts nor the number of threads shows in the result if `merge` only appends.
// The first error in the order of lines ends the reading.
//
// Cost: reading and inflating are serial, while other threads parse. Memory:
// three blocks and their results per thread.

#ifndef WARPCLUST_BASE_IO_LINE_BLOCKS_H_
#define WARPCLUST_BASE_IO_LINE_BLOCKS_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "base/io/line_reader.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

// Calls `parse` with the lines of each block, in `num_threads` threads (0: all
// cores), and `merge` with the results, in order, in this thread. Returns the
// first error of `merge`, or else that of `lines`. `parse` reports errors in
// its result, those of its lines (status()) included.
template <typename Part>
absl::Status ParseLineBlocks(LineReader& lines, int num_threads,
                             absl::FunctionRef<Part(LineReader&)> parse,
                             absl::FunctionRef<absl::Status(Part)> merge) {
  LineBlock block;
  if (!lines.NextBlock(&block)) return lines.status();
  // A single block is not worth a thread.
  const int threads = lines.Peek().empty() ? 1 : ResolveThreads(num_threads);
  if (threads == 1) {
    do {
      LineReader part = LineReader::FromBlock(std::move(block));
      RETURN_IF_ERROR(merge(parse(part)));
    } while (lines.NextBlock(&block));
    return lines.status();
  }

  std::mutex reading;  // Guards `lines`, `block` and `has_block`.
  bool has_block = true;
  std::mutex mutex;  // Guards all below.
  std::condition_variable changed;
  std::map<int64_t, Part> parsed;
  int64_t taken = 0;
  int64_t merged = 0;
  bool ended = false;

  const auto take_block = [&](LineBlock* next, int64_t* number) {
    const std::lock_guard<std::mutex> read_lock(reading);
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return ended || taken - merged < 2 * threads; });
      if (ended) return false;
    }
    if (has_block) *next = std::move(block);
    Stopwatch stopwatch;
    const bool more = std::exchange(has_block, false) || lines.NextBlock(next);
    stopwatch.Lap("read block");
    const std::lock_guard<std::mutex> lock(mutex);
    ended |= !more;
    changed.notify_all();
    *number = taken;
    taken += more ? 1 : 0;
    return more;
  };
  const auto work = [&] {
    LineBlock next;
    int64_t number;
    while (take_block(&next, &number)) {
      Stopwatch stopwatch;
      LineReader part = LineReader::FromBlock(std::move(next));
      Part result = parse(part);
      stopwatch.Lap("parse block");
      const std::lock_guard<std::mutex> lock(mutex);
      parsed.emplace(number, std::move(result));
      changed.notify_all();
    }
  };

  std::vector<std::thread> workers(threads);
  for (std::thread& worker : workers) worker = std::thread(work);
  absl::Status status;
  while (status.ok()) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] {
      return parsed.count(merged) > 0 || (ended && merged == taken);
    });
    if (merged == taken) break;
    auto part = parsed.extract(merged);
    ++merged;
    changed.notify_all();
    lock.unlock();
    Stopwatch stopwatch;
    status = merge(std::move(part.mapped()));
    stopwatch.Lap("merge block");
  }
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ended = true;
    changed.notify_all();
  }
  for (std::thread& worker : workers) worker.join();
  return status.ok() ? lines.status() : status;
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_LINE_BLOCKS_H_
