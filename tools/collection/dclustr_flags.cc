// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/collection/dclustr_flags.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/cover/cover_update.h"
#include "base/status/status_macros.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/flags/same_file.h"
#include "tools/report/documents_page.h"
#include "tools/report/report_file.h"

namespace warpclust {

void AddDClustRFlags(Tool* tool, DClustROptions* options) {
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
      {"auto", "jsonl", "lines", "csv", "directory", "svmlight", "matrixmarket",
       "npy", "fvecs", "bvecs", "safetensors", "jsonl_vectors"},
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
                   "and at most 1. A good start for embeddings: 0.7 to 0.9.");
  flags.AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                  "Term counts as they are, or times log(n / documents with "
                  "the term) at creation.");
  flags.AddChoice("mode", &options->mode, {"exact", "dclustr"},
                  "exact: always the clusters that oclustr finds. dclustr: the "
                  "rules of the paper, which stay closer to the previous "
                  "clusters.");
  AddTextFlags(&flags, &options->text);
  AddDenseFlags(&flags, &options->dense);
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

absl::Status CheckDClustRFlags(const DClustROptions& options,
                               const FlagSet& flags, const ToolRun& run) {
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
    RETURN_IF_ERROR(RefuseFlags(
        flags,
        {"add", "modify", "remove", "verify", "compact", "reweight", "ids",
         "input_format", "text_column", "id_column", "vector_field", "tensor"},
        "needs a store: --store=DIR"));
    return flags.WasGiven("store")
               ? UsageError("--store: expected a directory, found nothing")
               : absl::OkStatus();
  }
  if (options.add.empty() && options.modify.empty()) {
    RETURN_IF_ERROR(RefuseFlags(
        flags,
        {"input_format", "text_column", "id_column", "vector_field", "tensor"},
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

absl::Status CheckDClustRRanks(const DClustROptions& options,
                               const ToolRun& run) {
  if (run.ranks.size() == 1) return absl::OkStatus();
  if (options.in_memory) {
    return UsageError(
        "--in_memory needs one process: several ranks share the comparison "
        "with a store");
  }
  if (run.WritesParts()) {
    return UsageError(
        "--output: expected a path without %r, because one rank writes all "
        "lines");
  }
  if (run.requested == Device::kCuda) {
    return absl::UnavailableError(
        "several ranks compute on the CPU: use --device=cpu");
  }
  return absl::OkStatus();
}

absl::Status CheckNoTermFlags(const FlagSet& flags, absl::string_view subject) {
  return RefuseFlags(flags, {"explain"},
                     absl::StrCat("is for documents with terms, and ", subject,
                                  " embeddings"));
}

absl::Status CheckDClustROutputs(const DClustROptions& options,
                                 const ToolRun& run) {
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

absl::StatusOr<DClustRStoreOptions> CreationOptions(
    const DClustROptions& options) {
  DClustRStoreOptions result;
  result.beta = options.beta;
  ASSIGN_OR_RETURN(result.weighting, ParseWeighting(options.weighting));
  ASSIGN_OR_RETURN(result.mode, ParseDClustRMode(options.mode));
  return result;
}

}  // namespace warpclust
