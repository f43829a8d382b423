// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/matrix_market.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_blocks.h"
#include "base/status/status_macros.h"
#include "sparse/io/number_fields.h"

namespace warpclust {

absl::Status AppendMatrixEntries(LineReader& lines,
                                 const MatrixMarketLayout& layout,
                                 bool allow_negative,
                                 std::vector<WeightedMatrixEntry>* entries) {
  absl::string_view line;
  while (lines.Next(&line)) {
    MatrixMarketEntry found;
    ASSIGN_OR_RETURN(const bool has_entry,
                     ParseMatrixMarketEntry(lines, line, layout, &found));
    if (!has_entry) continue;
    WeightedMatrixEntry entry = {found.row, found.column, 1.0f,
                                 static_cast<uint32_t>(lines.line_number())};
    if (layout.has_values) {
      const char* expected =
          ParseWeightField(found.value_text, &entry.weight, allow_negative);
      if (expected != nullptr) {
        return lines.Expected(expected, found.value_text);
      }
    }
    entries->push_back(entry);
  }
  return lines.status();
}

absl::StatusOr<DocumentMatrix> RowsOfEntries(
    std::vector<WeightedMatrixEntry> entries, absl::string_view name,
    const MatrixMarketLayout& layout, int32_t first_row, int32_t end_row) {
  // Stable, so that of two equal entries the later line comes second.
  const auto before = [](const WeightedMatrixEntry& a,
                         const WeightedMatrixEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) {
    std::stable_sort(entries.begin(), entries.end(), before);
  }
  DocumentMatrix documents;
  documents.num_terms = layout.columns;
  documents.offsets.assign(end_row - first_row + size_t{1}, 0);
  for (size_t i = 0; i < entries.size(); ++i) {
    const WeightedMatrixEntry& entry = entries[i];
    if (i > 0 && !before(entries[i - 1], entry)) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ":", entry.line, ": expected one entry ",
                       entry.row + 1, " ", entry.column + 1,
                       ", found it on line ", entries[i - 1].line, " too"));
    }
    if (entry.weight == 0) continue;
    documents.terms.push_back(entry.column);
    documents.weights.push_back(entry.weight);
    ++documents.offsets[entry.row - first_row + 1];
  }
  for (int32_t d = 0; d < end_row - first_row; ++d) {
    documents.offsets[d + 1] += documents.offsets[d];
  }
  return documents;
}

absl::StatusOr<LabelledDocuments> ReadMatrixMarket(LineReader& lines,
                                                   int num_threads,
                                                   bool allow_negative) {
  ASSIGN_OR_RETURN(const MatrixMarketLayout layout,
                   ReadMatrixMarketLayout(lines, /*allow_symmetric=*/false));
  struct Part {
    std::vector<WeightedMatrixEntry> entries;
    absl::Status status;
  };
  std::vector<WeightedMatrixEntry> entries;
  RETURN_IF_ERROR(ParseLineBlocks<Part>(
      lines, num_threads,
      [&](LineReader& block) {
        Part part;
        part.status =
            AppendMatrixEntries(block, layout, allow_negative, &part.entries);
        return part;
      },
      [&](Part part) {
        const size_t room = layout.entries - entries.size();
        if (part.entries.size() > room) {
          const WeightedMatrixEntry& first = part.entries[room];
          return TooManyEntries(lines.name(), first.line, layout, first.row,
                                first.column);
        }
        entries.insert(entries.end(), part.entries.begin(), part.entries.end());
        return part.status;
      }));
  RETURN_IF_ERROR(
      CheckAllEntries(lines, layout, static_cast<int64_t>(entries.size())));
  LabelledDocuments result;
  ASSIGN_OR_RETURN(
      result.documents,
      RowsOfEntries(std::move(entries), lines.name(), layout, 0, layout.rows));
  for (int32_t d = 0; d < layout.rows; ++d) {
    result.ids.push_back(absl::StrCat(d));
  }
  result.labels.resize(layout.rows);
  return result;
}

absl::StatusOr<LabelledDocuments> ReadMatrixMarket(absl::string_view path,
                                                   int num_threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadMatrixMarket(lines, num_threads);
}

}  // namespace warpclust
