// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// online_cluster: clusters of a stream of documents.

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/online_options.h"
#include "algorithms/online/online_state.h"
#include "graph/cover.h"
#include "graph/cover_io.h"
#include "kernels/decimal.h"
#include "kernels/device.h"
#include "sparse/analyzer.h"
#include "sparse/byte_reader.h"
#include "sparse/term_frequencies.h"
#include "sparse/text_writer.h"
#include "sparse/weighting.h"
#include "tools/appended_file.h"
#include "tools/cli.h"
#include "tools/document_stream.h"
#include "tools/duration.h"
#include "tools/flag_set.h"
#include "tools/input_format.h"
#include "tools/input_or_example.h"
#include "tools/interrupt.h"
#include "tools/online_pipeline.h"
#include "tools/online_session.h"
#include "tools/online_snapshot.h"
#include "tools/online_store.h"
#include "tools/run_report.h"
#include "tools/stream_vectorizer.h"

namespace warpclust {
namespace {

constexpr absl::string_view kExample = "headlines.jsonl";

struct Options {
  Decimal threshold = {1, 10};
  int64_t terms = 20;
  std::string expire_after = "0";
  int64_t merge_every = 0;
  Decimal merge_threshold = {5, 10};

  std::string weighting = "tf";
  std::string vocabulary;
  bool stop_words = true;
  bool stem = true;
  std::string language = "english";

  std::string method = "auto";
  int64_t batch = 0;
  Decimal epsilon = {0, 1};

  std::string state;
  bool resume = false;
  int64_t journal_bytes = 0;
};

absl::Status CheckFlags(const Options& options, const FlagSet& flags,
                        const ToolRun& run) {
  const auto needs = [&](absl::string_view flag, bool given,
                         absl::string_view needed) {
    return flags.WasGiven(flag) && !given
               ? UsageError(absl::StrCat("--", flag, " needs ", needed))
               : absl::OkStatus();
  };
  const bool batches = options.method == "auto" ||
                       options.method == "batched" ||
                       options.method == "approximate";
  for (const absl::Status& status :
       {needs("resume", !options.state.empty(), "--state"),
        needs("journal_bytes", !options.state.empty(), "--state"),
        needs("merge_threshold", options.merge_every > 0, "--merge_every"),
        needs("epsilon", options.method == "approximate",
              "--method=approximate"),
        needs("batch", batches, "a method that works in batches")}) {
    if (!status.ok()) return status;
  }
  if (options.state.empty()) {
    return flags.WasGiven("state")
               ? UsageError("--state: expected a path, found none")
               : absl::OkStatus();
  }
  if (options.resume && run.options.format == "json") {
    return UsageError(
        "--resume goes on with lines of tsv; JSON is of one run alone");
  }
  if (absl::EndsWith(run.options.output, ".gz") &&
      run.options.format == "tsv") {
    return UsageError(
        "with --state the output is appended to: it cannot be gzip'ed");
  }
  if (options.state == run.options.output ||
      options.state == run.options.summary) {
    return UsageError("--state is the path of another output");
  }
  return absl::OkStatus();
}

absl::StatusOr<OnlineOptions> ClusteringOptions(const Options& options) {
  OnlineOptions result;
  result.threshold = options.threshold;
  result.terms = static_cast<int32_t>(options.terms);
  result.merge_every = options.merge_every;
  result.merge_threshold = options.merge_threshold;
  const absl::StatusOr<int64_t> expire_after =
      ParseDuration(options.expire_after);
  if (!expire_after.ok()) {
    return UsageError(
        absl::StrCat("--expire_after: ", expire_after.status().message()));
  }
  result.expire_after = *expire_after;
  const absl::Status status = result.Validate();
  if (!status.ok()) return UsageError(status.message());
  return result;
}

absl::StatusOr<OnlineMethodOptions> MethodOptions(const Options& options,
                                                  const ToolRun& run) {
  OnlineMethodOptions result;
  const absl::StatusOr<OnlineMethod> method = ParseOnlineMethod(options.method);
  if (!method.ok()) return UsageError(method.status().message());
  result.method = *method;
  // As asked for: with auto, a small stream stays on the CPU.
  const absl::StatusOr<Device> device = ParseDevice(run.options.device);
  if (!device.ok()) return UsageError(device.status().message());
  result.device = *device;
  result.threads = run.threads;
  result.batch = static_cast<int32_t>(options.batch);
  result.epsilon = options.epsilon;
  const absl::Status status = result.Validate();
  if (!status.ok()) return UsageError(status.message());
  return result;
}

// The blocks that documents are taken in.
DocumentStream::Limits BlockLimits(const OnlineMethodOptions& method) {
  DocumentStream::Limits limits;
  if (method.method == OnlineMethod::kApproximate) {
    // Where a batch starts decides: always after so many documents.
    limits.documents = method.batch > 0 ? method.batch : 1024;
    limits.fill = true;
  } else if (method.batch > 0) {
    limits.documents = std::min<int64_t>(limits.documents, method.batch * 16);
    limits.documents = std::max<int64_t>(limits.documents, method.batch);
  }
  return limits;
}

// Below this, --device=auto may stay on the CPU, and the GPU is not kept busy.
constexpr int64_t kGpuBlock = 16384;

int64_t LeastBlock(const DocumentStream::Limits& limits, const ToolRun& run) {
  if (limits.fill) return limits.documents;
  return run.device == Device::kCuda ? std::min(kGpuBlock, limits.documents)
                                     : 1;
}

// A vocabulary file, and what of it decides.
struct GivenVocabulary {
  absl::optional<TermFrequencies> terms;
  std::string identity = "none";
};

absl::StatusOr<GivenVocabulary> ReadGivenVocabulary(const std::string& path) {
  GivenVocabulary result;
  if (path.empty()) return result;
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path);
  if (!bytes.ok()) return bytes.status();
  const auto checksum = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes->data()), bytes->size()));
  LineReader lines = LineReader::FromString(*bytes, path);
  absl::StatusOr<TermFrequencies> terms = ReadTermFrequencies(lines);
  if (!terms.ok()) return terms.status();
  result.identity = absl::StrFormat("one of %d terms, CRC-32 %08x",
                                    terms->vocabulary.size(), checksum);
  result.terms = *std::move(terms);
  return result;
}

