// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What rank 0 tells the other ranks to do.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_ORDERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_ORDERS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"

namespace warpclust {

enum class Task : int64_t {
  kBegin,
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

inline absl::Status Tell(Order order, Communicator& ranks) {
  return ranks.Broadcast(absl::MakeSpan(&order, 1), 0);
}

// The next order, on a rank other than 0.
inline absl::StatusOr<Order> Listen(Communicator& ranks) {
  Order order;
  RETURN_IF_ERROR(ranks.Broadcast(absl::MakeSpan(&order, 1), 0));
  return order;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_RANK_ORDERS_H_
