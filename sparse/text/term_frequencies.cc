// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/term_frequencies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr absl::string_view kDocuments = "#documents";

// "term<TAB>count", count at least 1.
bool ParseCountLine(absl::string_view line, absl::string_view* term,
                    int64_t* count) {
  const size_t tab = line.rfind('\t');
  if (tab == absl::string_view::npos || tab == 0) return false;
  *term = line.substr(0, tab);
  return absl::SimpleAtoi(line.substr(tab + 1), count) && *count >= 1;
}

}  // namespace

std::vector<double> TermFrequencies::InverseDocumentFrequencies() const {
  std::vector<double> factors(frequencies.size());
  for (size_t t = 0; t < factors.size(); ++t) {
    factors[t] = std::log(static_cast<double>(num_documents) /
                          static_cast<double>(frequencies[t]));
  }
  return factors;
}

absl::StatusOr<TermFrequencies> ReadTermFrequencies(absl::string_view path) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadTermFrequencies(lines);
}

absl::StatusOr<TermFrequencies> ReadTermFrequencies(LineReader& lines) {
  TermFrequencies result;
  bool plain = false;
  int64_t most = 0;
  absl::string_view line;
  while (lines.Next(&line)) {
    if (result.num_documents > 0) {
      return lines.Expected("nothing after the line of #documents", line);
    }
    absl::string_view term = line;
    int64_t count = 0;
    if (lines.line_number() == 1) {
      plain = line.find('\t') == absl::string_view::npos;
    }
    if (plain) {
      if (line.empty()) return lines.Expected("a term", line);
    } else if (!ParseCountLine(line, &term, &count)) {
      return lines.Expected("a term, a tab and a number of documents", line);
    }
    if (!plain && term == kDocuments) {
      if (count < most) {
        return lines.Expected(
            absl::StrCat("at least ", most,
                         " documents, the frequency of a term"),
            line);
      }
      result.num_documents = count;
      continue;
    }
    if (result.vocabulary.size() == INT32_MAX) {
      return lines.Expected("at most 2^31 - 1 terms", line);
    }
    const int32_t expected_id = result.vocabulary.size();
    const int32_t id = result.vocabulary.Add(term);
    if (id != expected_id) {
      return lines.Expected(
          absl::StrCat("a term different from that of line ", id + 1), line);
    }
    if (!plain) result.frequencies.push_back(count);
    most = std::max(most, count);
  }
  if (!lines.status().ok()) return lines.status();
  if (!result.frequencies.empty() && result.num_documents == 0) {
    return lines.Expected("a last line \"#documents\", a tab and their number",
                          "");
  }
  return result;
}

absl::Status WriteTermFrequencies(const Vocabulary& vocabulary,
                                  const std::vector<int32_t>& frequencies,
                                  int64_t num_documents,
                                  absl::string_view path) {
  if (frequencies.size() != static_cast<size_t>(vocabulary.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("frequencies: expected one per term, ", vocabulary.size(),
                     ", found ", frequencies.size()));
  }
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const absl::string_view term = vocabulary.Term(id);
    if (term.empty() || term[0] == '#' ||
        term.find_first_of("\t\n\r") != absl::string_view::npos ||
        (id == 0 && StartsWithFileMark(term))) {
      return absl::InvalidArgumentError(
          absl::StrCat("term ", id,
                       ": expected text of one line without tabs "
                       "and not starting with '#', found ",
                       QuoteInput(term)));
    }
    if (frequencies[id] < 1 || frequencies[id] > num_documents) {
      return absl::InvalidArgumentError(absl::StrCat(
          "term ", id, ": expected 1 to ", num_documents,
          " documents of the collection, found ", frequencies[id]));
    }
  }
  ASSIGN_OR_RETURN(TextWriter writer, TextWriter::Open(path));
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    writer.Write(
        absl::StrCat(vocabulary.Term(id), "\t", frequencies[id], "\n"));
  }
  if (num_documents > 0) {
    writer.Write(absl::StrCat(kDocuments, "\t", num_documents, "\n"));
  }
  return writer.Close();
}

}  // namespace warpclust
