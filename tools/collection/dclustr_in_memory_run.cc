// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr_in_memory.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/append_rows.h"
#include "tools/collection/dclustr_documents.h"
#include "tools/collection/dclustr_run.h"
#include "tools/describe/write_stars.h"
#include "tools/input/text_flags.h"

namespace warpclust {

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
  file.dense = options.dense;
  file.ids_path = options.ids;
  file.ids_for_table = options.print == "cover" && run.options.format == "tsv";
  file.describe = NeedsDescriptions(options.describe, flags, run);
  StoreReader::Documents documents;
  RETURN_IF_ERROR(
      run.Timed("read", [&] { return reader.Append(file, &documents); }));
  const StoreReader::Content content = reader.knowledge().content;
  const bool texts = content == StoreReader::Content::kTexts;
  const bool dense = content == StoreReader::Content::kEmbeddings;
  if (dense || content == StoreReader::Content::kVectors) {
    RETURN_IF_ERROR(CheckNoTextFlags(flags, "the input is"));
  }
  if (dense) RETURN_IF_ERROR(CheckNoTermFlags(flags, "the input is"));
  for (const SkippedLines& skipped : documents.skipped) {
    NoteSkippedLines(skipped, run);
  }

  const auto n = static_cast<int32_t>(documents.ids.size());
  const int32_t step = options.batch > 0 ? options.batch : std::max(n, 1);
  ASSIGN_OR_RETURN(
      const Device device,
      UpdateDevice(documents, /*num_stored=*/0, created.beta, run));
  absl::optional<DClustRUpdate> sum;
  // An empty input is one empty batch.
  for (int32_t begin = 0; begin < std::max(n, 1);) {
    const int32_t end = begin + std::min(step, n - begin);
    DClustRBatch batch;
    if (dense) {
      batch.added_rows = documents.rows.Rows(begin, end);
    } else {
      AppendRows(documents.counts, begin, end, &batch.added);
    }
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
  ReportDClustR(created, *sum, run);
  if (options.print == "none") return absl::OkStatus();
  ToolRun::Timer timer(&run, "write");
  ASSIGN_OR_RETURN(const DClustRClusters clusters,
                   collection.Read(run.threads));
  NamedDocuments named;
  if (file.describe) {
    documents.titles.resize(clusters.ids.size());
    for (size_t d = 0; d < clusters.ids.size(); ++d) {
      if (documents.titles[d].empty()) documents.titles[d] = clusters.ids[d];
    }
    if (dense) {
      named.dense = collection.dense_documents();
      named.is_dense = true;
      named.ids = clusters.ids;
      named.titles = std::move(documents.titles);
    } else {
      std::vector<std::string> words;
      if (texts) words = reader.Words();
      if (texts) words.resize(collection.documents().num_terms);
      named = CompactNamed(collection.documents(), clusters.ids,
                           std::move(documents.titles), std::move(words));
    }
  }
  return WriteClusters(clusters, options.add, named, options.beta, options,
                       flags, run);
}

}  // namespace warpclust
