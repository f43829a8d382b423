// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/online_methods.h"
#include "graph/io/cover_io.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

std::string Quoted(absl::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

}  // namespace

std::string LiveFigures::Text() {
  const auto now = std::chrono::steady_clock::now();
  const double seconds =
      std::chrono::duration<double>(now - last_time_).count();
  const int64_t documents = documents_;
  const double rate =
      static_cast<double>(documents - last_documents_) / (seconds + 1e-9);
  last_time_ = now;
  last_documents_ = documents;
  std::string text =
      absl::StrCat(Counted(documents, {"document", "documents"}), ", ",
                   GroupDigits(static_cast<int64_t>(rate)), "/s, ",
                   Counted(clusters_, {"cluster", "clusters"}));
  const int64_t lists = lists_;
  if (lists > 0) {
    absl::StrAppendFormat(
        &text, ", lists of %.1f",
        static_cast<double>(list_entries_) / static_cast<double>(lists));
  }
  return text;
}

void ReportOnline(const OnlineSession& session,
                  const OnlineClusterer& clusterer, int64_t merged,
                  bool stopped, RunReport* report) {
  const OnlineCounts counts = clusterer.counts();
  report->n = session.taken();
  report->clusters = clusterer.num_clusters() - merged;
  report->memberships = session.taken();
  report->device = std::string(DeviceName(clusterer.device()));
  const OnlineSession::Seconds& seconds = session.seconds();
  report->AddSeconds("read", seconds.read);
  report->AddSeconds("compute", seconds.compute);
  report->AddSeconds("write", seconds.write);
  const auto ratio = [](double a, double b) {
    return absl::StrFormat("%.6g", b > 0 ? a / b : 0);
  };
  report->extra = {
      {"method", Quoted(OnlineMethodName(clusterer.method()))},
      {"documents_seen", absl::StrCat(clusterer.num_documents())},
      {"clusters_founded", absl::StrCat(clusterer.num_clusters())},
      {"clusters_merged", absl::StrCat(merged)},
      {"documents_per_second",
       ratio(static_cast<double>(session.taken() + session.replayed()),
             seconds.compute)},
      {"mean_list_length", ratio(static_cast<double>(counts.list_entries),
                                 static_cast<double>(counts.lists))},
      {"partial_products", absl::StrCat(counts.partial_products)},
      {"candidates", absl::StrCat(counts.candidates)},
      {"batches", absl::StrCat(counts.batches)},
      {"rounds", absl::StrCat(counts.rounds)},
      {"repeated", absl::StrCat(counts.repeated)},
      {"skipped", absl::StrCat(session.skipped())},
      {"replayed", absl::StrCat(session.replayed())},
      {"saves", absl::StrCat(session.saves())},
      {"stopped", stopped ? "\"signal\"" : "\"no\""},
  };
}

}  // namespace warpclust
