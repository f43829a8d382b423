// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// dclustr: overlapping clusters of a collection that grows, shrinks and
// changes, kept in a store on disk.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/dclustr_in_memory.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "kernels/device.h"
#include "kernels/device_choice.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/same_file.h"
#include "tools/cli/temporary_directory.h"
#include "tools/cli/write_cover.h"
#include "tools/collection/dclustr_documents.h"
#include "tools/collection/dclustr_report.h"
#include "tools/collection/dclustr_session.h"
#include "tools/describe/describe_flags.h"
#include "tools/describe/write_stars.h"
#include "tools/input/json_flags.h"
#include "tools/input/text_flags.h"
#include "tools/report/documents_page.h"
#include "tools/report/report_file.h"

namespace warpclust {
namespace {

constexpr absl::string_view kExample = "encyclopedia.jsonl";

DClustRRunOptions RunOptions(Device device, const ToolRun& run) {
  DClustRRunOptions options;
  options.work = run.progress.work();
  options.device = device;
  options.num_threads = run.threads;
  return options;
}

// Where an update runs, by the work among the documents that it adds.
absl::StatusOr<Device> UpdateDevice(const DocumentMatrix& added,
                                    const Decimal& beta, ToolRun& run) {
  return run.ChooseDevice(Expect(MeasureCosineJob(added, beta), run.threads));
}

// Prints what an update did. `sum` collects all updates of a run.
void NoteUpdate(DClustRUpdate update, ToolRun& run,
                absl::optional<DClustRUpdate>* sum) {
  run.Note(UpdateLine(update));
  if (sum->has_value()) {
    AddUpdate(update, &**sum);
  } else {
    *sum = std::move(update);
  }
}

// Applies a change.
absl::Status Update(DClustRSession::Change change, ToolRun& run,
                    DClustRSession* session,
                    absl::optional<DClustRUpdate>* sum) {
  ASSIGN_OR_RETURN(const Device device,
                   UpdateDevice(change.added.counts, session->beta(), run));
  ToolRun::Timer timer(&run, "compute");
  ASSIGN_OR_RETURN(DClustRUpdate update,
                   session->Update(std::move(change), RunOptions(device, run)));
  NoteUpdate(std::move(update), run, sum);
  return absl::OkStatus();
}

void Report(const DClustRStoreOptions& options, const DClustRUpdate& update,
            ToolRun& run) {
  ReportStore(options, &run.report);
  ReportUpdate(update, &run.report);
  run.report.n = update.documents;
  run.report.edges = update.edges;
}

// `path` is where the names of the documents come from. `named` has the
// documents if they are described.
absl::Status WriteClusters(const DClustRClusters& clusters,
                           const std::string& path, const NamedDocuments& named,
                           const Decimal& beta, const DClustROptions& options,
                           const FlagSet& flags, ToolRun& run) {
  run.report.n = static_cast<int64_t>(clusters.ids.size());
  run.report.edges = clusters.num_edges;
  run.report.clusters = clusters.cover.num_clusters();
  run.report.memberships = clusters.cover.num_memberships();
  run.report.alone = CountAlone(clusters.cover);
  RETURN_IF_ERROR(CheckOutputNames(clusters.ids, path, run));
  if (NeedsDescriptions(options.describe, flags, run)) {
    // The store of the bundled example has a name of its own in every run.
    const bool example = !flags.WasGiven("store") && !options.in_memory;
    RETURN_IF_ERROR(WriteStarsReport(clusters, named,
                                     example ? std::string(kExample) : path,
                                     beta, options.describe, flags, run));
    return WriteStars(clusters, named, options.describe, flags, run);
  }
  return WriteCover(
      clusters.cover, clusters.ids,
      [&](int32_t cluster, std::string* json) {
        AppendOClustRFields(clusters, clusters.ids, cluster, json);
      },
      run);
}

// The documents of a store. It keeps no texts, so they are called by their ids
// and terms by their stems.
absl::StatusOr<NamedDocuments> ReadStored(const DClustRCollection& collection,
                                          const DClustRClusters& clusters,
                                          const ToolRun& run) {
  ASSIGN_OR_RETURN(DocumentMatrix documents,
                   collection.ReadDocuments(run.threads));
  ASSIGN_OR_RETURN(const Vocabulary terms, collection.Terms());
  std::vector<std::string> words;
  if (terms.size() > 0) {
    for (int32_t t = 0; t < documents.num_terms; ++t) {
      words.emplace_back(t < terms.size() ? terms.Term(t)
                                          : absl::string_view());
    }
  }
  return CompactNamed(std::move(documents), clusters.ids, /*titles=*/{},
                      std::move(words));
}

// The steps of a run after it has added and removed documents.
absl::Status Finish(const DClustROptions& options, const FlagSet& flags,
                    ToolRun& run, DClustRSession* session,
                    absl::optional<DClustRUpdate> update) {
  DClustRCollection& collection = session->collection();
  if (options.reweight) {
    ASSIGN_OR_RETURN(const Device device, run.ResolveDevice());
    ToolRun::Timer timer(&run, "compute");
    ASSIGN_OR_RETURN(DClustRUpdate again,
                     collection.Reweight(RunOptions(device, run)));
    if (update.has_value()) AddUpdate(*update, &again);
    update = std::move(again);
  }
  if (options.compact) {
    ToolRun::Timer timer(&run, "compact");
    RETURN_IF_ERROR(collection.Compact());
  }
  if (options.verify) {
    ASSIGN_OR_RETURN(const Device device, run.ResolveDevice());
    ToolRun::Timer timer(&run, "verify");
    RETURN_IF_ERROR(collection.Verify(RunOptions(device, run)));
    run.Note(absl::StrCat(options.store, ": the store is sound"));
  }
  if (!update.has_value()) {
    ASSIGN_OR_RETURN(update, collection.Describe());
  }
  Report(collection.options(), *update, run);
  if (options.print == "none") return absl::OkStatus();
  ToolRun::Timer timer(&run, "write");
  ASSIGN_OR_RETURN(const DClustRClusters clusters,
                   collection.Read(run.threads));
  NamedDocuments named;
  if (NeedsDescriptions(options.describe, flags, run)) {
    ASSIGN_OR_RETURN(named, ReadStored(collection, clusters, run));
  }
  return WriteClusters(clusters, options.store, named,
                       collection.options().beta, options, flags, run);
}

// The documents [begin, end) of a file.
DClustRSession::Change Part(const StoreReader::Documents& documents,
                            int32_t begin, int32_t end) {
  DClustRSession::Change change;
  AppendRows(documents.counts, begin, end, &change.added.counts);
  change.added.ids.assign(documents.ids.begin() + begin,
                          documents.ids.begin() + end);
  change.added.lines.assign(documents.lines.begin() + begin,
                            documents.lines.begin() + end);
  return change;
}

// The bundled example, added to a store in two batches.
absl::Status RunExample(DClustROptions options, const FlagSet& flags,
                        ToolRun& run) {
  const absl::StatusOr<std::string> path = BundledExample(kExample);
  if (!path.ok()) {
    return absl::NotFoundError(absl::StrCat(
        path.status().message(), "; --store=DIR --add=PATH names an input"));
  }
  ASSIGN_OR_RETURN(const TemporaryDirectory directory,
                   TemporaryDirectory::Create("dclustr"));
  options.store = absl::StrCat(directory.path(), "/store");
  options.add = *path;
  run.Note(absl::StrCat("no --store: adding the bundled example (examples/",
                        kExample, ") to a temporary store, in two batches"));
  ASSIGN_OR_RETURN(DClustRSession session,
                   DClustRSession::Open(options, flags));
  ASSIGN_OR_RETURN(DClustRSession::Change change, run.Timed("read", [&] {
    return session.ReadChange(/*ids_for_table=*/true);
  }));
  const int32_t half = change.added.counts.num_documents() / 2;
  absl::optional<DClustRUpdate> update;
  RETURN_IF_ERROR(Update(Part(change.added, 0, half), run, &session, &update));
  RETURN_IF_ERROR(
      Update(Part(change.added, half, change.added.counts.num_documents()), run,
             &session, &update));
  return Finish(options, flags, run, &session, std::move(update));
}

// DClustR in memory, on the documents of --add.
absl::Status RunInMemory(const DClustROptions& options, const FlagSet& flags,
                         ToolRun& run) {
  ASSIGN_OR_RETURN(const DClustRStoreOptions created, CreationOptions(options));
  RETURN_IF_ERROR(FlagError(created.Validate()));
  ASSIGN_OR_RETURN(DClustRInMemory collection,
                   DClustRInMemory::Create(created));
  StoreReader::Knowledge knowledge;
  ASSIGN_OR_RETURN(knowledge.analyzer, TextAnalyzer(options.text));
  StoreReader reader(std::move(knowledge));
  StoreReader::File file;
  file.path = options.add;
  file.input_format = options.input_format;
  file.note = [&run](absl::string_view message) { run.Note(message); };
  file.csv = options.csv;
  file.json = options.json;
  file.ids_path = options.ids;
  file.ids_for_table = options.print == "cover" && run.options.format == "tsv";
  file.describe = NeedsDescriptions(options.describe, flags, run);
  StoreReader::Documents documents;
  RETURN_IF_ERROR(
      run.Timed("read", [&] { return reader.Append(file, &documents); }));
  if (reader.knowledge().content == StoreReader::Content::kVectors) {
    RETURN_IF_ERROR(CheckNoTextFlags(flags, "the input is"));
  }
  for (const SkippedLines& skipped : documents.skipped) {
    NoteSkippedLines(skipped, run);
  }

  const int32_t n = documents.counts.num_documents();
  const int32_t step = options.batch > 0 ? options.batch : std::max(n, 1);
  ASSIGN_OR_RETURN(const Device device,
                   UpdateDevice(documents.counts, created.beta, run));
  absl::optional<DClustRUpdate> sum;
  // An empty input is one empty batch.
  for (int32_t begin = 0; begin < std::max(n, 1);) {
    const int32_t end = begin + std::min(step, n - begin);
    DClustRBatch batch;
    AppendRows(documents.counts, begin, end, &batch.added);
    batch.added_ids.assign(documents.ids.begin() + begin,
                           documents.ids.begin() + end);
    ToolRun::Timer timer(&run, "compute");
    absl::StatusOr<DClustRUpdate> update =
        collection.Update(batch, RunOptions(device, run));
    if (!update.ok()) {
      return absl::Status(
          update.status().code(),
          absl::StrCat(options.add, ": ", update.status().message()));
    }
    NoteUpdate(*std::move(update), run, &sum);
    begin = std::max(end, 1);
  }
  Report(created, *sum, run);
  if (options.print == "none") return absl::OkStatus();
  ToolRun::Timer timer(&run, "write");
  ASSIGN_OR_RETURN(const DClustRClusters clusters,
                   collection.Read(run.threads));
  NamedDocuments named;
  if (file.describe) {
    const bool texts =
        reader.knowledge().content == StoreReader::Content::kTexts;
    documents.titles.resize(clusters.ids.size());
    for (size_t d = 0; d < clusters.ids.size(); ++d) {
      if (documents.titles[d].empty()) documents.titles[d] = clusters.ids[d];
    }
    std::vector<std::string> words;
    if (texts) words = reader.Words();
    if (texts) words.resize(collection.documents().num_terms);
    named = CompactNamed(collection.documents(), clusters.ids,
                         std::move(documents.titles), std::move(words));
  }
  return WriteClusters(clusters, options.add, named, options.beta, options,
                       flags, run);
}

absl::Status CheckFlags(const DClustROptions& options, const FlagSet& flags,
                        const ToolRun& run) {
  if (flags.WasGiven("explain") && run.options.format == "csv") {
    return UsageError("--explain writes --format=tsv or json");
  }
  if (options.print == "none") {
    RETURN_IF_ERROR(
        RefuseFlags(flags, {"output", "format", "titles", "explain", "report"},
                    "has no effect with --print=none, which writes nothing"));
  }
  RETURN_IF_ERROR(
      CheckLanguageFlag(flags, options.text.stem, options.text.language));
  if (options.in_memory) {
    RETURN_IF_ERROR(RefuseFlags(
        flags, {"store", "modify", "remove", "verify", "compact", "reweight"},
        "needs a store, which --in_memory has not"));
    return options.add.empty()
               ? UsageError("--in_memory needs documents: --add=PATH")
               : absl::OkStatus();
  }
  RETURN_IF_ERROR(RefuseFlags(flags, {"batch"}, "needs --in_memory"));
  if (options.store.empty()) {
    RETURN_IF_ERROR(
        RefuseFlags(flags,
                    {"add", "modify", "remove", "verify", "compact", "reweight",
                     "ids", "input_format", "text_column", "id_column"},
                    "needs a store: --store=DIR"));
    return flags.WasGiven("store")
               ? UsageError("--store: expected a directory, found nothing")
               : absl::OkStatus();
  }
  if (options.add.empty() && options.modify.empty()) {
    RETURN_IF_ERROR(RefuseFlags(flags,
                                {"input_format", "text_column", "id_column"},
                                "needs --add or --modify"));
  }
  const bool reads_one = options.add.empty() != options.modify.empty();
  if (!options.ids.empty() && !reads_one) {
    return UsageError(
        "--ids names the documents of one file: give either --add or "
        "--modify");
  }
  return absl::OkStatus();
}

// Refuses outputs that would overwrite a file of the store.
absl::Status CheckOutputs(const DClustROptions& options, const ToolRun& run) {
  for (const auto& [flag, path] :
       {std::make_pair("output", run.options.output),
        std::make_pair("summary", run.options.summary),
        std::make_pair("titles", options.describe.titles),
        std::make_pair("report", options.describe.report)}) {
    for (const char* name : DClustRCollection::kFiles) {
      if (AreOneFile(path, absl::StrCat(options.store, "/", name))) {
        return UsageError(absl::StrCat("--", flag, " would overwrite ", path,
                                       ", a file of the store"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status Cluster(const DClustROptions& options, const FlagSet& flags,
                     ToolRun& run) {
  RETURN_IF_ERROR(CheckFlags(options, flags, run));
  if (options.in_memory) return RunInMemory(options, flags, run);
  RETURN_IF_ERROR(CheckOutputs(options, run));
  if (options.store.empty()) return RunExample(options, flags, run);

  ASSIGN_OR_RETURN(DClustRSession session,
                   DClustRSession::Open(options, flags));
  absl::optional<DClustRUpdate> update;
  if (options.changes_documents()) {
    ASSIGN_OR_RETURN(DClustRSession::Change change, run.Timed("read", [&] {
      return session.ReadChange(
          options.print == "cover" && run.options.format == "tsv",
          [&run](absl::string_view message) { run.Note(message); },
          run.progress.work());
    }));
    const bool creates_store = session.creates_store();
    for (const SkippedLines& skipped : change.added.skipped) {
      NoteSkippedLines(skipped, run);
    }
    RETURN_IF_ERROR(Update(std::move(change), run, &session, &update));
    if (creates_store) {
      run.Note(absl::StrCat(options.store, ": store created"));
    }
  }
  return Finish(options, flags, run, &session, std::move(update));
}

void AddFlags(Tool* tool, DClustROptions* options) {
  FlagSet& flags = tool->flags();
  flags.Group("Store");
  flags.AddString("store", &options->store, "DIR",
                  "Directory of the collection. Default: the bundled example "
                  "in a temporary store.");
  flags.AddBool("in_memory", &options->in_memory,
                "Without a store: DClustR as its paper has it, with documents "
                "and graph in memory, on the documents of --add. A baseline.");
  flags.AddInt("batch", &options->batch, 0, INT32_MAX,
               "For --in_memory: documents per update. 0: all at once.");
  flags.AddReadPath(
      "add", &options->add, "PATH|-",
      "Documents to add; their ids must be new. Creates the store if there is "
      "none.");
  flags.AddReadPath(
      "modify", &options->modify, "PATH|-",
      "Documents that replace those of the same id. They move to the end of "
      "the collection.");
  flags.AddReadPath("remove", &options->remove, "PATH|-",
                    "Ids of documents to remove, one per line.");
  flags.AddChoice(
      "input_format", &options->input_format,
      {"auto", "jsonl", "lines", "csv", "directory", "svmlight",
       "matrixmarket"},
      "Format of --add and --modify; auto decides by the name, then by the "
      "content.");
  flags.AddReadPath("ids", &options->ids, "PATH",
                    "Names of the documents of --add or --modify, one per "
                    "line, instead of their own. Documents without a name are "
                    "numbered from 0, over all files that the store has read.");
  AddCsvFlags(&flags, &options->csv, /*times=*/false);
  AddJsonFlags(&flags, &options->json, /*times=*/false);
  flags.AddBool("verify", &options->verify,
                "Read the whole store and check it for consistency.");
  flags.AddBool(
      "compact", &options->compact,
      "Remove what is left of removed documents and shrink the file.");
  flags.AddBool("reweight", &options->reweight,
                "Recompute the weights of a tfidf store from its present "
                "documents, and cluster again.");
  flags.Group("Fixed when a store is created");
  flags.AddDecimal("beta", &options->beta,
                   "Smallest cosine of an edge, exact as written, above 1/256 "
                   "and at most 1.");
  flags.AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                  "Term counts as they are, or times log(n / documents with "
                  "the term) at creation.");
  flags.AddChoice("mode", &options->mode, {"exact", "dclustr"},
                  "exact: always the clusters that oclustr finds. dclustr: the "
                  "rules of the paper, which stay closer to the previous "
                  "clusters.");
  AddTextFlags(&flags, &options->text);
  tool->AddOutputFlags({"tsv", "json", "csv"});
  AddTitlesFlag(&flags, &options->describe);
  AddExplainFlag(&flags, &options->describe);
  AddReportFlag(&options->describe.report, kDocumentsPageShows, &flags);
  flags.AddChoice(
      "print", &options->print, {"cover", "none"},
      "Write the clusters of the whole collection after the update, "
      "or nothing.");
  tool->AddRunFlags();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "dclustr",
      .summary = "overlapping clusters of a collection that changes (DClustR)",
      .usage = "--store=DIR|--in_memory [--add=PATH] [flags]",
      .description =
          "Keeps documents, the graph of their similarities and its cover by "
          "overlapping clusters (see oclustr) in a directory, the store. When "
          "documents are added, modified or removed, it updates the clusters "
          "and reads only what the change can affect. A run is one "
          "transaction: after an interrupt the store is as it was before or "
          "after the run. One run at a time may write to a store; others may "
          "read it meanwhile.\n\n"
          "Reads texts (JSON Lines with \"text\", plain lines, a directory of "
          ".txt files) or vectors (svmlight, MatrixMarket); one store holds "
          "only one kind. Removals are applied first, then modified documents, "
          "then new ones. Writes one line `id<TAB>cluster` per membership, or "
          "JSON with center, satellites and linked. The same changes give the "
          "same bytes on every device and with any number of threads.",
      .examples = {"dclustr --store=news --beta=0.35 --add=monday.jsonl.gz",
                   "dclustr --store=news --add=tuesday.jsonl "
                   "--remove=withdrawn.txt > clusters.tsv",
                   "dclustr --store=news --modify=corrected.jsonl "
                   "--print=none",
                   "dclustr --store=news --format=json",
                   "dclustr --in_memory --mode=dclustr --add=year.jsonl "
                   "--batch=1000",
                   "dclustr --store=news --compact --verify --print=none"},
      .uses_gpu = true,
  });
  warpclust::DClustROptions options;
  warpclust::AddFlags(&tool, &options);
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