// What of the method decides: nothing, if it is exact.
std::string MethodIdentity(const OnlineMethodOptions& method) {
  if (method.method != OnlineMethod::kApproximate) return "exact";
  return absl::StrCat("approximate (--batch=", BlockLimits(method).documents,
                      " --epsilon=", FormatDecimal(method.epsilon), ")");
}

// Name and value of every flag that decides the clusters.
std::vector<std::pair<std::string, std::string>> DecidingOptions(
    const Options& options, const OnlineOptions& clustering,
    const OnlineMethodOptions& method, bool is_text,
    absl::string_view vocabulary) {
  std::vector<std::pair<std::string, std::string>> result = {
      {"--threshold", FormatDecimal(clustering.threshold)},
      {"--terms", absl::StrCat(clustering.terms)},
      {"--expire_after", absl::StrCat(clustering.expire_after, "s")},
      {"--merge_every", absl::StrCat(clustering.merge_every)},
      {"--merge_threshold", FormatDecimal(clustering.merge_threshold)},
      {"--method", MethodIdentity(method)},
      {"--weighting", options.weighting},
      {"--vocabulary", std::string(vocabulary)},
      {"the input", is_text ? "texts" : "vectors"},
  };
  if (is_text) {
    result.emplace_back("--stop_words", options.stop_words ? "true" : "false");
    result.emplace_back("--stem", options.stem ? "true" : "false");
    result.emplace_back("--language", options.language);
  }
  return result;
}

