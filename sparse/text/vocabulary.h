// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Vocabulary: terms numbered from 0 in the order they were added, found by text
// or by number. Use it where terms become columns of a DocumentMatrix, or
// outside names become ids.
//
// Adding and finding cost expected O(length). Several threads may find side by
// side. Views of terms are valid as long as the vocabulary, also after it is
// moved. Move-only.
//
// The file form has one term per line, in the order of their numbers, gzip'ed
// if the name says so. In files, terms are not empty and hold no line ends.

#ifndef WARPCLUST_SPARSE_TEXT_VOCABULARY_H_
#define WARPCLUST_SPARSE_TEXT_VOCABULARY_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"

namespace warpclust {

class Vocabulary {
 public:
  static constexpr int32_t kNotFound = -1;

  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  // Numbers `terms`, which are all different, in their order. The first Add or
  // Find prepares finding by text, which takes longer than all else here: many
  // callers want only the texts of numbers.
  static Vocabulary FromDistinct(absl::Span<const absl::string_view> terms);

  // The number of `term`, which is added if it is new. At most 2^31 - 1 terms.
  int32_t Add(absl::string_view term);

  // The number of `term`, or kNotFound.
  int32_t Find(absl::string_view term) const;

  // The term numbered `id`, which must be in [0, size()).
  absl::string_view Term(int32_t id) const { return terms_[id]; }

  int32_t size() const { return static_cast<int32_t>(terms_.size()); }

 private:
  using Ids = absl::flat_hash_map<absl::string_view, int32_t>;

  // ids_ with all terms.
  Ids& AllIds() const;

  // A deque never moves its elements, so the map's keys can point into them.
  std::deque<std::string> terms_;
  mutable Ids ids_;
  // Of FromDistinct: whether ids_ has them. Null otherwise.
  std::unique_ptr<std::once_flag> distinct_added_;
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
