// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// dclustr: overlapping clusters of a collection that grows, shrinks and
// changes, kept in a store on disk.

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
#include "algorithms/dclustr/edges/comparison_on_ranks.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"
#include "tools/cli/bundled_example.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/process/temporary_directory.h"
#include "tools/collection/dclustr_documents.h"
#include "tools/collection/dclustr_flags.h"
#include "tools/collection/dclustr_report.h"
#include "tools/collection/dclustr_run.h"
#include "tools/collection/dclustr_session.h"
#include "tools/describe/describe_flags.h"
#include "tools/describe/write_stars.h"

namespace warpclust {
namespace {

// Applies a change.
absl::Status Update(DClustRSession::Change change, ToolRun& run,
                    DClustRSession* session,
                    absl::optional<DClustRUpdate>* sum) {
  int64_t num_stored = 0;
  if (!session->creates_store()) {
    ASSIGN_OR_RETURN(const DClustRUpdate present,
                     session->collection().Describe());
    num_stored = present.documents;
  }
  ASSIGN_OR_RETURN(const Device device, UpdateDevice(change.added, num_stored,
                                                     session->beta(), run));
  ToolRun::Timer timer(&run, "compute");
  ASSIGN_OR_RETURN(DClustRUpdate update,
                   session->Update(std::move(change), RunOptions(device, run)));
  NoteUpdate(std::move(update), run, sum);
  return absl::OkStatus();
}

// The documents of a store. It keeps no texts, so they are called by their ids
// and terms by their stems.
absl::StatusOr<NamedDocuments> ReadStored(const DClustRCollection& collection,
                                          const DClustRClusters& clusters,
                                          const ToolRun& run) {
  ASSIGN_OR_RETURN(const DClustRUpdate present, collection.Describe());
  if (present.dimensions > 0) {
    NamedDocuments named;
    ASSIGN_OR_RETURN(named.dense, collection.ReadRows(run.threads));
    named.is_dense = true;
    named.ids = clusters.ids;
    return named;
  }
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
    ASSIGN_OR_RETURN(const Device device, WholeDevice(run));
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
    ASSIGN_OR_RETURN(const Device device, WholeDevice(run));
    ToolRun::Timer timer(&run, "verify");
    RETURN_IF_ERROR(collection.Verify(RunOptions(device, run)));
    run.Note(absl::StrCat(options.store, ": the store is sound"));
  }
  if (!update.has_value()) {
    ASSIGN_OR_RETURN(update, collection.Describe());
  }
  ReportDClustR(collection.options(), *update, run);
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
  const absl::StatusOr<std::string> path = BundledExample(kDClustRExample);
  if (!path.ok()) {
    return absl::NotFoundError(absl::StrCat(
        path.status().message(), "; --store=DIR --add=PATH names an input"));
  }
  ASSIGN_OR_RETURN(const TemporaryDirectory directory,
                   TemporaryDirectory::Create("dclustr"));
  options.store = absl::StrCat(directory.path(), "/store");
  options.add = *path;
  run.Note(absl::StrCat("no --store: adding the bundled example (examples/",
                        kDClustRExample,
                        ") to a temporary store, in two batches"));
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

absl::Status ClusterOnce(const DClustROptions& options, const FlagSet& flags,
                         ToolRun& run) {
  if (options.in_memory) return RunInMemory(options, flags, run);
  RETURN_IF_ERROR(CheckDClustROutputs(options, run));
  if (options.store.empty()) return RunExample(options, flags, run);

  ASSIGN_OR_RETURN(DClustRSession session,
                   DClustRSession::Open(options, flags));
  absl::optional<DClustRUpdate> update;
  if (options.changes_documents()) {
    ASSIGN_OR_RETURN(DClustRSession::Change change, run.Timed("read", [&] {
      return session.ReadChange(
          options.print == "cover" && run.options.format == "tsv",
          [&run](absl::string_view message) { run.Note(message); },
          run.progress.work(), run.threads);
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

// On several ranks, rank 0 has the store and does everything but comparisons.
absl::Status Cluster(const DClustROptions& options, const FlagSet& flags,
                     ToolRun& run) {
  RETURN_IF_ERROR(CheckDClustRFlags(options, flags, run));
  RETURN_IF_ERROR(CheckDClustRRanks(options, run));
  if (run.ranks.rank() > 0) return FollowComparisons(run.ranks, run.threads);
  RETURN_IF_ERROR(ClusterOnce(options, flags, run));
  return EndComparisons(run.ranks);
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
          ".txt files), vectors (svmlight, MatrixMarket) or embeddings (NPY, "
          "fvecs, safetensors, JSON Lines with \"embedding\"); one store holds "
          "only one kind. Removals are applied first, then modified documents, "
          "then new ones. Writes one line `id<TAB>cluster` per membership, or "
          "JSON with center, satellites and linked. The same changes give the "
          "same bytes on every device and with any number of threads. In "
          "builds with MPI, mpirun shares comparisons among processes; the "
          "first one has the store, and the bytes are the same too.",
      .examples = {"dclustr --store=news --beta=0.35 --add=monday.jsonl.gz",
                   "dclustr --store=news --add=tuesday.jsonl "
                   "--remove=withdrawn.txt > clusters.tsv",
                   "dclustr --store=news --modify=corrected.jsonl "
                   "--print=none",
                   "dclustr --store=news --format=json",
                   "dclustr --store=vectors --beta=0.8 --add=monday.npy "
                   "--ids=monday.ids",
                   "dclustr --in_memory --mode=dclustr --add=year.jsonl "
                   "--batch=1000",
                   "dclustr --store=news --compact --verify --print=none",
                   "mpirun -n 4 dclustr --store=news --add=tuesday.jsonl"},
      .uses_gpu = true,
      .uses_ranks = true,
  });
  warpclust::DClustROptions options;
  warpclust::AddDClustRFlags(&tool, &options);
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Cluster(options, tool.flags(), run);
  });
}
