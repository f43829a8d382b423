// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ThreadShares: threads that share all pairs (pair_share.h) on one GPU, as if
// each had its own.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_THREAD_SHARES_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_THREAD_SHARES_H_

#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/pair_share.h"

namespace warpclust {

class ThreadShares {
 public:
  explicit ThreadShares(int size)
      : statuses_(size), sent_(size, nullptr), barrier_(size) {}

  // From now on this GPU has no room, or another error.
  void RefuseToBegin(int rank, const absl::Status& error) {
    refusing_ = rank;
    error_ = error;
  }

  // Runs body(share) on a thread for each share. One that ends early leaves the
  // others to themselves.
  void Run(absl::FunctionRef<void(PairShare&)> body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < static_cast<int>(sent_.size()); ++rank) {
      threads.emplace_back([this, rank, body] {
        Share share(*this, rank);
        body(share);
        barrier_.arrive_and_drop();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  class Share final : public PairShare {
   public:
    Share(ThreadShares& all, int rank) : all_(all), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(all_.sent_.size()); }

    absl::Status Agree(const absl::Status& status) override {
      all_.statuses_[rank_] = rank_ == all_.refusing_ ? all_.error_ : status;
      all_.barrier_.arrive_and_wait();
      absl::Status agreed;
      for (const absl::Status& one : all_.statuses_) agreed.Update(one);
      all_.barrier_.arrive_and_wait();
      return agreed;
    }

    // All threads give their work to the same default stream.
    absl::Status Exchange(int step, const void* mine, void* theirs,
                          int64_t bytes) override {
      all_.sent_[rank_] = mine;
      all_.barrier_.arrive_and_wait();
      const absl::Status copied = internal::CopyWithinDevice(
          all_.sent_[(rank_ - step + size()) % size()], theirs, bytes);
      all_.barrier_.arrive_and_wait();
      return copied;
    }

   private:
    ThreadShares& all_;
    const int rank_;
  };

  int refusing_ = -1;
  absl::Status error_;
  std::vector<absl::Status> statuses_;
  std::vector<const void*> sent_;
  std::barrier<> barrier_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_THREAD_SHARES_H_
