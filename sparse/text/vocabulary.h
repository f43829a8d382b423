// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Vocabulary: terms numbered from 0 in the order they were added, found by text
// or by number. Use it where terms become columns of a DocumentMatrix, or
// outside names become ids.
//
// Adding and finding cost expected O(length). Views of terms are valid as long
// as the vocabulary, also after it is moved. Move-only.
//
// The file form has one term per line, in the order of their numbers, gzip'ed
// if the name says so. In files, terms are not empty and hold no line ends.

#ifndef WARPCLUST_SPARSE_TEXT_VOCABULARY_H_
#define WARPCLUST_SPARSE_TEXT_VOCABULARY_H_

#include <cstdint>
#include <deque>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/line_reader.h"

namespace warpclust {

class Vocabulary {
 public:
  static constexpr int32_t kNotFound = -1;

  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  // Prepares for `size` terms in all.
  void Reserve(int32_t size) { ids_.reserve(size); }

  // The number of `term`, which is added if it is new. At most 2^31 - 1 terms.
  int32_t Add(absl::string_view term);

  // The same for a term that is new.
  int32_t AddNew(absl::string_view term);

  // The number of `term`, or kNotFound.
  int32_t Find(absl::string_view term) const;

  // The term numbered `id`, which must be in [0, size()).
  absl::string_view Term(int32_t id) const { return terms_[id]; }

  int32_t size() const { return static_cast<int32_t>(terms_.size()); }

 private:
  // A deque never moves its elements, so the map's keys can point into them.
  std::deque<std::string> terms_;
  absl::flat_hash_map<absl::string_view, int32_t> ids_;
};

// Reads a vocabulary file. InvalidArgument naming file and line for an empty
// line or a repeated term; the errors of LineReader.
absl::StatusOr<Vocabulary> ReadVocabulary(absl::string_view path);
absl::StatusOr<Vocabulary> ReadVocabulary(LineReader& lines);

// Writes a vocabulary file by TextWriter. InvalidArgument if it would not read
// back: a term is empty, holds a line feed or ends in a carriage return, or the
// first term starts with a byte order mark or like gzip.
absl::Status WriteVocabulary(const Vocabulary& vocabulary,
                             absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_VOCABULARY_H_