absl::Status CheckSameOptions(
    const std::string& path, const OnlineSnapshot& snapshot,
    const std::vector<std::pair<std::string, std::string>>& options) {
  for (const auto& [name, value] : options) {
    for (const auto& [saved_name, saved_value] : snapshot.options) {
      if (name == saved_name && value != saved_value) {
        return UsageError(absl::StrCat(path, ": ", name, " was ", saved_value,
                                       " when this state was made, and is ",
                                       value, " now"));
      }
    }
  }
  return absl::OkStatus();
}

// Whether both paths lead to one plain file.
bool AreOneFile(const std::string& a, const std::string& b) {
  struct stat info_a, info_b;
  return stat(a.c_str(), &info_a) == 0 && stat(b.c_str(), &info_b) == 0 &&
         S_ISREG(info_a.st_mode) && info_a.st_dev == info_b.st_dev &&
         info_a.st_ino == info_b.st_ino;
}

// Where lines go: a plain file that a state goes with is appended to.
absl::StatusOr<absl::optional<AppendedFile>> OpenAppended(
    const Options& options, const std::string& input, const ToolRun& run) {
  absl::optional<AppendedFile> none;
  struct stat info;
  if (options.state.empty() || run.options.output == "-" ||
      run.options.format != "tsv" ||
      (stat(run.options.output.c_str(), &info) == 0 &&
       !S_ISREG(info.st_mode))) {
    return none;
  }
  absl::StatusOr<AppendedFile> file = AppendedFile::Open(run.options.output);
  if (!file.ok()) return file.status();
  for (const std::string& other :
       {input == "-" ? "/dev/stdin" : input, options.state,
        absl::StrCat(options.state, ".journal")}) {
    if (AreOneFile(run.options.output, other)) {
      return UsageError(absl::StrCat("--output is the same file as ", other));
    }
  }
  return absl::make_optional(*std::move(file));
}

// What the progress line shows, set after each block.
class LiveFigures {
 public:
  void Update(int64_t documents, const OnlineClusterer& clusterer) {
    documents_ = documents;
    clusters_ = clusterer.num_clusters();
    const OnlineCounts counts = clusterer.counts();
    list_entries_ = counts.list_entries;
    lists_ = counts.lists;
  }

  // The rate is that since the last call. One thread calls it.
  std::string Text() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds =
        std::chrono::duration<double>(now - last_time_).count();
    const int64_t documents = documents_;
    const double rate =
        static_cast<double>(documents - last_documents_) / (seconds + 1e-9);
    last_time_ = now;
    last_documents_ = documents;
    std::string text =
        absl::StrCat(GroupDigits(documents), " documents, ",
                     GroupDigits(static_cast<int64_t>(rate)), "/s, ",
                     GroupDigits(clusters_), " clusters");
    const int64_t lists = lists_;
    if (lists > 0) {
      absl::StrAppendFormat(
          &text, ", lists of %.1f",
          static_cast<double>(list_entries_) / static_cast<double>(lists));
    }
    return text;
  }

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

// The names of a cluster's largest sums, the largest first.
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

absl::Status WriteJson(const OnlineSession& session, OnlinePipeline* pipeline,
                       TextWriter* writer) {
  const absl::StatusOr<OnlineState> state = pipeline->clusterer().State();
  if (!state.ok()) return state.status();
  // A cluster only ever merges into a smaller number, and once a pass: the last
  // merge of each leads on.
  std::vector<int32_t> home(state->num_clusters());
  for (size_t c = 0; c < home.size(); ++c) home[c] = static_cast<int32_t>(c);
  for (const OnlineMerge& merge : pipeline->clusterer().merges()) {
    home[merge.from] = merge.into;
  }
  for (size_t c = 0; c < home.size(); ++c) home[c] = home[home[c]];
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
                        ",\"size\":", state->sizes[cluster],
                        ",\"top_terms\":[");
        bool first = true;
        for (const std::string& term :
             TopTerms(*state, cluster, pipeline->vectorizer())) {
          if (!first) json->push_back(',');
          first = false;
          AppendJsonString(term, json);
        }
        json->push_back(']');
      });
}

