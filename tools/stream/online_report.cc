// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_report.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_state.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/describe/cluster_descriptions.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "tools/describe/write_descriptions.h"
#include "tools/input/stream/stream_vectorizer.h"
#include "tools/report/documents_page.h"
#include "tools/report/report_file.h"

namespace warpclust {
namespace {

// The names of a cluster's terms with the largest sums, the largest first.
std::vector<std::string> TopTerms(const OnlineState& state, int32_t cluster,
                                  const StreamVectorizer& vectorizer) {
  constexpr size_t kShown = 10;
  const absl::Span<const int32_t> terms = state.TermsOf(cluster);
  const absl::Span<const int64_t> sums = state.SumsOf(cluster);
  std::vector<std::pair<int64_t, int32_t>> largest;
  for (size_t i = 0; i < terms.size(); ++i) {
    largest.emplace_back(-sums[i], terms[i]);
  }
  const size_t shown = std::min(kShown, largest.size());
  std::partial_sort(largest.begin(), largest.begin() + shown, largest.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < shown; ++i) {
    names.push_back(vectorizer.TermName(largest[i].second));
  }
  return names;
}

// The description of a cluster and the times of its documents.
void AppendStream(const StreamDescriptions& described, int32_t cluster,
                  std::string* json) {
  AppendDescription(described.descriptions.clusters[cluster],
                    described.sample_ids, json);
  const ClusterTimeline& timeline = described.timelines[cluster];
  if (timeline.timed == 0) return;
  absl::StrAppend(json, ",\"first_time\":", timeline.first,
                  ",\"last_time\":", timeline.last,
                  ",\"interval\":", described.interval, ",\"times\":[");
  for (size_t i = 0; i < timeline.counts.size(); ++i) {
    absl::StrAppend(json, i > 0 ? "," : "", "[", timeline.counts[i].first, ",",
                    timeline.counts[i].second, "]");
  }
  json->push_back(']');
}

}  // namespace

void NoteLoss(const OnlineMethodOptions& method, int64_t batch,
              const ToolRun& run) {
  if (!IsApproximate(method.method)) return;
  const absl::string_view name = OnlineMethodName(method.method);
  const Decimal epsilon = DocumentsAtATime(method.method, method).epsilon;
  if (batch > 1) {
    run.Note(absl::StrCat(
        name, ": the documents of a batch of ", GroupDigits(batch),
        " do not see one another, so a story that begins within a batch falls "
        "apart; auto is exact"));
  }
  if (epsilon.numerator > 0) {
    run.Note(absl::StrCat(
        name,
        ": a document may join a cluster that is less similar than "
        "the most similar one, by at most ",
        FormatDecimal(epsilon)));
  }
}

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
      {"method", JsonQuote(OnlineMethodName(clusterer.method()))},
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

void ReportDeviceChoice(const OnlineClusterer& clusterer, RunReport* report) {
  switch (clusterer.method()) {
    case OnlineMethod::kSerial1:
    case OnlineMethod::kSerial2:
    case OnlineMethod::kParallel1:
      return;
    default:
      break;
  }
  const ExpectedSeconds expected = clusterer.Expected();
  const double overhead = CudaOverheadSeconds(0);
  const Device better = FasterDevice(expected, overhead);
  report->device_choice = {
      expected, overhead,
      clusterer.device() == Device::kCuda
          ? "the stream is long enough for a GPU"
      : !HasCudaCode() ? "this build has no CUDA code"
      : better == Device::kCpu
          ? "the stream is too short for a GPU"
          : "no usable GPU, or too few documents at a time"};
}

void WriteFinalLines(const OnlineSession& session,
                     absl::Span<const int32_t> home, TextWriter* writer) {
  std::string line;
  for (size_t d = 0; d < session.clusters().size(); ++d) {
    line.clear();
    absl::StrAppend(&line, session.ids()[d], "\t", home[session.clusters()[d]],
                    "\n");
    writer->Write(line);
  }
}

absl::StatusOr<OnlineClusters> DescribeOnline(OnlinePipeline* pipeline,
                                              StreamDescriber* describer,
                                              int num_threads) {
  OnlineClusters result;
  ASSIGN_OR_RETURN(result.state, pipeline->clusterer().State());
  result.home = FinalClusters(pipeline->clusterer());
  if (describer == nullptr) return result;
  DescribeOptions options;
  options.num_threads = num_threads;
  ASSIGN_OR_RETURN(result.described,
                   describer->Describe(
                       result.home, pipeline->vectorizer().Words(), options));
  return result;
}

absl::Status WriteOnlinePage(const OnlineClusters& clusters,
                             absl::string_view input,
                             absl::Span<const std::string> words,
                             const OnlineFlags& options, const FlagSet& flags,
                             const ToolRun& run) {
  ASSIGN_OR_RETURN(ReportFile file, ReportFile::Open(options.describe.report));
  const StreamDescriptions& described = clusters.described;
  DocumentsPage page;
  page.title = ReportTitle(input);
  page.command = ReportCommand(run, flags);
  page.threshold_name = "T";
  page.threshold = FormatDecimal(options.threshold);
  page.cover = &described.sample;
  page.descriptions = &described.descriptions;
  page.ids = described.sample_ids;
  page.described.words = words;
  page.described.titles = described.sample_titles;
  page.timelines = described.timelines;
  page.interval = described.interval;
  page.num_documents = 0;
  for (const ClusterDescription& cluster : described.descriptions.clusters) {
    page.num_documents += cluster.size;
  }
  RETURN_IF_ERROR(WriteDocumentsPage(page, file.sink()));
  return file.Close();
}

absl::Status WriteOnlineTitles(const std::string& path,
                               const OnlineClusters& clusters) {
  std::vector<ClusterDescription> shown =
      clusters.described.descriptions.clusters;
  for (size_t c = 0; c < shown.size(); ++c) {
    if (shown[c].size > 0) shown[c].size = clusters.state.sizes[c];
  }
  return WriteTitles(path, shown, clusters.described.sample_ids);
}

absl::Status WriteOnlineJson(const OnlineSession& session,
                             const OnlinePipeline& pipeline,
                             const OnlineClusters& clusters,
                             TextWriter* writer) {
  const OnlineState& state = clusters.state;
  const std::vector<int32_t>& home = clusters.home;
  Cover cover;
  cover.offsets.assign(home.size() + 1, 0);
  for (const int32_t c : session.clusters()) ++cover.offsets[home[c] + 1];
  for (size_t c = 0; c < home.size(); ++c) {
    cover.offsets[c + 1] += cover.offsets[c];
  }
  cover.members.resize(session.clusters().size());
  std::vector<int64_t> next(cover.offsets.begin(), cover.offsets.end() - 1);
  for (size_t d = 0; d < session.clusters().size(); ++d) {
    cover.members[next[home[session.clusters()[d]]]++] =
        static_cast<int32_t>(d);
  }
  return WriteCoverJson(
      cover, session.ids(),
      [writer](absl::string_view text) { writer->Write(text); },
      [&](int32_t cluster, std::string* json) {
        absl::StrAppend(json, ",\"cluster\":", cluster,
                        ",\"size\":", state.sizes[cluster]);
        if (clusters.described.timelines.empty()) return;
        absl::StrAppend(json, ",\"top_terms\":[");
        bool first = true;
        for (const std::string& term :
             TopTerms(state, cluster, pipeline.vectorizer())) {
          if (!first) json->push_back(',');
          first = false;
          AppendJsonString(term, json);
        }
        json->push_back(']');
        AppendStream(clusters.described, cluster, json);
      });
}

}  // namespace warpclust
