// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/line_blocks.h"

#include <omp.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "base/io/lines/line_parts.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust::internal {
namespace {

// What the threads do: each one merges if a block is due, or else reads one if
// few are waiting, or else parses one. Of a plain file, it reads a part if none
// is waiting.
class Blocks {
 public:
  // `first` is taken out of `lines` already. `most`: blocks that are read and
  // not merged.
  Blocks(LineReader& lines, LineBlock first, int threads, int64_t most,
         absl::FunctionRef<void(int64_t, LineReader&)> parse,
         absl::FunctionRef<absl::Status(int64_t, std::function<void()>*)> merge)
      : lines_(lines),
        parts_(lines),
        threads_(threads),
        buffers_(parts_.num_parts() > 0 ? 0 : lines.MostBlocksLeft()),
        parse_(parse),
        merge_(merge),
        parsed_(most) {
    waiting_.push_back(std::move(first));
    read_ = 1;
  }

  // In each thread, until nothing is left to take. Blocks that others parse are
  // merged by them.
  void Work() {
    // All threads wait at once for the system to clear the pages.
    if (omp_get_thread_num() < buffers_) lines_.AddBuffer();
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      if (!merging_ && !failed_ && IsParsed(merged_)) {
        Merge(lock);
      } else if (waiting_.empty() && CanReadPart()) {
        ReadPart(lock);
      } else if (CanRead() && Waiting() < threads_) {
        Read(lock);
      } else if (!waiting_.empty()) {
        Parse(lock);
      } else if (ended_) {
        return;
      } else {
        changed_.wait(lock);
      }
    }
  }

  const absl::Status& status() const { return status_; }

 private:
  using Lock = std::unique_lock<std::mutex>;

  int64_t Most() const { return static_cast<int64_t>(parsed_.size()); }
  int64_t Waiting() const { return static_cast<int64_t>(waiting_.size()); }
  // Blocks of parts that are read now are counted too.
  bool HasRoom() const {
    return !ended_ &&
           read_ - merged_ + begun_parts_ - parts_.num_taken() < Most();
  }
  bool CanReadPart() const {
    return begun_parts_ < parts_.num_parts() && HasRoom();
  }
  // What is behind the parts, if anything.
  bool CanRead() const {
    return parts_.num_taken() == parts_.num_parts() && !reading_ && HasRoom();
  }
  // Of the blocks that were read, the last ones are waiting.
  bool IsParsed(int64_t number) const {
    return number < read_ - Waiting() && parsed_[number % Most()];
  }

  void Merge(Lock& lock) {
    merging_ = true;
    if (CanRead() || CanReadPart()) changed_.notify_one();
    lock.unlock();
    Stopwatch stopwatch;
    std::function<void()> rest;
    const absl::Status status = merge_(merged_, &rest);
    stopwatch.Lap("merge block");
    lock.lock();
    merging_ = false;
    parsed_[merged_ % Most()] = false;
    ++merged_;
    if (status.ok()) {
      if (CanRead() || CanReadPart()) changed_.notify_one();
    } else {
      status_ = status;
      failed_ = true;
      waiting_.clear();
      End();
    }
    if (rest == nullptr) return;
    // Others may merge the next one meanwhile.
    if (!failed_ && IsParsed(merged_)) changed_.notify_one();
    lock.unlock();
    rest();
    stopwatch.Lap("finish block");
    lock.lock();
  }

  // One thread reads block after block, since waking another one takes about as
  // long as reading.
  void Read(Lock& lock) {
    reading_ = true;
    lock.unlock();
    LineBlock block;
    Stopwatch stopwatch;
    const bool more = lines_.NextBlock(&block);
    stopwatch.Lap("read block");
    lock.lock();
    reading_ = false;
    if (!more) return End();
    if (failed_) return;
    waiting_.push_back(std::move(block));
    ++read_;
    changed_.notify_one();
  }

  void ReadPart(Lock& lock) {
    const int64_t number = begun_parts_++;
    lock.unlock();
    Stopwatch stopwatch;
    LineParts::Part part = parts_.Read(number);
    stopwatch.Lap("read block");
    lock.lock();
    read_parts_.emplace(number, std::move(part));
    while (!ended_ && !read_parts_.empty() &&
           read_parts_.begin()->first == parts_.num_taken()) {
      LineParts::Part next = std::move(read_parts_.begin()->second);
      read_parts_.erase(read_parts_.begin());
      const bool more = parts_.Take(next);
      if (!next.block.bytes.empty()) {
        waiting_.push_back(std::move(next.block));
        ++read_;
        changed_.notify_one();
      }
      if (!more) End();
    }
  }

  void Parse(Lock& lock) {
    const int64_t number = read_ - Waiting();
    LineBlock block = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    {
      Stopwatch stopwatch;
      LineReader part = LineReader::FromBlock(std::move(block));
      parse_(number, part);
      stopwatch.Lap("parse block");
    }
    lock.lock();
    parsed_[number % Most()] = true;
  }

  // Nothing more is read.
  void End() {
    ended_ = true;
    changed_.notify_all();
  }

  LineReader& lines_;  // Used by the thread that set reading_.
  LineParts parts_;    // Guarded by mutex_, except Read.
  const int64_t threads_;
  // As many threads have a buffer at hand: parts are read into their own.
  const int64_t buffers_;
  absl::FunctionRef<void(int64_t, LineReader&)> parse_;
  absl::FunctionRef<absl::Status(int64_t, std::function<void()>*)> merge_;

  std::mutex mutex_;  // Guards all below.
  // A block is waiting, or may be read, or none will be.
  std::condition_variable changed_;
  std::deque<LineBlock> waiting_;
  // Read, behind one that is not.
  std::map<int64_t, LineParts::Part> read_parts_;
  int64_t begun_parts_ = 0;
  bool reading_ = false;
  bool merging_ = false;
  bool ended_ = false;
  bool failed_ = false;
  int64_t read_ = 0;
  int64_t merged_ = 0;
  // Of the blocks from merged_ to read_, by number modulo their most.
  std::vector<bool> parsed_;
  absl::Status status_;
};

}  // namespace

int64_t MostBlocks(int num_threads) {
  return 3 * int64_t{ResolveThreads(num_threads)};
}

absl::Status ForEachBlock(
    LineReader& lines, int num_threads,
    absl::FunctionRef<void(int64_t, LineReader&)> parse,
    absl::FunctionRef<absl::Status(int64_t, std::function<void()>*)> merge) {
  lines.FitBlocks(ResolveThreads(num_threads));
  LineBlock block;
  if (!lines.NextBlock(&block)) return lines.status();
  // A single block is not worth a thread.
  const int threads = lines.Peek().empty() ? 1 : ResolveThreads(num_threads);
  if (threads == 1) {
    int64_t number = 0;
    do {
      LineReader part = LineReader::FromBlock(std::move(block));
      parse(number, part);
      std::function<void()> rest;
      const absl::Status merged = merge(number++, &rest);
      if (rest != nullptr) rest();
      RETURN_IF_ERROR(merged);
    } while (lines.NextBlock(&block));
    return lines.status();
  }
  Blocks blocks(lines, std::move(block), threads, MostBlocks(num_threads),
                parse, merge);
  // OpenMP's threads, because those of the next step would wait for the
  // processors that these leave only after a while of spinning.
#pragma omp parallel num_threads(threads)
  blocks.Work();
  return blocks.status().ok() ? lines.status() : blocks.status();
}

}  // namespace warpclust::internal
