// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OneAhead: results that another thread makes, one ahead of the thread that
// takes them. Use it to read a stream while the last block is processed.
//
//   OneAhead<Block> blocks(/*ahead=*/true, [&](Block* block) {
//     return Read(block);  // False: this is the last one.
//   });
//   while (blocks.Take(&block)) ...
//
// The next result is begun when the last one is taken, so there are at most
// two: one taken, and one made or waiting. Without `ahead` there is no thread,
// and Take makes the result.
//
// The destructor waits for the result that is being made: tell its maker to
// stop first. One thread takes.

#ifndef WARPCLUST_TOOLS_STREAM_ONE_AHEAD_H_
#define WARPCLUST_TOOLS_STREAM_ONE_AHEAD_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace warpclust {

template <typename T>
class OneAhead {
 public:
  // `make` sets a result; false if it is the last one, after which `make` is
  // not called again.
  OneAhead(bool ahead, std::function<bool(T*)> make) : make_(std::move(make)) {
    if (ahead) maker_ = std::thread([this] { MakeAll(); });
  }
  ~OneAhead() {
    if (!maker_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    maker_.join();
  }
  OneAhead(const OneAhead&) = delete;
  OneAhead& operator=(const OneAhead&) = delete;

  // Waits for the next result; false if it is the last one. Not to be called
  // after that.
  bool Take(T* result) {
    if (!maker_.joinable()) return make_(result);
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return made_; });
    *result = std::move(result_);
    made_ = false;
    const bool more = more_;
    lock.unlock();
    changed_.notify_all();
    return more;
  }

 private:
  void MakeAll() {
    bool more = true;
    while (more) {
      T result = T();
      more = make_(&result);
      std::unique_lock<std::mutex> lock(mutex_);
      result_ = std::move(result);
      more_ = more;
      made_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return closed_ || !made_; });
      if (closed_) return;
    }
  }

  const std::function<bool(T*)> make_;
  std::mutex mutex_;  // Guards all below.
  std::condition_variable changed_;
  T result_ = T();
  bool made_ = false;
  bool more_ = true;
  bool closed_ = false;
  std::thread maker_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONE_AHEAD_H_
