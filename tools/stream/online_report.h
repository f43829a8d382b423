// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What online_cluster tells people: notes, the progress line, the summary, and
// JSON.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_REPORT_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_REPORT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_state.h"
#include "base/io/text_writer.h"
#include "eval/describe/stream_descriptions.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/run_report.h"
#include "tools/stream/online_flags.h"
#include "tools/stream/online_pipeline.h"
#include "tools/stream/online_session.h"

namespace warpclust {

// Notes what an approximate method loses in batches of `batch` documents.
void NoteLoss(const OnlineMethodOptions& method, int64_t batch,
              const ToolRun& run);

// What the progress line shows. One thread calls Update, after each block, and
// one calls Text.
class LiveFigures {
 public:
  void Update(int64_t documents, const OnlineClusterer& clusterer) {
    documents_ = documents;
    clusters_ = clusterer.num_clusters();
    // They come from the GPU, which would wait for that after each block.
    constexpr std::chrono::milliseconds kCountAgain(100);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_counts_ < kCountAgain) return;
    last_counts_ = now;
    const OnlineCounts counts = clusterer.counts();
    list_entries_ = counts.list_entries;
    lists_ = counts.lists;
  }

  // With the rate since the last call.
  std::string Text();

 private:
  std::atomic<int64_t> documents_{0};
  std::atomic<int64_t> clusters_{0};
  std::atomic<int64_t> list_entries_{0};
  std::atomic<int64_t> lists_{0};
  // Of Update.
  std::chrono::steady_clock::time_point last_counts_;
  // At the last call of Text.
  std::chrono::steady_clock::time_point last_time_ =
      std::chrono::steady_clock::now();
  int64_t last_documents_ = 0;
};

// Fills in the fields of this tool. `merged` clusters of all runs merged into
// others; `stopped`: by a signal.
void ReportOnline(const OnlineSession& session,
                  const OnlineClusterer& clusterer, int64_t merged,
                  bool stopped, RunReport* report);

// Says what --device=auto expected of the documents of this run, and why it
// chose its device. Nothing of a method that runs on one device only.
void ReportDeviceChoice(const OnlineClusterer& clusterer, RunReport* report);

// --final: writes a line for each document of this run. `session` kept the
// members and has taken all documents; `home` is FinalClusters.
void WriteFinalLines(const OnlineSession& session,
                     absl::Span<const int32_t> home, TextWriter* writer);

// What is known of the clusters at the end. Merged clusters are one, under the
// number that is left.
struct OnlineClusters {
  OnlineState state;
  // FinalClusters.
  std::vector<int32_t> home;
  StreamDescriptions described;
};

// `describer` has taken the documents of this run; without it, nothing is
// described. The errors of OnlineClusterer::State.
absl::StatusOr<OnlineClusters> DescribeOnline(OnlinePipeline* pipeline,
                                              StreamDescriber* describer,
                                              int num_threads);

// Writes the clusters of the documents of this run, each with its number, its
// documents of all runs and, if they are described, its heaviest terms, its
// description and its times.
// `session` kept the members and has taken all documents.
absl::Status WriteOnlineJson(const OnlineSession& session,
                             const OnlinePipeline& pipeline,
                             const OnlineClusters& clusters,
                             TextWriter* writer);

// Writes the page of --report about the documents of this run. `input` names
// it; `words` are those of the columns.
absl::Status WriteOnlinePage(const OnlineClusters& clusters,
                             absl::string_view input,
                             absl::Span<const std::string> words,
                             const OnlineFlags& options, const FlagSet& flags,
                             const ToolRun& run);

// Writes the file of --titles. Sizes are those of all runs.
absl::Status WriteOnlineTitles(const std::string& path,
                               const OnlineClusters& clusters);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_REPORT_H_
