// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/compact_terms.h"

#include <algorithm>

namespace warpclust {
namespace {

// The terms in use, ascending.
std::vector<int32_t> UsedTerms(const DocumentMatrix& documents) {
  std::vector<int32_t> used;
  if (documents.num_terms / 16 <= documents.num_entries()) {
    std::vector<bool> seen(documents.num_terms);
    for (int32_t term : documents.terms) seen[term] = true;
    for (int32_t t = 0; t < documents.num_terms; ++t) {
      if (seen[t]) used.push_back(t);
    }
  } else {
    used = documents.terms;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
  }
  return used;
}

}  // namespace

std::vector<int32_t> CompactTerms(DocumentMatrix* documents) {
  std::vector<int32_t> used = UsedTerms(*documents);
  if (static_cast<int32_t>(used.size()) == documents->num_terms) return used;
  const int32_t largest = used.empty() ? -1 : used.back();
  if (largest / 16 <= documents->num_entries()) {
    std::vector<int32_t> rank(largest + int64_t{1});
    for (size_t i = 0; i < used.size(); ++i) {
      rank[used[i]] = static_cast<int32_t>(i);
    }
    for (int32_t& term : documents->terms) term = rank[term];
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
