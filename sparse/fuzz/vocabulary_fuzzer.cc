// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as a vocabulary, and writes any terms as one. Terms are found
// by their numbers, and what the writer accepts is read back.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "sparse/text/term_frequencies.h"
#include "sparse/text/vocabulary.h"
#include "third_party/fuzz_folder.h"

namespace {

void Check(const warpclust::Vocabulary& vocabulary) {
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.Find(vocabulary.Term(id)) != id) std::abort();
  }
  static const std::string path =
      absl::StrCat(warpclust::FuzzFolder(), "/written");
  const absl::Status written = warpclust::WriteVocabulary(vocabulary, path);
  if (!written.ok()) {
    if (!absl::IsInvalidArgument(written)) std::abort();
    return;
  }
  const absl::StatusOr<warpclust::Vocabulary> read =
      warpclust::ReadVocabulary(path);
  if (!read.ok() || read->size() != vocabulary.size()) std::abort();
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    if (read->Term(id) != vocabulary.Term(id)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  warpclust::LineReader lines =
      warpclust::LineReader::FromString(std::string(bytes));
  const absl::StatusOr<warpclust::Vocabulary> read =
      warpclust::ReadVocabulary(lines);
  if (read.ok()) Check(*read);

  warpclust::LineReader counted =
      warpclust::LineReader::FromString(std::string(bytes));
  const absl::StatusOr<warpclust::TermFrequencies> frequencies =
      warpclust::ReadTermFrequencies(counted);
  if (frequencies.ok()) Check(frequencies->vocabulary);

  warpclust::Vocabulary terms;
  for (absl::string_view term : absl::StrSplit(bytes, '|')) terms.Add(term);
  Check(terms);
  return 0;
}
