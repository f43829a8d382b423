// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// online_cluster: clusters of a stream of documents.

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/io/byte_reader.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "eval/describe/stream_descriptions.h"
#include "kernels/device/device.h"
#include "sparse/text/analyzer.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/process/interrupt.h"
#include "tools/cli/run_report.h"
#include "tools/describe/describe_flags.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"
#include "tools/input/stream/document_stream.h"
#include "tools/input/stream/given_vocabulary.h"
#include "tools/input/stream/stream_vectorizer.h"
#include "tools/input/text_flags.h"
#include "tools/report/report_file.h"
#include "tools/stream/online_flags.h"
#include "tools/stream/online_report.h"
#include "tools/stream/online_session.h"
#include "tools/stream/online_store.h"
#include "tools/stream/online_suggest.h"

namespace warpclust {
namespace {

constexpr absl::string_view kExample = "headlines.jsonl";

// With a state, lines are appended to an output that is a plain file.
absl::StatusOr<absl::optional<AppendedFile>> OpenAppended(
    const OnlineFlags& options, const ToolRun& run) {
  absl::optional<AppendedFile> none;
  struct stat info;
  if (options.state.empty() || run.options.output == "-" ||
      run.options.format != "tsv" || options.final ||
      (stat(run.options.output.c_str(), &info) == 0 &&
       !S_ISREG(info.st_mode))) {
    return none;
  }
  ASSIGN_OR_RETURN(AppendedFile file, AppendedFile::Open(run.options.output));
  return absl::make_optional(std::move(file));
}

absl::StatusOr<InputFormat> FormatOf(const std::string& path,
                                     const OnlineFlags& options,
                                     const ToolRun& run) {
  if (run.options.input_format == "auto" && !run.options.input.empty()) {
    ASSIGN_OR_RETURN(
        const absl::optional<InputFormat> dense,
        DetectDenseFormat(path, options.dense.vector_field, run.InputNotes()));
    if (dense.has_value()) return *dense;
  }
  return ResolveInputFormat(path, run.options.input_format,
                            /*edges_allowed=*/false, run.InputNotes());
}

// UsageError for a method that dense documents do not have.
absl::Status CheckDenseMethod(const OnlineOptions& clustering,
                              const OnlineMethodOptions& method) {
  const absl::Status status = ValidateDenseOptions(clustering, method);
  return status.ok() ? status
                     : UsageError(absl::StrCat("--method: ", status.message()));
}

// Threads that parse and that prepare documents: others read and cluster.
// Preparing takes longer. But each of its threads stems all words that it
// meets, so that more than six cost too much CPU time.
int Parsers(const ToolRun& run) { return std::clamp(run.threads - 2, 1, 4); }
int Preparers(const ToolRun& run) { return std::clamp(run.threads - 2, 1, 6); }

absl::StatusOr<DocumentStream> OpenInput(const std::string& path,
                                         InputFormat format, bool describes,
                                         const OnlineFlags& options,
                                         const FlagSet& flags,
                                         const ToolRun& run) {
  if (IsDense(format) && format != InputFormat::kJsonVectors) {
    Input input;
    input.path = path;
    input.format = format;
    input.work = run.progress.work();
    input.num_threads = run.threads;
    ASSIGN_OR_RETURN(DenseInput read,
                     ReadDense(input, DocumentOptions(), options.dense, flags));
    return DocumentStream::FromRows(std::move(read.documents),
                                    /*keep_lines=*/!options.state.empty());
  }
  return DocumentStream::Open(path, format,
                              {.ids_for_table = run.options.format == "tsv",
                               .read_titles = describes,
                               .keep_lines = !options.state.empty(),
                               .json = options.json,
                               .vector_field = options.dense.vector_field,
                               .csv = options.csv,
                               .note = run.InputNotes(),
                               .work = run.progress.work(),
                               .num_threads = Parsers(run)});
}

// What a rank but the first does: keep clusters. An interrupt is for rank 0.
absl::Status Follow(const ToolRun& run) {
  const StopOnSignal ignored([](void*) {}, nullptr);
  return FollowOnlineClusterer(run.ranks);
}

absl::Status Cluster(OnlineFlags* given, const FlagSet& flags, ToolRun& run) {
  const OnlineFlags& options = *given;
  RETURN_IF_ERROR(CheckOnlineFlags(options, flags, run));
  if (run.WritesParts()) {
    return UsageError(
        "--output: expected a path without %r, because one rank writes all "
        "lines");
  }
  ASSIGN_OR_RETURN(const OnlineMethodOptions method,
                   MethodOptions(options, run));
  if (run.ranks.rank() > 0) return Follow(run);
  AnalyzerOptions analyzer;
  analyzer.stop_words = options.stop_words;
  analyzer.stemmer = options.stem ? options.language : "";
  absl::StatusOr<Analyzer> checked = Analyzer::Create(analyzer);
  if (!checked.ok()) {
    return UsageError(absl::StrCat("--language: ", checked.status().message()));
  }
  const absl::StatusOr<Weighting> weighting = ParseWeighting(options.weighting);
  if (!weighting.ok()) return UsageError(weighting.status().message());

  // Input.
  ASSIGN_OR_RETURN(const std::string path, InputOrExample(run, kExample));
  ASSIGN_OR_RETURN(const InputFormat format, FormatOf(path, options, run));
  const bool is_dense = IsDense(format);
  const bool is_text = !is_dense && format != InputFormat::kSvmlight;
  RETURN_IF_ERROR(CheckDenseOnlineFlags(options, flags, format));
  if (is_dense) {
    SetEmbeddingDefaults(flags, given);
    run.report.options = flags.Values();
  }
  ASSIGN_OR_RETURN(const OnlineOptions clustering, ClusteringOptions(options));
  if (is_dense) RETURN_IF_ERROR(CheckDenseMethod(clustering, method));
  ASSIGN_OR_RETURN(GivenVocabulary vocabulary,
                   ReadGivenVocabulary(options.vocabulary));
  RETURN_IF_ERROR(is_text
                      ? CheckLanguageFlag(flags, options.stem, options.language)
                      : CheckNoTextFlags(flags, "the input is"));
  RETURN_IF_ERROR(CheckJsonFlags(options.json, format, /*streams=*/true));
  RETURN_IF_ERROR(CheckCsvFlags(flags, format));
  const bool describes = !is_dense && (run.options.format == "json" ||
                                       !options.describe.titles.empty() ||
                                       !options.describe.report.empty());
  ASSIGN_OR_RETURN(DocumentStream input,
                   OpenInput(path, format, describes, options, flags, run));
  if (is_text && vocabulary.terms.has_value()) {
    const std::string lost = LostTerms(vocabulary.terms->vocabulary, &*checked);
    if (!lost.empty()) run.Note(absl::StrCat("--vocabulary: ", lost));
  }

  // The state of earlier runs.
  const OnlineSnapshot::Options deciding =
      DecidingFlags(options, clustering, method, format, vocabulary.identity);
  std::optional<OnlineStore> store;
  absl::optional<OnlineSnapshot> snapshot;
  OnlineState before;
  StreamVectorizer::Knowledge knowledge;
  if (!options.state.empty()) {
    ASSIGN_OR_RETURN(store, OnlineStore::Open(options.state));
    ASSIGN_OR_RETURN(snapshot, store->Load());
  }
  if (snapshot.has_value()) {
    RETURN_IF_ERROR(CheckSameFlags(options.state, snapshot->options, deciding));
    before = std::move(snapshot->clusters);
    knowledge = {std::move(snapshot->vocabulary),
                 std::move(snapshot->frequencies)};
  }
  const int64_t merged_before =
      std::count(before.sizes.begin(), before.sizes.end(), 0);
  absl::StatusOr<StreamVectorizer> vectorizer = StreamVectorizer::Create(
      *weighting, analyzer, std::move(vocabulary.terms), std::move(knowledge),
      Preparers(run));
  if (!vectorizer.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.vocabulary, ": ", vectorizer.status().message()));
  }
  ASSIGN_OR_RETURN(
      OnlineClusterer clusterer,
      is_dense
          ? OnlineClusterer::CreateDense(clustering, method, std::move(before))
          : OnlineClusterer::Create(clustering, method, std::move(before)));
  if (describes) vectorizer->KeepWords();
  OnlinePipeline pipeline(std::move(clusterer), *std::move(vectorizer),
                          InputName(path), Preparers(run));

