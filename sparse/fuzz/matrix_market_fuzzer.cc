// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as MatrixMarket. The result is valid and is read back from
// the same entries in order.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/matrix_market.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"

namespace {

// The input starts after the words of the header that all files share, which
// chance would not find.
constexpr absl::string_view kHeader = "%%MatrixMarket matrix coordinate ";

absl::StatusOr<warpclust::LabelledDocuments> Read(std::string text) {
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::move(text));
  return warpclust::ReadMatrixMarket(lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<warpclust::LabelledDocuments> read =
      Read(absl::StrCat(kHeader, bytes));
  if (!read.ok()) return 0;
  const warpclust::DocumentMatrix& documents = read->documents;
  if (!warpclust::ValidateDocuments(documents).ok()) std::abort();
  const size_t num_documents = documents.num_documents();
  if (read->ids.size() != num_documents ||
      read->labels.size() != num_documents) {
    std::abort();
  }

  // Zeros count as entries on the size line but are dropped: with many rows the
  // line that is left may be refused.
  if (num_documents > 1000) return 0;
  std::string text =
      absl::StrCat(kHeader, "real general\n", num_documents, " ",
                   documents.num_terms, " ", documents.num_entries(), "\n");
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      absl::StrAppendFormat(&text, "%d %d %.9g\n", d + 1,
                            int64_t{documents.terms[e]} + 1,
                            documents.weights[e]);
    }
  }
  const absl::StatusOr<warpclust::LabelledDocuments> again = Read(text);
  if (!again.ok()) std::abort();
  if (again->documents.offsets != documents.offsets ||
      again->documents.terms != documents.terms ||
      again->documents.weights != documents.weights ||
      again->documents.num_terms != documents.num_terms) {
    std::abort();
  }
  return 0;
}
