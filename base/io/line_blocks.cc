// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/line_blocks.h"

#include <condition_variable>
#include <mutex>

#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust::internal {
namespace {

// What the threads do: each one merges if a part is due, or else takes the next
// block and parses it.
class Blocks {
 public:
  // `first` is taken out of `lines` already.
  Blocks(LineReader& lines, LineBlock first, int64_t most,
         absl::FunctionRef<void(int64_t, LineReader&)> parse,
         absl::FunctionRef<absl::Status(int64_t)> merge)
      : lines_(lines),
        first_(std::move(first)),
        parse_(parse),
        merge_(merge),
        parsed_(most) {}

  // In each thread, until nothing is left to take. Blocks that others parse are
  // merged by them.
  void Work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      if (!merging_ && !failed_ && IsParsed(merged_)) {
        Merge(lock);
      } else if (ended_) {
        return;
      } else if (!reading_ && taken_ - merged_ < Most()) {
        TakeAndParse(lock);
      } else {
        can_take_.wait(lock);
      }
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  using Lock = std::unique_lock<std::mutex>;

  int64_t Most() const { return static_cast<int64_t>(parsed_.size()); }
  bool IsParsed(int64_t number) const {
    return number < taken_ && parsed_[number % Most()];
  }

  void Merge(Lock& lock) {
    merging_ = true;
    lock.unlock();
    Stopwatch stopwatch;
    const absl::Status status = merge_(merged_);
    stopwatch.Lap("merge block");
    lock.lock();
    merging_ = false;
    parsed_[merged_ % Most()] = false;
    ++merged_;
    if (status.ok()) {
      can_take_.notify_one();
      return;
    }
    status_ = status;
    failed_ = true;
    End();
  }

  void TakeAndParse(Lock& lock) {
    reading_ = true;
    lock.unlock();
    LineBlock block = std::move(first_);
    Stopwatch stopwatch;
    const bool more = block.buffer != nullptr || lines_.NextBlock(&block);
    stopwatch.Lap("read block");
    lock.lock();
    reading_ = false;
    if (!more) return End();
    const int64_t number = taken_++;
    can_take_.notify_one();
    lock.unlock();
    {
      Stopwatch parsing;
      LineReader part = LineReader::FromBlock(std::move(block));
      parse_(number, part);
      parsing.Lap("parse block");
    }
    lock.lock();
    parsed_[number % Most()] = true;
  }

  // Nothing more is taken.
  void End() {
    ended_ = true;
    can_take_.notify_all();
  }

  LineReader& lines_;  // Used by the thread that set reading_.
  LineBlock first_;
  absl::FunctionRef<void(int64_t, LineReader&)> parse_;
  absl::FunctionRef<absl::Status(int64_t)> merge_;

  std::mutex mutex_;  // Guards all below.
  std::condition_variable can_take_;
  bool reading_ = false;
  bool merging_ = false;
  bool ended_ = false;
  bool failed_ = false;
  int64_t taken_ = 0;
  int64_t merged_ = 0;
  // Of the blocks from merged_ to taken_, by number modulo their most.
  std::vector<bool> parsed_;
  absl::Status status_;
};

}  // namespace

int64_t MostBlocks(int num_threads) {
  return 3 * int64_t{ResolveThreads(num_threads)};
}

absl::Status ForEachBlock(LineReader& lines, int num_threads,
                          absl::FunctionRef<void(int64_t, LineReader&)> parse,
                          absl::FunctionRef<absl::Status(int64_t)> merge) {
  LineBlock block;
  if (!lines.NextBlock(&block)) return lines.status();
  // A single block is not worth a thread.
  const int threads = lines.Peek().empty() ? 1 : ResolveThreads(num_threads);
  if (threads == 1) {
    int64_t number = 0;
    do {
      LineReader part = LineReader::FromBlock(std::move(block));
      parse(number, part);
      RETURN_IF_ERROR(merge(number++));
    } while (lines.NextBlock(&block));
    return lines.status();
  }
  Blocks blocks(lines, std::move(block), MostBlocks(num_threads), parse, merge);
  // OpenMP's threads, because those of the next step would wait for the
  // processors that these leave only after a while of spinning.
#pragma omp parallel num_threads(threads)
  blocks.Work();
  return blocks.status().ok() ? lines.status() : blocks.status();
}

}  // namespace warpclust::internal
