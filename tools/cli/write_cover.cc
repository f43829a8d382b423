// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/write_cover.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/io/byte_reader.h"
#include "graph/io/graph_export.h"

namespace warpclust {

absl::Status CheckOutputNames(absl::Span<const std::string> ids,
                              absl::string_view path, const ToolRun& run) {
  if (run.options.format != "tsv") return absl::OkStatus();
  const absl::Status status = CheckCoverTsvNames(ids);
  if (status.ok()) return status;
  absl::string_view message = status.message();
  absl::ConsumePrefix(&message, "cover: ");
  return absl::InvalidArgumentError(absl::StrCat(
      InputName(path), ": ", message, " (--format=json takes any name)"));
}

int64_t CountAlone(const Cover& cover) {
  int64_t alone = 0;
  for (size_t c = 1; c < cover.offsets.size(); ++c) {
    if (cover.offsets[c] - cover.offsets[c - 1] == 1) ++alone;
  }
  return alone;
}

absl::Status WriteCover(const Cover& cover, absl::Span<const std::string> ids,
                        AppendClusterFields append_fields, ToolRun& run) {
  const auto write = run.sink();
  if (run.options.format == "csv") {
    ExportedNodes nodes;
    nodes.ids = ids;
    nodes.cover = &cover;
    return WriteCoverCsv(nodes, write);
  }
  return run.options.format == "tsv"
             ? WriteCoverTsv(cover, ids, write, run.threads)
             : WriteCoverJson(cover, ids, write, append_fields);
}

}  // namespace warpclust