std::string Quoted(absl::string_view text) {
  std::string json;
  AppendJsonString(text, &json);
  return json;
}

void Report(const OnlineSession& session, const OnlineClusterer& clusterer,
            int64_t merged, bool stopped, RunReport* report) {
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

absl::Status Cluster(const Options& options, const FlagSet& flags,
                     ToolRun& run) {
  if (absl::Status s = CheckFlags(options, flags, run); !s.ok()) return s;
  const absl::StatusOr<OnlineOptions> clustering = ClusteringOptions(options);
  if (!clustering.ok()) return clustering.status();
  const absl::StatusOr<OnlineMethodOptions> method =
      MethodOptions(options, run);
  if (!method.ok()) return method.status();
  AnalyzerOptions analyzer;
  analyzer.stop_words = options.stop_words;
  analyzer.stemmer = options.stem ? options.language : "";
  if (const auto checked = Analyzer::Create(analyzer); !checked.ok()) {
    return UsageError(absl::StrCat("--language: ", checked.status().message()));
  }
  const absl::StatusOr<Weighting> weighting = ParseWeighting(options.weighting);
  if (!weighting.ok()) return UsageError(weighting.status().message());
  absl::StatusOr<GivenVocabulary> vocabulary =
      ReadGivenVocabulary(options.vocabulary);
  if (!vocabulary.ok()) return vocabulary.status();

  const absl::StatusOr<std::string> path = InputOrExample(run, kExample);
  if (!path.ok()) return path.status();
  const absl::StatusOr<InputFormat> format =
      run.options.input_format == "auto"
          ? DetectInputFormat(*path, /*edges_allowed=*/false)
          : ParseInputFormat(run.options.input_format);
  if (!format.ok()) return format.status();
  absl::StatusOr<DocumentStream> input = DocumentStream::Open(
      *path, *format, /*ids_for_table=*/run.options.format == "tsv");
  if (!input.ok()) return input.status();

  // What there is of earlier runs.
  const std::vector<std::pair<std::string, std::string>> deciding =
      DecidingOptions(options, *clustering, *method,
                      *format != InputFormat::kSvmlight, vocabulary->identity);
  std::optional<OnlineStore> store;
  absl::optional<OnlineSnapshot> snapshot;
  if (!options.state.empty()) {
    absl::StatusOr<OnlineStore> opened =
        OnlineStore::Open(options.state, &snapshot);
    if (!opened.ok()) return opened.status();
    store.emplace(*std::move(opened));
    if (snapshot.has_value()) {
      absl::Status status =
          CheckSameOptions(options.state, *snapshot, deciding);
      if (!status.ok()) return status;
    }
  }
  OnlineState before;
  StreamVectorizer::Knowledge knowledge;
  if (snapshot.has_value()) {
    before = std::move(snapshot->clusters);
    knowledge = {std::move(snapshot->vocabulary),
                 std::move(snapshot->frequencies)};
  }
  const int64_t merged_before =
      std::count(before.sizes.begin(), before.sizes.end(), 0);
  absl::StatusOr<StreamVectorizer> vectorizer = StreamVectorizer::Create(
      *weighting, analyzer, std::move(vocabulary->terms), std::move(knowledge));
  if (!vectorizer.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.vocabulary, ": ", vectorizer.status().message()));
  }
  absl::StatusOr<OnlineClusterer> clusterer =
      OnlineClusterer::Create(*clustering, *method, std::move(before));
  if (!clusterer.ok()) return clusterer.status();
  OnlinePipeline pipeline(*std::move(clusterer), *std::move(vectorizer));

  absl::StatusOr<absl::optional<AppendedFile>> file =
      OpenAppended(options, *path, run);
  if (!file.ok()) return file.status();
  std::optional<TextWriter> writer;
  if (!file->has_value()) {
    absl::StatusOr<TextWriter> opened = ToolRun::OpenOutput(run.options.output);
    if (!opened.ok()) return opened.status();
    writer = *std::move(opened);
  }

  OnlineSessionOptions session_options;
  session_options.limits = BlockLimits(*method);
  session_options.least_documents = LeastBlock(session_options.limits, run);
  session_options.lines = run.options.format == "tsv";
  session_options.members = !session_options.lines;
  session_options.resume = options.resume;
  session_options.journal_limit = options.journal_bytes;
  OnlineSession session(session_options, &pipeline,
                        store.has_value() ? &*store : nullptr, *std::move(file),
                        writer.has_value() ? &*writer : nullptr);
  // From here on an interrupt ends the stream, not the program: what was
  // decided is kept.
  std::atomic<bool> stop{false};
  const StopOnSignal stop_on_signal(
      [](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); },
      &stop);
  LiveFigures live;
  run.progress.SetPhase("cluster");
  run.progress.SetStatus([&live] { return live.Text(); });
  absl::Status status;
  if (store.has_value()) {
    status = session.Start(std::move(snapshot), deciding);
    if (status.ok() && session.replayed() > 0 && !options.resume) {
      run.Note(absl::StrCat(
          "the run before did not end well; what it had decided is in the "
          "state (",
          GroupDigits(session.replayed()),
          " documents of its journal), and --resume would have gone on with "
          "its input"));
    }
    if (status.ok() && session.dropped_bytes() > 0) {
      run.Note(absl::StrCat(
          "the journal ended in half a block of ",
          GroupDigits(session.dropped_bytes()), " bytes, whose documents are ",
          options.resume ? "taken in again"
                         : "not in the state: --resume would have taken them "
                           "in again"));
    }
  }
  if (status.ok()) {
    status = session.Take(
        &*input, [&stop] { return stop.load(); },
        [&] { live.Update(session.taken(), pipeline.clusterer()); });
  }
  run.progress.SetStatus(nullptr);
  if (!status.ok()) return status;
  if (status = session.Finish(); !status.ok()) return status;

  const bool stopped = stop_on_signal.requested();
  if (stopped) {
    run.Note(absl::StrCat(
        "interrupted after ", GroupDigits(session.taken()),
        " documents; their clusters are written",
        store.has_value() ? ", --resume with the same input goes on" : ""));
  }
  if (clustering->expire_after > 0 && session.taken() > 0 &&
      !session.any_time()) {
    run.Note(
        "--expire_after: no document has a \"time\", so no cluster expires");
  }
  const int64_t merged =
      merged_before +
      static_cast<int64_t>(pipeline.clusterer().merges().size());
  Report(session, pipeline.clusterer(), merged, stopped, &run.report);
  if (!session_options.lines) {
    status = WriteJson(session, &pipeline, &*writer);
    if (!status.ok()) return status;
  }
  return writer.has_value() ? writer->Close() : absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "online_cluster",
      .summary = "clusters of a stream of documents",
      .usage = "[--input=PATH|-] [--threshold=T] [--state=PATH] [flags]",
      .description =
          "Takes documents one after the other, in the order of the input. "
          "Each joins the most similar cluster if their cosine is above "
          "--threshold, and founds a new one otherwise; nothing is ever taken "
          "back. Writes `id<TAB>cluster` as soon as a document is decided, "
          "clusters numbered from 0 in order of founding, or JSON at the end. "
          "Standard input is followed live: a line in, a line out.\n\n"
          "Reads JSON Lines with \"text\" (and \"id\", \"time\"), plain lines, "
          "or vectors (svmlight). All methods but approximate give the same "
          "bytes, on every device, with any batch and number of threads.\n\n"
          "With --state the run can end and go on, by itself, by Ctrl-C or by "
          "a kill at any moment: the next run with the same --state goes on "
          "from there. Its input is new documents, those of the next day; with "
          "--resume it is the same input as before, which is gone on with. "
          "--output=PATH is then appended to, and after a kill has exactly one "
          "line for each document. Ctrl-C (or SIGTERM) ends the stream: what "
          "was decided is written and the exit code is 0.",
      .examples = {"online_cluster --input=news.jsonl.gz --threshold=0.2 > "
                   "clusters.tsv",
                   "tail -f -n +1 posts.jsonl | online_cluster --input=- "
                   "--expire_after=3d",
                   "online_cluster --input=monday.jsonl --state=news.state "
                   "--output=news.tsv",
                   "online_cluster --input=tuesday.jsonl --state=news.state "
                   "--output=news.tsv"},
      .uses_gpu = true,
      .opens_output = true,
  });
  warpclust::Options options;
  tool.AddInputFlags({"auto", "jsonl", "lines", "svmlight"});
  warpclust::FlagSet& flags = tool.flags();
  flags.Group("Clusters");
  flags.AddDecimal("threshold", &options.threshold,
                   "A document joins a cluster only if it is more similar than "
                   "this, from 0 to 1, exact as written. Lower for fewer, "
                   "larger clusters; 0.1 to 0.2 suits news.");
  flags.AddInt("terms", &options.terms, 1, warpclust::OnlineOptions::kMaxTerms,
               "Terms kept of a document and of a cluster, the heaviest.");
  flags.AddString("expire_after", &options.expire_after, "TIME",
                  "Close a cluster when the last of its documents is older "
                  "than this (3d, 12h, 90m, seconds) by the documents' "
                  "\"time\". 0 never does.");
  flags.AddInt("merge_every", &options.merge_every, 0, INT64_MAX,
               "Merge similar clusters after every so many documents; comment "
               "lines \"#merged FROM INTO\" say which. 0 never does.");
  flags.AddDecimal("merge_threshold", &options.merge_threshold,
                   "Merge clusters that are more similar than this.");
  flags.Group("Documents");
  flags.AddChoice("weighting", &options.weighting, {"tf", "tfidf"},
                  "tf is counts, or vectors as given. tfidf is tf * ln(1 + "
                  "n/df), n and df counted up to the document itself; with "
                  "--vocabulary, tf * ln(n/df) by its frequencies.");
  flags.AddString("vocabulary", &options.vocabulary, "PATH",
                  "Only these terms count; a file that vectorize "
                  "--vocabulary wrote, for tfidf with --frequencies.");
  flags.AddBool("stop_words", &options.stop_words,
                "Remove English stop words from texts.");
  flags.AddBool("stem", &options.stem, "Reduce the words of texts to stems.");
  flags.AddString("language", &options.language, "NAME",
                  "Language of the stemmer.");
  flags.Group("Method");
  flags.AddChoice(
      "method", &options.method,
      {"auto", "serial1", "serial2", "parallel1", "batched", "approximate"},
      "How clusters are found. Only approximate, where documents "
      "of a batch do not see one another, changes the result.");
  flags.AddInt("batch", &options.batch, 0,
               warpclust::OnlineMethodOptions::kMaxBatch,
               "Documents a batch; 0 leaves it to the method.");
  flags.AddDecimal("epsilon", &options.epsilon,
                   "approximate: how much less similar than the most similar "
                   "cluster the one chosen may be.");
  flags.Group("State");
  flags.AddString("state", &options.state, "PATH",
                  "Go on from here, and keep here (and in PATH.journal) what "
                  "is needed to go on.");
  flags.AddBool("resume", &options.resume,
                "The input is the one of the run before: documents that it "
                "took in are skipped.");
  flags.AddInt("journal_bytes", &options.journal_bytes, 0, INT64_MAX,
               "Save the state when the journal is longer; 0 for 64 MiB or the "
               "size of the state, whichever is more.");
  tool.AddOutputFlags({"tsv", "json"});
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
