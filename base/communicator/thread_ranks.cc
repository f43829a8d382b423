// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/communicator/thread_ranks.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// What the threads share. A message is a pointer to the sender's bytes: the
// receiver copies them, and the sender waits until it has.
class Switchboard {
 public:
  explicit Switchboard(int num_ranks)
      : num_ranks_(num_ranks),
        messages_(num_ranks * num_ranks),
        wakeups_(num_ranks),
        has_ended_(num_ranks) {}

  absl::Status Transfer(int rank, absl::Span<const char> out, int to,
                        absl::Span<char> in, int from) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (to != Communicator::kNobody) {
      Message& message = MessageTo(to, rank);
      message.state = State::kPosted;
      message.bytes = out;
      wakeups_[to].notify_one();
    }
    absl::Status status;
    if (from != Communicator::kNobody) {
      status = Receive(&lock, rank, in, from);
    }
    if (to == Communicator::kNobody) return status;
    Message& message = MessageTo(to, rank);
    if (status.ok()) {
      status =
          Wait(&lock, rank, to, [&] { return message.state == State::kNone; });
    }
    // After an error the bytes may go away, but not while they are copied.
    wakeups_[rank].wait(lock, [&] { return message.state != State::kCopying; });
    message.state = State::kNone;
    return status;
  }

  // Rank `rank` has returned `status`.
  void End(int rank, const absl::Status& status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (error_.ok()) error_ = status;
    has_ended_[rank] = true;
    for (std::condition_variable& wakeup : wakeups_) wakeup.notify_one();
  }

  absl::Status error() const { return error_; }

 private:
  enum class State { kNone, kPosted, kCopying };
  struct Message {
    State state = State::kNone;
    absl::Span<const char> bytes;
  };

  Message& MessageTo(int to, int from) {
    return messages_[to * num_ranks_ + from];
  }

  absl::Status Receive(std::unique_lock<std::mutex>* lock, int rank,
                       absl::Span<char> in, int from) {
    Message& message = MessageTo(rank, from);
    RETURN_IF_ERROR(Wait(lock, rank, from,
                         [&] { return message.state == State::kPosted; }));
    if (message.bytes.size() != in.size()) {
      return absl::InternalError(absl::StrCat(
          "rank ", rank, " expected ", in.size(), " bytes of rank ", from,
          ", found ", message.bytes.size()));
    }
    message.state = State::kCopying;
    lock->unlock();
    if (!in.empty()) std::memcpy(in.data(), message.bytes.data(), in.size());
    lock->lock();
    message.state = State::kNone;
    wakeups_[from].notify_one();
    return absl::OkStatus();
  }

  // Waits for `done`, which needs rank `peer`.
  template <typename Predicate>
  absl::Status Wait(std::unique_lock<std::mutex>* lock, int rank, int peer,
                    const Predicate& done) {
    wakeups_[rank].wait(
        *lock, [&] { return done() || !error_.ok() || has_ended_[peer]; });
    if (done()) return absl::OkStatus();
    RETURN_IF_ERROR(error_);
    return absl::InternalError(absl::StrCat("rank ", rank, " waits for rank ",
                                            peer, ", which has returned"));
  }

  const int num_ranks_;
  std::mutex mutex_;
  std::vector<Message> messages_;
  std::vector<std::condition_variable> wakeups_;
  std::vector<bool> has_ended_;
  absl::Status error_;
};

class ThreadRank : public Communicator {
 public:
  ThreadRank(int rank, int size, Switchboard* switchboard)
      : Communicator(rank, size, /*local_rank=*/rank),
        switchboard_(switchboard) {}

 private:
  absl::Status Transfer(absl::Span<const char> out, int to, absl::Span<char> in,
                        int from) override {
    return switchboard_->Transfer(rank(), out, to, in, from);
  }

  Switchboard* const switchboard_;
};

}  // namespace

absl::Status RunOnThreads(int num_ranks,
                          absl::FunctionRef<absl::Status(Communicator&)> run,
                          std::vector<int64_t>* bytes_sent) {
  if (num_ranks < 1 || num_ranks > 1024) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected 1 to 1024 ranks, found ", num_ranks));
  }
  Switchboard switchboard(num_ranks);
  std::vector<int64_t> sent(num_ranks);
  const auto run_rank = [&](int r) {
    ThreadRank communicator(r, num_ranks, &switchboard);
    switchboard.End(r, run(communicator));
    sent[r] = communicator.bytes_sent();
  };
  std::vector<std::thread> threads;
  for (int r = 1; r < num_ranks; ++r) threads.emplace_back(run_rank, r);
  run_rank(0);
  for (std::thread& thread : threads) thread.join();
  if (bytes_sent != nullptr) *bytes_sent = std::move(sent);
  return switchboard.error();
}

}  // namespace warpclust
