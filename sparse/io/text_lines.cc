// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_lines.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/io/lines/line_blocks.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"
#include "sparse/io/collect_texts.h"

namespace warpclust {

absl::StatusOr<TextDocuments> ReadTextLines(LineReader& lines,
                                            int num_threads) {
  TextCollector collector({.name = lines.name(), .num_threads = num_threads});
  return collector.Finish(ParseLineBlocks<TextPart>(
      lines, num_threads,
      [](LineReader& block) {
        TextPart part;
        absl::string_view line;
        while (block.Next(&line)) {
          part.documents.texts.emplace_back(line);
          RepairUtf8(&part.documents.texts.back());
          part.lines.push_back({block.line_number(), block.line_number()});
        }
        part.documents.ids.resize(part.lines.size());
        part.documents.labels.resize(part.lines.size());
        part.status = block.status();
        return part;
      },
      [&](TextPart part) { return collector.Add(std::move(part)); }));
}

absl::StatusOr<TextDocuments> ReadTextLines(absl::string_view path,
                                            int num_threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadTextLines(lines, num_threads);
}

}  // namespace warpclust
