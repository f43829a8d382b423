// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_lines.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/io/line_blocks.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"

namespace warpclust {

absl::StatusOr<TextDocuments> ReadTextLines(LineReader& lines,
                                            int num_threads) {
  struct Part {
    std::vector<std::string> texts;
    absl::Status status;
  };
  TextDocuments result;
  RETURN_IF_ERROR(ParseLineBlocks<Part>(
      lines, num_threads,
      [](LineReader& block) {
        Part part;
        absl::string_view line;
        while (block.Next(&line)) {
          part.texts.emplace_back(line);
          RepairUtf8(&part.texts.back());
        }
        part.status = block.status();
        return part;
      },
      [&](Part part) {
        for (std::string& text : part.texts) {
          if (result.ids.size() == INT32_MAX) {
            return lines.Expected("at most 2^31 - 1 documents", text);
          }
          result.ids.push_back(absl::StrCat(result.ids.size()));
          result.texts.push_back(std::move(text));
        }
        return part.status;
      }));
  result.labels.resize(result.texts.size());
  return result;
}

absl::StatusOr<TextDocuments> ReadTextLines(absl::string_view path,
                                            int num_threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadTextLines(lines, num_threads);
}

}  // namespace warpclust
