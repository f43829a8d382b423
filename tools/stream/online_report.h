// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What online_cluster says of itself: the progress line while it works, and the
// summary at the end.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_REPORT_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_REPORT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/state/online_engine.h"
#include "tools/cli/run_report.h"
#include "tools/stream/online_session.h"

namespace warpclust {

// What the progress line shows. Thread-safety: one thread calls Update, after
// each block, and one Text.
class LiveFigures {
 public:
  void Update(int64_t documents, const OnlineClusterer& clusterer) {
    documents_ = documents;
    clusters_ = clusterer.num_clusters();
    const OnlineCounts counts = clusterer.counts();
    list_entries_ = counts.list_entries;
    lists_ = counts.lists;
  }

  // The rate is that since the last call.
  std::string Text();

 private:
  std::atomic<int64_t> documents_{0};
  std::atomic<int64_t> clusters_{0};
  std::atomic<int64_t> list_entries_{0};
  std::atomic<int64_t> lists_{0};
  // Of the last call of Text.
  std::chrono::steady_clock::time_point last_time_ =
      std::chrono::steady_clock::now();
  int64_t last_documents_ = 0;
};

// Fills what is this tool's in `report`. `merged` clusters of all runs became
// part of others; `stopped` by a signal.
void ReportOnline(const OnlineSession& session,
                  const OnlineClusterer& clusterer, int64_t merged,
                  bool stopped, RunReport* report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_REPORT_H_
