// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/exchange_steps.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// Work on another thread, one after the other.
class Ahead {
 public:
  ~Ahead() {
    if (thread_.joinable()) thread_.join();
  }

  void Start(std::function<absl::Status()> work) {
    thread_ = std::thread([this, work = std::move(work)] { status_ = work(); });
  }
  // What the last work returned.
  absl::Status Wait() {
    if (thread_.joinable()) thread_.join();
    return status_;
  }

 private:
  absl::Status status_;
  std::thread thread_;
};

// A step without pieces has an exchange too, of none.
std::vector<PieceExchange> ExchangesOf(const std::vector<ExchangeStep>& steps) {
  std::vector<PieceExchange> exchanges;
  for (const ExchangeStep& step : steps) {
    const size_t count =
        std::max<size_t>({1, step.sent.size(), step.received.size()});
    for (size_t k = 0; k < count; ++k) {
      exchanges.push_back(
          {&step, k < step.sent.size() ? &step.sent[k] : nullptr,
           k < step.received.size() ? &step.received[k] : nullptr,
           k + 1 == count});
    }
  }
  return exchanges;
}

}  // namespace

// The cost of a rank is counted in pairs. A visitor costs one for each own row,
// and for each tile that it meets a ninth of a tile; a piece costs a pass over
// the own rows, a sixteenth of a tile for each. So nearly empty tiles are
// avoided; and of the lower rank, the rows that fill no tile may be visitors of
// the upper one.
SharedPairs SharePairs(int32_t lower_rows, int32_t upper_rows, int32_t tile) {
  if (tile == 1) return {0, upper_rows - upper_rows / 2};
  const auto cost = [tile](int64_t visitors, int64_t rows) {
    const int64_t tiles = (rows + tile - 1) / tile;
    return rows == 0 ? 0 : visitors * (tiles * tile / 9 + rows);
  };
  SharedPairs best = {};
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const int32_t first : {0, lower_rows % tile}) {
    const int64_t corner =
        first == 0 ? 0
                   : cost(first, upper_rows) + int64_t{upper_rows} * tile / 16;
    const auto upper = [&](int32_t joined) {
      return corner + cost(lower_rows - first, joined);
    };
    const auto lower = [&](int32_t joined) {
      return cost(upper_rows - joined, lower_rows - first);
    };
    // The fewest rows with which the upper rank has more to do, or all.
    int32_t begin = 0, end = upper_rows;
    while (begin < end) {
      const int32_t middle = begin + (end - begin) / 2;
      if (upper(middle) < lower(middle)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    for (const int32_t joined : {std::max(0, end - 1), end}) {
      const int64_t larger = std::max(upper(joined), lower(joined));
      if (larger >= least) continue;
      least = larger;
      best = {first, upper_rows - joined};
    }
  }
  return best;
}

template <typename Documents>
absl::StatusOr<std::vector<ExchangeStep>> PlanExchange(
    Communicator& ranks, const Documents& documents,
    const std::vector<int32_t>& begins, int32_t tile,
    const PieceLimits& limits) {
  const int rank = ranks.rank(), size = ranks.size();
  const int32_t num_rows = documents.num_documents();
  std::vector<ExchangeStep> steps;
  for (int s = 1; 2 * s <= size; ++s) {
    ExchangeStep step;
    step.to = (rank + s) % size;
    step.from = (rank + size - s) % size;
    int32_t sent_end = num_rows;
    PieceLimits piece_limits = limits;
    // Rows from `second` on are joined with another part of the receiver's.
    int32_t second = 0, second_joins = 0;
    if (step.to == step.from) {
      const auto [lower, upper] = std::minmax({rank, step.to});
      const SharedPairs shared =
          SharePairs(begins[lower + 1] - begins[lower],
                     begins[upper + 1] - begins[upper], tile);
      if (rank == upper) {
        sent_end = shared.upper_begin;
        second_joins = shared.lower_begin;
        // Each is joined with all rows of the lower rank, and one of that with
        // about half of the rows here. Pieces of both that travel at the same
        // time are to cost the same: a rank waits for the one that joins last.
        if (tile == 1) {
          piece_limits.rows = std::max(1, limits.rows / 2);
          piece_limits.words = std::max<int64_t>(1, limits.words / 2);
        }
      } else {
        second = shared.lower_begin;
        second_joins = shared.upper_begin;
      }
    }
    std::vector<int32_t> cuts =
        CutIntoPieces(documents, sent_end, piece_limits);
    const auto at = std::lower_bound(cuts.begin(), cuts.end(), second);
    if (at == cuts.end() || *at != second) cuts.insert(at, second);
    for (size_t k = 0; k + 1 < cuts.size(); ++k) {
      step.sent.push_back({PackedWords(documents, cuts[k], cuts[k + 1]),
                           cuts[k + 1] - cuts[k], cuts[k],
                           cuts[k] < second ? 0 : second_joins});
    }
    ASSIGN_OR_RETURN(step.received, ranks.SendReceiveAll<Piece>(
                                        step.sent, step.to, step.from));
    steps.push_back(std::move(step));
  }
  return steps;
}

template absl::StatusOr<std::vector<ExchangeStep>> PlanExchange(
    Communicator& ranks, const DocumentMatrix& documents,
    const std::vector<int32_t>& begins, int32_t tile,
    const PieceLimits& limits);
template absl::StatusOr<std::vector<ExchangeStep>> PlanExchange(
    Communicator& ranks, const DenseDocuments& documents,
    const std::vector<int32_t>& begins, int32_t tile,
    const PieceLimits& limits);

absl::Status RunExchanges(const std::vector<ExchangeStep>& steps,
                          bool ahead_of_steps, ExchangeWork& work) {
  const std::vector<PieceExchange> exchanges = ExchangesOf(steps);
  Ahead ahead;
  const auto start = [&](size_t i) -> absl::Status {
    if (i == exchanges.size()) return absl::OkStatus();
    RETURN_IF_ERROR(work.Prepare(exchanges[i]));
    ahead.Start([&work, &exchanges, i] {
      Stopwatch stopwatch;
      const absl::Status status = work.Exchange(exchanges[i]);
      stopwatch.Lap("exchange rows");
      return status;
    });
    return absl::OkStatus();
  };
  Stopwatch stopwatch;
  if (ahead_of_steps) RETURN_IF_ERROR(start(0));
  RETURN_IF_ERROR(work.JoinOwn());
  stopwatch.Lap("own rows");
  if (!ahead_of_steps) RETURN_IF_ERROR(start(0));
  for (size_t i = 0; i < exchanges.size(); ++i) {
    const bool ends_step = exchanges[i].ends_step;
    RETURN_IF_ERROR(ahead.Wait());
    stopwatch.Lap("wait for rows");
    work.Receive(exchanges[i]);
    if (ahead_of_steps || !ends_step) RETURN_IF_ERROR(start(i + 1));
    RETURN_IF_ERROR(work.Join(exchanges[i]));
    stopwatch.Lap("join rows");
    if (!ends_step) continue;
    RETURN_IF_ERROR(ahead.Wait());
    RETURN_IF_ERROR(work.Finish(*exchanges[i].step));
    stopwatch.Lap("exchange edges");
    if (!ahead_of_steps) RETURN_IF_ERROR(start(i + 1));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
