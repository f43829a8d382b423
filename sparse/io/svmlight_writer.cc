// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The writing half of sparse/io/svmlight.h.

#include <charconv>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "sparse/io/svmlight.h"

namespace warpclust {
namespace {

absl::Status CheckLabel(int32_t document, absl::string_view label) {
  bool good = !label.empty();
  for (char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    good &= byte > ' ' && byte != 0x7F && c != ':' && c != ',' && c != '#';
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "document ", document,
      ": expected a label without blanks, ':', ',' and '#', found ",
      QuoteInput(label)));
}

void AppendWeight(float weight, std::string* line) {
  // Integers up to 2^24 are exact floats.
  if (weight <= 16777216.0f && weight == std::floor(weight)) {
    absl::StrAppend(line, static_cast<int64_t>(weight));
    return;
  }
  char digits[32];
  // Nine significant digits identify a float. printf would write the decimal
  // point of the caller's locale.
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof(digits),
                    static_cast<double>(weight), std::chars_format::general, 9);
  line->append(digits, end.ptr - digits);
}

}  // namespace

absl::Status WriteSvmLight(const DocumentMatrix& documents,
                           const std::vector<std::vector<std::string>>& labels,
                           absl::string_view path) {
  RETURN_IF_ERROR(ValidateDocuments(documents));
  if (!labels.empty() &&
      labels.size() != static_cast<size_t>(documents.num_documents())) {
    return absl::InvalidArgumentError(
        absl::StrCat("labels: expected one list per document, ",
                     documents.num_documents(), ", found ", labels.size()));
  }
  for (size_t d = 0; d < labels.size(); ++d) {
    for (const std::string& label : labels[d]) {
      RETURN_IF_ERROR(CheckLabel(static_cast<int32_t>(d), label));
    }
  }
  if (!labels.empty() && !labels[0].empty() &&
      StartsWithFileMark(labels[0][0])) {
    return absl::InvalidArgumentError(absl::StrCat(
        "document 0: expected a label without a byte order mark, found ",
        QuoteInput(labels[0][0])));
  }
  ASSIGN_OR_RETURN(TextWriter writer, TextWriter::Open(path));
  std::string line;
  for (int32_t d = 0; d < documents.num_documents() && writer.ok(); ++d) {
    line.clear();
    if (labels.empty() || labels[d].empty()) {
      line.push_back('0');
    } else {
      for (const std::string& label : labels[d]) {
        absl::StrAppend(&line, line.empty() ? "" : ",", label);
      }
    }
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      absl::StrAppend(&line, " ", int64_t{documents.terms[e]} + 1, ":");
      AppendWeight(documents.weights[e], &line);
    }
    line.push_back('\n');
    writer.Write(line);
  }
  return writer.Close();
}

}  // namespace warpclust
