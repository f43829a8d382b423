// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What rank 0 tells the other ranks to do. It tells each by a message, not by a
// Broadcast, in which ranks would wait for one another: some orders are for one
// rank.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_ORDERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_ORDERS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"

namespace warpclust {

enum class Task : int64_t {
  kBegin,
  kAlone,
  kWait,
  kBatch,
  kDeal,
  kMerge,
  kState,
  kEnd
};

struct Order {
  Task task = Task::kEnd;
  int64_t num_words = 0;  // Of a batch, which follows.
};

inline absl::Status TellOne(const Order& order, int rank, Communicator& ranks) {
  return ranks.SendReceive(
      {reinterpret_cast<const char*>(&order), sizeof(order)}, rank, {},
      Communicator::kNobody);
}

// Tells the ranks from 1 up to `end`, exclusive.
inline absl::Status TellUpTo(int end, const Order& order, Communicator& ranks) {
  for (int r = 1; r < end; ++r) {
    RETURN_IF_ERROR(TellOne(order, r, ranks));
  }
  return absl::OkStatus();
}

// Tells all.
inline absl::Status Tell(const Order& order, Communicator& ranks) {
  return TellUpTo(ranks.size(), order, ranks);
}

// The next order, on a rank other than 0.
inline absl::StatusOr<Order> Listen(Communicator& ranks) {
  Order order;
  RETURN_IF_ERROR(
      ranks.SendReceive({}, Communicator::kNobody,
                        {reinterpret_cast<char*>(&order), sizeof(order)}, 0));
  return order;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_ORDERS_H_
