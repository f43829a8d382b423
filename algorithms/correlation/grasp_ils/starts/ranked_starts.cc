// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/grasp_ils/starts/ranked_starts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

class RankedStartRunner final : public StartRunner {
 public:
  RankedStartRunner(std::unique_ptr<StartRunner> runner, int64_t batch,
                    Communicator& ranks)
      : runner_(std::move(runner)), batch_(batch), ranks_(ranks) {}

  int64_t batch() const override { return batch_; }

  absl::StatusOr<std::vector<StartResult>> Run(
      int64_t begin, int64_t end, SearchControl& control) override {
    const ItemRange mine = ItemsOfRank(ranks_, end - begin);
    std::vector<StartResult> made;
    if (mine.size() > 0) {
      ASSIGN_OR_RETURN(
          made, runner_->Run(begin + mine.begin, begin + mine.end, control));
    }
    std::vector<Start> starts;
    for (const StartResult& start : made) {
      starts.push_back({start.imbalance, static_cast<int32_t>(start.aborted),
                        static_cast<int32_t>(start.labels.size())});
    }
    ASSIGN_OR_RETURN(const RankLists<Start> all,
                     ranks_.AllGather(absl::MakeConstSpan(starts)));
    const std::vector<bool> is_sent = AreSent(all.values);
    Labels sent;
    for (size_t i = 0; i < made.size(); ++i) {
      if (!is_sent[mine.begin + i]) continue;
      sent.insert(sent.end(), made[i].labels.begin(), made[i].labels.end());
    }
    ASSIGN_OR_RETURN(const RankLists<int32_t> labels,
                     ranks_.AllGather(absl::MakeConstSpan(sent)));
    std::vector<StartResult> results(all.values.size());
    const int32_t* next = labels.values.data();
    for (size_t i = 0; i < results.size(); ++i) {
      const Start& start = all.values[i];
      results[i].imbalance = start.imbalance;
      results[i].aborted = start.aborted != 0;
      if (!is_sent[i]) continue;
      results[i].labels.assign(next, next + start.num_labels);
      next += start.num_labels;
    }
    return results;
  }

 private:
  struct Start {
    int64_t imbalance;
    int32_t aborted;
    int32_t num_labels;
  };

  // Nobody needs the labels of a start that an earlier one of this Run equals,
  // except that they tell an aborted start from one that was not made.
  static std::vector<bool> AreSent(absl::Span<const Start> starts) {
    std::vector<bool> sent;
    int64_t best = std::numeric_limits<int64_t>::max();
    for (const Start& start : starts) {
      sent.push_back(start.num_labels > 0 &&
                     (start.aborted != 0 || start.imbalance < best));
      best = std::min(best, start.imbalance);
    }
    return sent;
  }

  const std::unique_ptr<StartRunner> runner_;
  const int64_t batch_;
  Communicator& ranks_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<StartRunner>> NewRankedStartRunner(
    std::unique_ptr<StartRunner> runner, Communicator& ranks) {
  ASSIGN_OR_RETURN(const int64_t batch,
                   ranks.AllReduce(Reduction::kSum, runner->batch()));
  return std::make_unique<RankedStartRunner>(std::move(runner), batch, ranks);
}

}  // namespace warpclust
