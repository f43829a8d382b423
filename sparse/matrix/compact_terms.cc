// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/compact_terms.h"

#include <algorithm>
#include <atomic>

#include "base/machine/threads.h"

namespace warpclust {
namespace {

// The terms in use, ascending.
std::vector<int32_t> UsedTerms(const DocumentMatrix& documents, int threads) {
  std::vector<int32_t> used;
  const int64_t entries = documents.num_entries();
  if (documents.num_terms / 16 <= entries) {
    std::vector<char> seen(documents.num_terms);
#pragma omp parallel for num_threads(threads)
    for (int64_t e = 0; e < entries; ++e) {
      const std::atomic_ref<char> mark(seen[documents.terms[e]]);
      // Lines of frequent terms stay with all threads.
      if (mark.load(std::memory_order_relaxed) == 0) {
        mark.store(1, std::memory_order_relaxed);
      }
    }
    for (int32_t t = 0; t < documents.num_terms; ++t) {
      if (seen[t] != 0) used.push_back(t);
    }
  } else {
    used = documents.terms;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  }
  return used;
}

}  // namespace

std::vector<int32_t> CompactTerms(DocumentMatrix* documents, int num_threads) {
  const int64_t entries = documents->num_entries();
  const int threads = ThreadsFor(entries, int64_t{1} << 18, num_threads);
  std::vector<int32_t> used = UsedTerms(*documents, threads);
  if (static_cast<int32_t>(used.size()) == documents->num_terms) return used;
  const int32_t largest = used.empty() ? -1 : used.back();
  if (largest / 16 <= entries) {
    std::vector<int32_t> rank(largest + int64_t{1});
    for (size_t i = 0; i < used.size(); ++i) {
      rank[used[i]] = static_cast<int32_t>(i);
    }
#pragma omp parallel for num_threads(threads)
    for (int64_t e = 0; e < entries; ++e) {
      documents->terms[e] = rank[documents->terms[e]];
    }
  } else {
    for (int32_t& term : documents->terms) {
      term = static_cast<int32_t>(
          std::lower_bound(used.begin(), used.end(), term) - used.begin());
    }
  }
  documents->num_terms = static_cast<int32_t>(used.size());
  return used;
}

}  // namespace warpclust