  // Output.
  ASSIGN_OR_RETURN(absl::optional<AppendedFile> file,
                   OpenAppended(options, run));
  std::optional<TextWriter> writer;
  if (!file.has_value()) {
    ASSIGN_OR_RETURN(writer, ToolRun::OpenOutput(run.options.output));
  }
  if (options.suggest) {
    return Suggest(
        clustering, [] { return false; }, &input, &pipeline, &*writer, run);
  }
  OnlineSessionOptions session_options = SessionOptions(options, method, run);
  StreamDescriber describer;
  if (describes) session_options.describer = &describer;
  OnlineSession session(session_options, &pipeline,
                        store.has_value() ? &*store : nullptr, std::move(file),
                        writer.has_value() ? &*writer : nullptr);
  NoteLoss(method, session_options.limits.documents, run);
  if (run.requested == Device::kCuda && clustering.merge_every > 0 &&
      method.method != OnlineMethod::kAuto &&
      method.method != OnlineMethod::kBatched) {
    run.Note(
        "--device=cuda: with this --method all clusters are compared anew on "
        "the CPU at each merge; --method=batched is faster, or "
        "--merge_every=0");
  }

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
    const bool creates_state = !snapshot.has_value();
    status = session.Start(std::move(snapshot), deciding);
    if (status.ok() && creates_state) {
      run.Note(absl::StrCat(options.state, ": state created"));
    }
    if (status.ok() && session.replayed() > 0 && !options.resume) {
      run.Note(absl::StrCat(
          "the last run was cut short: ",
          Counted(session.replayed(), {"document", "documents"}),
          " that it decided after its last save are in the state; --resume "
          "would have continued its input"));
    }
  }
  // Of the documents that are decided again, words do not count.
  pipeline.vectorizer().ForgetWordCounts();
  if (status.ok()) {
    status = session.Take(
        &input, [&stop] { return stop.load(); },
        [&] { live.Update(session.taken(), pipeline.clusterer()); });
  }
  run.progress.SetStatus(nullptr);
  NoteSkippedLines(session.skipped_lines(), run);
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(session.Finish());

  const bool stopped = stop_on_signal.requested();
  if (stopped) {
    run.Note(absl::StrCat(
        "interrupted after ",
        Counted(session.taken(), {"document", "documents"}),
        session.taken() == 1 ? "; its cluster is written"
                             : "; their clusters are written",
        store.has_value() ? "; --resume with the same input continues" : ""));
  }
  if (session.times_in_milliseconds() > 0) {
    run.Note(absl::StrCat(
        "times taken for milliseconds since 1970, since seconds would be "
        "beyond the year 9999: ",
        GroupDigits(session.times_in_milliseconds())));
  }
  if (clustering.expire_after > 0 && session.taken() > 0 &&
      !session.any_time()) {
    run.Note(
        "--expire_after: no document has a \"time\", so no cluster expires");
  }
  const int64_t merged =
      merged_before +
      static_cast<int64_t>(pipeline.clusterer().merges().size());
  ReportOnline(session, pipeline.clusterer(), merged, stopped, &run.report);
  if (run.requested == Device::kAuto) {
    ReportDeviceChoice(pipeline.clusterer(), &run.report);
  }
  if (describes || !session_options.lines) {
    ASSIGN_OR_RETURN(const OnlineClusters clusters,
                     DescribeOnline(&pipeline, describes ? &describer : nullptr,
                                    run.threads));
    if (!options.describe.titles.empty()) {
      RETURN_IF_ERROR(WriteOnlineTitles(options.describe.titles, clusters));
    }
    if (!options.describe.report.empty()) {
      RETURN_IF_ERROR(WriteOnlinePage(
          clusters, path, pipeline.vectorizer().Words(), options, flags, run));
    }
    if (run.options.format == "json") {
      RETURN_IF_ERROR(WriteOnlineJson(session, pipeline, clusters, &*writer));
    }
  }
  if (options.final) {
    WriteFinalLines(session, FinalClusters(pipeline.clusterer()), &*writer);
  }
  return writer.has_value() ? writer->Close() : absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "online_cluster",
      .summary = "clusters of a stream of documents",
      .usage = "[--input=PATH|-] [--threshold=T] [--state=DIR] [flags]",
      .description =
          "Takes documents one by one, in the order of the input. Each joins "
          "the most similar cluster if their cosine is above --threshold, and "
          "founds a new one otherwise. Decisions are final, but similar "
          "clusters merge after every 1,000 documents. Writes "
          "`id<TAB>cluster` as soon as a document is decided, and "
          "`#merged<TAB>FROM<TAB>INTO` where clusters merge; or JSON, or with "
          "--final lines, at the end. Clusters are numbered from 0 in order of "
          "founding. Standard "
          "input is followed live: each line in gives a line out.\n\n"
          "Reads JSON Lines with \"text\" (and \"id\", \"time\"), CSV with "
          "such columns, plain lines, vectors (svmlight), or embeddings: JSON "
          "Lines with \"embedding\", NPY, .fvecs, .bvecs, safetensors. All "
          "methods "
          "except mdc1, mdc2 and approximate give the same "
          "bytes, on every device, with any batch and number of threads.\n\n"
          "With --state, a later run continues where this one ends, also "
          "after Ctrl-C or a kill at any moment. The next run reads new "
          "documents, such as those of the next day; with --resume it reads "
          "the same input again and continues it. Lines are appended to "
          "--output=PATH, which has exactly one line per document, even after "
          "a kill. Ctrl-C (or SIGTERM) ends the stream: the documents decided "
          "so far are written, and the exit code is 0.\n\n"
          "In builds with MPI, mpirun clusters by several processes, with the "
          "same bytes: documents with terms, by the methods auto and batched. "
          "The first process reads and writes. It also clusters until sharing "
          "the clusters pays (auto); then, or at once (batched), the last one "
          "decides. With a GPU, the first one has all clusters while they fit "
          "it.",
      .examples = {"online_cluster --input=news.jsonl.gz --threshold=0.2 > "
                   "clusters.tsv",
                   "tail -f -n +1 posts.jsonl | online_cluster --input=- "
                   "--expire_after=3d",
                   "online_cluster --input=monday.jsonl --state=news "
                   "--output=news.tsv",
                   "online_cluster --input=tuesday.jsonl --state=news "
                   "--output=news.tsv",
                   "online_cluster --input=vectors.npy --threshold=0.8",
                   "mpirun -n 4 online_cluster --input=news.jsonl.gz"},
      .uses_gpu = true,
      .opens_output = true,
      .uses_ranks = true,
  });
  warpclust::OnlineFlags options;
  tool.AddInputFlags({"auto", "jsonl", "lines", "csv", "svmlight", "npy",
                      "fvecs", "bvecs", "safetensors", "jsonl_vectors"});
  warpclust::AddOnlineFlags(&options, &tool.flags());
  tool.AddOutputFlags({"tsv", "json"});
  warpclust::AddFinalFlag(&options, &tool.flags());
  warpclust::AddTitlesFlag(&tool.flags(), &options.describe);
  warpclust::AddReportFlag(
      &options.describe.report,
      "what each cluster is about, its typical documents, clusters over time "
      "with their busiest intervals, and the cosines.",
      &tool.flags());
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    warpclust::SetPaperDefaults(tool.flags(), &options);
    run.report.options = tool.flags().Values();
    return warpclust::Cluster(&options, tool.flags(), run);
  });
}
