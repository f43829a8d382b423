// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The reading half of sparse/io/svmlight.h.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/io/lines/count_byte.h"
#include "base/io/lines/line_blocks.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "sparse/io/number_fields.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/concatenate_documents.h"

namespace warpclust {
namespace {

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Takes the next field off `*rest`; empty at the end.
absl::string_view NextField(absl::string_view* rest) {
  const char* at = rest->data();
  const char* const end = at + rest->size();
  while (at != end && IsBlank(*at)) ++at;
  const char* const start = at;
  while (at != end && !IsBlank(*at)) ++at;
  *rest = absl::string_view(at, end - at);
  return absl::string_view(start, at - start);
}

// The fast path: blanks, up to 9 digits, ':', up to 9 digits, then a blank or
// the end. Takes these off `*rest` and returns true; AppendPair does the rest.
bool TakeIntegerPair(absl::string_view* rest, int32_t* index, uint32_t* value) {
  const char* at = rest->data();
  const char* const end = at + rest->size();
  while (at != end && IsBlank(*at)) ++at;
  const auto take_digits = [&](uint32_t* number) {
    const char* const start = at;
    uint32_t sum = 0;
    for (; at != end; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - '0';
      if (digit > 9) break;
      sum = sum * 10 + digit;
    }
    *number = sum;
    return at != start && at - start <= 9;
  };
  uint32_t first;
  if (!take_digits(&first) || at == end || *at != ':') return false;
  ++at;
  if (!take_digits(value) || (at != end && !IsBlank(*at))) return false;
  *index = static_cast<int32_t>(first);
  *rest = absl::string_view(at, end - at);
  return true;
}

// Parses "index:value" and appends it. `*previous` is the last index.
absl::Status AppendPair(const LineReader& lines, absl::string_view field,
                        bool allow_negative, int32_t* previous,
                        DocumentMatrix* documents) {
  const size_t colon = field.find(':');
  if (colon == absl::string_view::npos) {
    return lines.Expected("index:value", field);
  }
  const absl::string_view index_field = field.substr(0, colon);
  int32_t index;
  const char* expected = ParseIndexField(index_field, &index);
  if (expected != nullptr) return lines.Expected(expected, index_field);
  if (index <= *previous) {
    return lines.Expected(
        absl::StrCat("an index above ", *previous, ", the one before it"),
        index_field);
  }
  float weight;
  expected = ParseWeightField(field.substr(colon + 1), &weight, allow_negative);
  if (expected != nullptr) {
    return lines.Expected(absl::StrCat(expected, " for index ", index),
                          field.substr(colon + 1));
  }
  *previous = index;
  if (weight != 0) {
    documents->terms.push_back(index - 1);
    documents->weights.push_back(weight);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> AppendSvmLightRow(const LineReader& lines,
                                       absl::string_view line,
                                       DocumentMatrix* documents,
                                       std::vector<std::string>* labels,
                                       bool allow_negative) {
  absl::string_view rest = line.substr(0, line.find('#'));
  const absl::string_view label = NextField(&rest);
  if (label.empty()) return false;
  if (absl::StrContains(label, ':')) return lines.Expected("a label", label);
  if (documents->num_documents() == INT32_MAX) {
    return lines.Expected("at most 2^31 - 1 documents", label);
  }
  const size_t entries = documents->terms.size();
  int32_t previous = 0;
  for (;;) {
    int32_t index;
    uint32_t value;
    const absl::string_view before = rest;
    if (TakeIntegerPair(&rest, &index, &value)) {
      if (index > previous && value > 0) {
        previous = index;
        documents->terms.push_back(index - 1);
        documents->weights.push_back(static_cast<float>(value));
        continue;
      }
      rest = before;
    }
    const absl::string_view field = NextField(&rest);
    if (field.empty()) break;
    if (field[0] == 'q' && absl::StartsWith(field, "qid:")) continue;
    absl::Status appended =
        AppendPair(lines, field, allow_negative, &previous, documents);
    if (!appended.ok()) {
      documents->terms.resize(entries);
      documents->weights.resize(entries);
      return appended;
    }
  }
  documents->num_terms = std::max(documents->num_terms, previous);
  documents->offsets.push_back(documents->num_entries());
  labels->clear();
  for (absl::string_view part : absl::StrSplit(label, ',', absl::SkipEmpty())) {
    labels->emplace_back(part);
  }
  return true;
}

absl::StatusOr<LabelledDocuments> ReadSvmLight(LineReader& lines,
                                               int num_threads,
                                               bool allow_negative) {
  struct Part {
    DocumentMatrix documents;
    std::vector<std::vector<std::string>> labels;
    absl::Status status;
  };
  std::vector<DocumentMatrix> matrices;
  std::vector<std::vector<std::vector<std::string>>> labels_of_parts;
  std::vector<int64_t> begins = {0};  // Of each part, its first document.
  RETURN_IF_ERROR(ParseLineBlocks<Part>(
      lines, num_threads,
      [&](LineReader& block) {
        Part part;
        // One per entry: room that grows leaves gaps in the heap.
        const int64_t entries = CountByte(block.Peek(), ':');
        part.documents.terms.reserve(entries);
        part.documents.weights.reserve(entries);
        std::vector<std::string> labels;
        absl::string_view line;
        while (block.Next(&line)) {
          const absl::StatusOr<bool> added = AppendSvmLightRow(
              block, line, &part.documents, &labels, allow_negative);
          part.status = added.status();
          if (!added.ok()) return part;
          if (*added) part.labels.push_back(std::move(labels));
        }
        part.status = block.status();
        return part;
      },
      [&](Part part) {
        RETURN_IF_ERROR(part.status);
        begins.push_back(begins.back() +
                         static_cast<int64_t>(part.labels.size()));
        if (begins.back() > INT32_MAX) {
          return lines.Expected("at most 2^31 - 1 documents", "more");
        }
        labels_of_parts.push_back(std::move(part.labels));
        matrices.push_back(std::move(part.documents));
        return absl::OkStatus();
      }));
  LabelledDocuments result;
  result.documents = ConcatenateDocuments(std::move(matrices), num_threads);
  result.ids.resize(begins.back());
  result.labels.resize(begins.back());
  const auto num_parts = static_cast<int64_t>(labels_of_parts.size());
  const int threads = ResolveThreads(num_threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t p = 0; p < num_parts; ++p) {
    std::move(labels_of_parts[p].begin(), labels_of_parts[p].end(),
              result.labels.begin() + begins[p]);
    for (int64_t d = begins[p]; d < begins[p + 1]; ++d) {
      result.ids[d] = absl::StrCat(d);
    }
  }
  return result;
}

absl::StatusOr<LabelledDocuments> ReadSvmLight(absl::string_view path,
                                               int num_threads) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadSvmLight(lines, num_threads);
}

}  // namespace warpclust
