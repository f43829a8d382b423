// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// dclustr: overlapping clusters of a collection that grows, shrinks and
// changes, kept in a store on disk.

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/oclustr/oclustr_json.h"
#include "base/status/status_macros.h"
#include "graph/io/cover_io.h"
#include "sparse/matrix/append_rows.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/output_names.h"
#include "tools/cli/same_file.h"
#include "tools/cli/temporary_directory.h"
#include "tools/collection/dclustr_documents.h"
#include "tools/collection/dclustr_report.h"
#include "tools/collection/dclustr_session.h"
#include "tools/input/text_flags.h"

namespace warpclust {
namespace {

constexpr absl::string_view kExample = "encyclopedia.jsonl";

DClustRRunOptions RunOptions(const ToolRun& run) {
  DClustRRunOptions options;
  options.device = run.device;
  options.num_threads = run.threads;
  return options;
}

// Applies a change, and says what it did; `sum` collects all of a run.
absl::Status Update(DClustRSession::Change change, ToolRun& run,
                    DClustRSession* session,
                    absl::optional<DClustRUpdate>* sum) {
  ToolRun::Timer timer(&run, "compute");
  ASSIGN_OR_RETURN(DClustRUpdate update,
                   session->Update(std::move(change), RunOptions(run)));
  run.Note(UpdateLine(update));
  if (sum->has_value()) {
    AddUpdate(update, &**sum);
  } else {
    *sum = std::move(update);
  }
  return absl::OkStatus();
}

// Writes the cover of the present collection.
absl::Status Print(const DClustRClusters& clusters, absl::string_view store,
                   ToolRun& run) {
  RETURN_IF_ERROR(CheckOutputNames(clusters.ids, store, run));
  const auto write = [&run](absl::string_view text) { run.output.Write(text); };
  if (run.options.format == "tsv") {
    return WriteCoverTsv(clusters.cover, clusters.ids, write);
  }
  return WriteCoverJson(clusters.cover, clusters.ids, write,
                        [&](int32_t cluster, std::string* json) {
                          AppendOClustRFields(clusters, clusters.ids, cluster,
                                              json);
                        });
}

// What a run does besides adding and removing, and what it says at its end.
absl::Status Finish(const DClustROptions& options, ToolRun& run,
                    DClustRSession* session,
                    absl::optional<DClustRUpdate> update) {
  DClustRCollection& collection = session->collection();
  if (options.reweight) {
    ToolRun::Timer timer(&run, "compute");
    ASSIGN_OR_RETURN(DClustRUpdate again, collection.Reweight(RunOptions(run)));
    if (update.has_value()) AddUpdate(*update, &again);
    update = std::move(again);
  }
  if (options.compact) {
    ToolRun::Timer timer(&run, "compact");
    RETURN_IF_ERROR(collection.Compact());
  }
  if (options.verify) {
    ToolRun::Timer timer(&run, "verify");
    RETURN_IF_ERROR(collection.Verify(RunOptions(run)));
    run.Note(absl::StrCat(options.store, ": the store is sound"));
  }
  if (!update.has_value()) {
    ASSIGN_OR_RETURN(DClustRUpdate present, collection.Describe());
    update = std::move(present);
  }
  ReportStore(collection.options(), &run.report);
  ReportUpdate(*update, &run.report);
  run.report.n = update->documents;
  run.report.edges = update->edges;
  if (options.print == "none") return absl::OkStatus();
  ToolRun::Timer timer(&run, "write");
  ASSIGN_OR_RETURN(DClustRClusters clusters, collection.Read(run.threads));
  run.report.n = static_cast<int64_t>(clusters.ids.size());
  run.report.edges = clusters.num_edges;
  run.report.clusters = clusters.cover.num_clusters();
  run.report.memberships = clusters.cover.num_memberships();
  return Print(clusters, options.store, run);
}

// The rows [begin, end) of what was read.
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
  absl::StatusOr<std::string> path = BundledExample(kExample);
  if (!path.ok()) {
    return absl::NotFoundError(
        absl::StrCat(path.status().message(), " with --store=DIR --add=PATH"));
  }
  ASSIGN_OR_RETURN(TemporaryDirectory directory,
                   TemporaryDirectory::Create("dclustr"));
  options.store = absl::StrCat(directory.path(), "/store");
  options.add = *path;
  run.Note(absl::StrCat("no --store: adding the bundled example (examples/",
                        kExample, ") to a temporary store, in two batches"));
  ASSIGN_OR_RETURN(DClustRSession session,
                   DClustRSession::Open(options, flags));
  absl::StatusOr<DClustRSession::Change> change;
  {
    ToolRun::Timer timer(&run, "read");
    change = session.ReadChange(/*ids_for_table=*/true);
    if (!change.ok()) return change.status();
  }
  const int32_t documents = change->added.counts.num_documents();
  absl::optional<DClustRUpdate> update;
  for (int32_t half = 0; half < 2; ++half) {
    RETURN_IF_ERROR(Update(
        Part(change->added, half * documents / 2, (half + 1) * documents / 2),
        run, &session, &update));
  }
  return Finish(options, run, &session, std::move(update));
}

absl::Status CheckFlags(const DClustROptions& options, const FlagSet& flags) {
  if (options.print == "none") {
    for (absl::string_view flag : {"output", "format"}) {
      if (flags.WasGiven(flag)) {
        return UsageError(absl::StrCat(
            "--", flag, " says how to write, and --print=none writes nothing"));
      }
    }
  }
  RETURN_IF_ERROR(CheckLanguageFlag(flags, options.stem, options.language));
  if (options.store.empty()) {
    for (absl::string_view flag :
         {"add", "modify", "remove", "verify", "compact", "reweight", "ids",
          "input_format"}) {
      if (flags.WasGiven(flag)) {
        return UsageError(
            absl::StrCat("--", flag, " needs a store: --store=DIR"));
      }
    }
    return flags.WasGiven("store")
               ? UsageError("--store: expected a directory, found nothing")
               : absl::OkStatus();
  }
  if (flags.WasGiven("input_format") && options.add.empty() &&
      options.modify.empty()) {
    return UsageError("--input_format is of --add and --modify: give one");
  }
  const bool reads_one = options.add.empty() != options.modify.empty();
  if (!options.ids.empty() && !reads_one) {
    return UsageError(
        "--ids names the documents of --add or of --modify, one of them at a "
        "time");
  }
  return absl::OkStatus();
}

// An output over a file of the store would be the end of the collection.
absl::Status CheckOutputs(const DClustROptions& options, const ToolRun& run) {
  for (const auto& [flag, path] :
       {std::make_pair("output", run.options.output),
        std::make_pair("summary", run.options.summary)}) {
    for (absl::string_view name : {"data.mdb", "lock.mdb", "writer.lock"}) {
      if (AreOneFile(path, absl::StrCat(options.store, "/", name))) {
        return UsageError(absl::StrCat("--", flag, " would write over ", path,
                                       ", a file of the store"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status Cluster(const DClustROptions& options, const FlagSet& flags,
                     ToolRun& run) {
  RETURN_IF_ERROR(CheckFlags(options, flags));
  RETURN_IF_ERROR(CheckOutputs(options, run));
  if (options.store.empty()) return RunExample(options, flags, run);

  ASSIGN_OR_RETURN(DClustRSession session,
                   DClustRSession::Open(options, flags));
  absl::optional<DClustRUpdate> update;
  if (options.changes_documents()) {
    absl::StatusOr<DClustRSession::Change> change;
    {
      ToolRun::Timer timer(&run, "read");
      change = session.ReadChange(options.print == "cover" &&
                                  run.options.format == "tsv");
      if (!change.ok()) return change.status();
    }
    RETURN_IF_ERROR(Update(*std::move(change), run, &session, &update));
  }
  return Finish(options, run, &session, std::move(update));
}

void AddFlags(Tool* tool, DClustROptions* options) {
  FlagSet& flags = tool->flags();
  flags.Group("Store");
  flags.AddString("store", &options->store, "DIR",
                  "Where the collection is kept. Without it, the bundled "
                  "example in a temporary store.");
  flags.AddReadPath(
      "add", &options->add, "PATH|-",
      "Documents to add; their ids must be new. Creates the store "
      "if there is none.");
  flags.AddReadPath(
      "modify", &options->modify, "PATH|-",
      "Documents that replace those of the same id; they come last "
      "in the collection then.");
  flags.AddReadPath("remove", &options->remove, "PATH|-",
                    "Ids of documents to remove, one a line.");
  flags.AddChoice(
      "input_format", &options->input_format,
      {"auto", "jsonl", "lines", "directory", "svmlight", "matrixmarket"},
      "Of --add and --modify; auto goes by the name, then by the "
      "content.");
  flags.AddReadPath("ids", &options->ids, "PATH",
                    "Names of the documents of --add or --modify, one a line, "
                    "instead of their own. Documents without any are numbered, "
                    "from 0 on, over all files that a store has taken.");
  flags.AddBool("verify", &options->verify,
                "Read the whole store, and check all against all.");
  flags.AddBool("compact", &options->compact,
                "Drop what is left of removed documents, and make the file as "
                "small as it can be.");
  flags.AddBool("reweight", &options->reweight,
                "Weigh a store of tfidf by its present documents, and cluster "
                "it anew.");
  flags.Group("Fixed when a store is created");
  flags.AddDecimal("beta", &options->beta,
                   "Least cosine of an edge, exact as written, above 1/256 and "
                   "at most 1.");
  flags.AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                  "Term counts as they are, or times log(n / documents with "
                  "the term) at creation.");
  flags.AddChoice("mode", &options->mode, {"exact", "dclustr"},
                  "exact: always the clusters that oclustr would find. "
                  "dclustr: the paper's rules, which keep nearer to the "
                  "clusters that were.");
  flags.AddBool("stop_words", &options->stop_words,
                "Remove English stop words from texts.");
  flags.AddBool("stem", &options->stem, "Reduce the words of texts to stems.");
  flags.AddString("language", &options->language, "NAME",
                  "Language of the stemmer.");
  tool->AddOutputFlags({"tsv", "json"});
  flags.AddChoice("print", &options->print, {"cover", "none"},
                  "What to write: the clusters of the whole collection after "
                  "the update, or nothing.");
  tool->AddRunFlags();
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "dclustr",
      .summary = "overlapping clusters of a collection that changes (DClustR)",
      .usage = "--store=DIR [--add=PATH] [--modify=PATH] [--remove=PATH] "
               "[flags]",
      .description =
          "Keeps documents, the graph of their similarities and its cover by "
          "overlapping clusters (see oclustr) in a directory, and brings them "
          "up to date when documents come, go or change, reading only what a "
          "change can reach. A run is one transaction: a store that was "
          "interrupted is as it was before or after it. One run at a time may "
          "write to a store, others may read it meanwhile.\n\n"
          "Reads texts (JSON Lines with \"text\", plain lines, a directory of "
          ".txt files) or vectors (svmlight, MatrixMarket); a store takes one "
          "of both kinds. Removals come first, then modified documents, then "
          "new ones. Writes `id<TAB>cluster`, a line for every membership, or "
          "JSON with center, satellites and linked. Same changes, same bytes, "
          "on every device and with any number of threads.",
      .examples = {"dclustr --store=news --beta=0.35 --add=monday.jsonl.gz",
                   "dclustr --store=news --add=tuesday.jsonl "
                   "--remove=withdrawn.txt > clusters.tsv",
                   "dclustr --store=news --modify=corrected.jsonl "
                   "--print=none",
                   "dclustr --store=news --format=json",
                   "dclustr --store=news --compact --verify --print=none"},
      .uses_gpu = true,
  });
  warpclust::DClustROptions options;
  warpclust::AddFlags(&tool, &options);
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
