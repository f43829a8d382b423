// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as svmlight. The result is valid and is read back from what
// the writer writes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "third_party/fuzz_folder.h"

namespace {

using Labels = std::vector<std::vector<std::string>>;

// Labels that the writer may refuse: the reader takes control characters.
bool HasControlCharacters(const Labels& labels) {
  for (const auto& list : labels) {
    for (const std::string& label : list) {
      for (char c : label) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
      }
    }
  }
  return false;
}

void CheckRoundTrip(const warpclust::DocumentMatrix& documents, Labels labels) {
  static const std::string path =
      absl::StrCat(warpclust::FuzzFolder(), "/written");
  const absl::Status written =
      warpclust::WriteSvmLight(documents, labels, path);
  if (!written.ok()) {
    if (absl::IsInvalidArgument(written) && !labels.empty() &&
        (HasControlCharacters(labels) ||
         (!labels[0].empty() && warpclust::StartsWithFileMark(labels[0][0])))) {
      return;
    }
    std::abort();
  }
  const absl::StatusOr<warpclust::LabelledDocuments> read =
      warpclust::ReadSvmLight(path);
  if (!read.ok()) std::abort();
  if (read->documents.offsets != documents.offsets ||
      read->documents.terms != documents.terms ||
      read->documents.weights != documents.weights) {
    std::abort();
  }
  // No label is written as 0: a line must have one.
  labels.resize(documents.num_documents());
  for (auto& list : labels) {
    if (list.empty()) list.push_back("0");
  }
  if (read->labels != labels) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpclust::LineReader lines = warpclust::LineReader::FromString(
      std::string(reinterpret_cast<const char*>(data), size));
  const absl::StatusOr<warpclust::LabelledDocuments> read =
      warpclust::ReadSvmLight(lines);
  if (!read.ok()) return 0;
  if (!warpclust::ValidateDocuments(read->documents).ok()) std::abort();
  const size_t num_documents = read->documents.num_documents();
  if (read->ids.size() != num_documents ||
      read->labels.size() != num_documents) {
    std::abort();
  }
  CheckRoundTrip(read->documents, read->labels);
  CheckRoundTrip(read->documents, {});
  return 0;
}
