// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/matrix_market.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "sparse/io/matrix_market_entries.h"
#include "sparse/io/number_fields.h"

namespace warpclust {
namespace {

struct Entry {
  int32_t row;
  int32_t column;
  float weight;
  uint32_t line;  // Modulo 2^32: for messages only.
};

}  // namespace

absl::StatusOr<LabelledDocuments> ReadMatrixMarket(LineReader& lines) {
  ASSIGN_OR_RETURN(const MatrixMarketLayout layout,
                   ReadMatrixMarketLayout(lines, /*allow_symmetric=*/false));
  std::vector<Entry> entries;
  RETURN_IF_ERROR(ReadMatrixMarketEntries(
      lines, layout, [&](const MatrixMarketEntry& found) {
        Entry entry = {found.row, found.column, 1.0f,
                       static_cast<uint32_t>(lines.line_number())};
        if (layout.has_values) {
          const char* expected =
              ParseWeightField(found.value_text, &entry.weight);
          if (expected != nullptr) {
            return lines.Expected(expected, found.value_text);
          }
        }
        entries.push_back(entry);
        return absl::OkStatus();
      }));

  // Stable, so that of two equal entries the later line comes second.
  const auto before = [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) {
    std::stable_sort(entries.begin(), entries.end(), before);
  }
  LabelledDocuments result;
  DocumentMatrix& documents = result.documents;
  documents.num_terms = layout.columns;
  documents.offsets.assign(layout.rows + size_t{1}, 0);
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (i > 0 && !before(entries[i - 1], entry)) {
      return absl::InvalidArgumentError(
          absl::StrCat(lines.name(), ":", entry.line, ": expected one entry ",
                       entry.row + 1, " ", entry.column + 1,
                       ", found it on line ", entries[i - 1].line, " too"));
    }
    if (entry.weight == 0) continue;
    documents.terms.push_back(entry.column);
    documents.weights.push_back(entry.weight);
    ++documents.offsets[entry.row + 1];
  }
  for (int32_t d = 0; d < layout.rows; ++d) {
    documents.offsets[d + 1] += documents.offsets[d];
    result.ids.push_back(absl::StrCat(d));
  }
  result.labels.resize(layout.rows);
  return result;
}

absl::StatusOr<LabelledDocuments> ReadMatrixMarket(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadMatrixMarket(lines);
}

}  // namespace warpclust
