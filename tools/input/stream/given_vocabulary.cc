// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/given_vocabulary.h"

#include <zlib.h>

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "tools/cli/run_report.h"

namespace warpclust {

absl::StatusOr<GivenVocabulary> ReadGivenVocabulary(absl::string_view path) {
  GivenVocabulary result;
  if (path.empty()) return result;
  ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path));
  const auto checksum = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  LineReader lines = LineReader::FromString(bytes, path);
  ASSIGN_OR_RETURN(TermFrequencies terms, ReadTermFrequencies(lines));
  result.identity = absl::StrFormat("one of %d terms, CRC-32 %08x",
                                    terms.vocabulary.size(), checksum);
  result.terms = std::move(terms);
  return result;
}

std::string LostTerms(const Vocabulary& vocabulary, Analyzer* analyzer) {
  int64_t lost = 0;
  absl::string_view first;
  for (int32_t term = 0; term < vocabulary.size(); ++term) {
    if (analyzer->MayBeTerm(vocabulary.Term(term))) continue;
    if (lost++ == 0) first = vocabulary.Term(term);
  }
  if (lost == 0) return "";
  return absl::StrCat(
      GroupDigits(lost), " of its ",
      Counted(vocabulary.size(), {"term", "terms"}),
      " cannot occur in a text, such as ", QuoteInput(first),
      ": a term is one lowercase word, after --stop_words and --stem");
}

}  // namespace warpclust
