// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedTerms: the terms of words for several threads that count the words of
// one collection. Each distinct word is stemmed by the thread that meets it
// first; the others look it up. VectorizeTexts uses it.
//
// How terms are numbered depends on the order in which threads come. Number()
// then numbers them in ascending order of their bytes.
//
// Cost: expected O(length) per word; Number() sorts the terms, on all threads.
// Memory: the distinct words and terms.

#ifndef WARPCLUST_SPARSE_TEXT_SHARED_TERMS_H_
#define WARPCLUST_SPARSE_TEXT_SHARED_TERMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "sparse/text/analyzer.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class SharedTerms {
 public:
  // What Find returns for a word without a term.
  static constexpr int32_t kNone = -1;

  // For `num_threads` threads. One alone should not ask for a word twice.
  explicit SharedTerms(int num_threads);
  ~SharedTerms();
  SharedTerms(const SharedTerms&) = delete;
  SharedTerms& operator=(const SharedTerms&) = delete;

  // The number of the term of `word`, a word of `analyzer`, which is that of
  // the calling thread; kNone for a stop word. Numbers lie below 2^31 and are
  // about as many as terms. Any thread may call it.
  int32_t Find(absl::string_view word, Analyzer& analyzer);

  // The terms of all words so far, ascending, and by number from Find the place
  // among them; other numbers have any. Find must not follow.
  struct Numbered {
    std::vector<absl::string_view> terms;
    std::vector<int32_t> places;
  };
  Numbered Number(int num_threads) const;

 private:
  struct Shard;
  struct Slot;
  struct Free {
    void operator()(Slot* slots) const;
  };

  int32_t FindAnew(absl::string_view word, Analyzer& analyzer);
  // Long words, and those without a slot.
  int32_t FindInShard(absl::string_view word, uint64_t hash,
                      Analyzer& analyzer);
  int32_t AddTerm(absl::string_view term);

  const size_t num_shards_;
  const std::unique_ptr<Shard[]> shards_;
  // Short words, found without a lock: most of what threads ask for. Null for
  // one thread.
  std::unique_ptr<Slot[], Free> slots_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_SHARED_TERMS_H_
