// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ExchangeStep: which documents go to which rank, and which come, when blocks
// of all ranks meet (cosine_graph_distributed.h). RunExchanges does the steps:
// the next piece travels while the last one is joined.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_EXCHANGE_STEPS_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_EXCHANGE_STEPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "graph/cosine/distributed/document_pieces.h"

namespace warpclust {

// Rows of a block, which their receiver joins with its own rows from own_begin
// on.
struct Piece {
  int64_t num_words;
  int32_t num_rows;
  int32_t begin;  // Counted from the first row of the block.
  int32_t own_begin;
};

// This rank sends to one rank and receives from another. If they are the same
// rank, both share the pairs of their blocks (SharedPairs).
struct ExchangeStep {
  int to = 0;
  int from = 0;
  std::vector<Piece> sent;
  std::vector<Piece> received;
};

// The upper of two ranks joins its rows from upper_begin on with all rows of
// the lower one, and its other rows with those of the lower one before
// lower_begin. The lower rank joins the rest: its rows from lower_begin on with
// those of the upper one before upper_begin.
struct SharedPairs {
  int32_t lower_begin;
  int32_t upper_begin;
};

// About half of the cost for each. For `tile` see PlanExchange.
SharedPairs SharePairs(int32_t lower_rows, int32_t upper_rows, int32_t tile);

// The floor(p / 2) steps of this rank. A collective call. `begins` as in
// GraphShare; up to `tile` own rows, the same number on all ranks, cost about
// as much to join with a visitor as one of them.
template <typename Documents>
absl::StatusOr<std::vector<ExchangeStep>> PlanExchange(
    Communicator& ranks, const Documents& documents,
    const std::vector<int32_t>& begins, int32_t tile,
    const PieceLimits& limits);

// One piece each way.
struct PieceExchange {
  const ExchangeStep* step;
  // Null: none.
  const Piece* sent;
  const Piece* received;
  bool ends_step;

  int to() const { return sent == nullptr ? Communicator::kNobody : step->to; }
  int from() const {
    return received == nullptr ? Communicator::kNobody : step->from;
  }
};

// What a rank does.
class ExchangeWork {
 public:
  virtual ~ExchangeWork() = default;

  // Before each exchange.
  virtual absl::Status Prepare(const PieceExchange& next) = 0;
  // On another thread, beside JoinOwn and Join.
  virtual absl::Status Exchange(const PieceExchange& next) = 0;
  // After it: the piece received, if any, is the one to be joined.
  virtual void Receive(const PieceExchange& exchange) = 0;

  // The own rows with each other, and with the piece received.
  virtual absl::Status JoinOwn() = 0;
  virtual absl::Status Join(const PieceExchange& exchange) = 0;
  // After the pieces of a step; no exchange runs.
  virtual absl::Status Finish(const ExchangeStep& step) = 0;
};

// With `ahead_of_steps` the first piece of a step, too, travels before the
// step: beside JoinOwn, or the last Join. It then takes memory during Finish.
absl::Status RunExchanges(const std::vector<ExchangeStep>& steps,
                          bool ahead_of_steps, ExchangeWork& work);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_EXCHANGE_STEPS_H_
