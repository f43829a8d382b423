// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/term_lists/term_lists.h"

#include <omp.h>

#include <algorithm>

namespace warpclust {
namespace {

// The number of blocks of documents, each of which one thread counts and moves:
// one per thread, if their counters take no more memory than the data.
int NumBlocks(const DocumentMatrix& documents, int num_threads) {
  // OpenMP ends the process when the system has no more threads to give.
  const int64_t threads =
      num_threads > 0 ? std::min(num_threads, std::max(64, omp_get_num_procs()))
                      : omp_get_max_threads();
  const int64_t affordable =
      documents.num_entries() / std::max(documents.num_terms, 1);
  // A block of less than this many entries is not worth a thread.
  const int64_t useful = documents.num_entries() / 4096;
  return static_cast<int>(
      std::max<int64_t>(1, std::min({threads, affordable, useful})));
}

// Borders of `count` blocks of documents with about as many entries each.
std::vector<int32_t> BlockBorders(const DocumentMatrix& documents, int count) {
  std::vector<int32_t> borders(count + 1, documents.num_documents());
  borders[0] = 0;
  for (int b = 1; b < count; ++b) {
    const int64_t entry = documents.num_entries() / count * b;
    borders[b] = static_cast<int32_t>(
        std::lower_bound(documents.offsets.begin(), documents.offsets.end() - 1,
                         entry) -
        documents.offsets.begin());
  }
  return borders;
}

}  // namespace

TermLists BuildTermLists(const DocumentMatrix& documents,
                         const TermListsOptions& options) {
  const int64_t num_terms = documents.num_terms;
  const int num_blocks = NumBlocks(documents, options.num_threads);
  const std::vector<int32_t> borders = BlockBorders(documents, num_blocks);

  TermLists lists;
  lists.offsets.assign(num_terms + 1, 0);
  lists.documents.resize(documents.terms.size());
  lists.weights.resize(documents.terms.size());
  if (options.positions) lists.positions.resize(documents.terms.size());

  // next[b * num_terms + t]: first the entries of term t in block b, then where
  // the next of them goes. Blocks follow one another inside a list, so the
  // place of an entry does not depend on how documents are cut into blocks.
  std::vector<int64_t> next(num_blocks * num_terms);
#pragma omp parallel for schedule(static, 1) num_threads(num_blocks)
  for (int b = 0; b < num_blocks; ++b) {
    int64_t* const counts = next.data() + b * num_terms;
    const int64_t end = documents.offsets[borders[b + 1]];
    for (int64_t e = documents.offsets[borders[b]]; e < end; ++e) {
      ++counts[documents.terms[e]];
    }
  }
  int64_t sum = 0;
  for (int64_t t = 0; t < num_terms; ++t) {
    lists.offsets[t] = sum;
    for (int b = 0; b < num_blocks; ++b) {
      int64_t& slot = next[b * num_terms + t];
      const int64_t count = slot;
      slot = sum;
      sum += count;
    }
  }
  lists.offsets[num_terms] = sum;
#pragma omp parallel for schedule(static, 1) num_threads(num_blocks)
  for (int b = 0; b < num_blocks; ++b) {
    int64_t* const places = next.data() + b * num_terms;
    for (int32_t d = borders[b]; d < borders[b + 1]; ++d) {
      for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1];
           ++e) {
        const int64_t place = places[documents.terms[e]]++;
        lists.documents[place] = d;
        lists.weights[place] = documents.weights[e];
        if (options.positions) lists.positions[e] = place;
      }
    }
  }
  return lists;
}

}  // namespace warpclust
