// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/benchmarks/zipf_documents.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/numbers/random.h"

namespace warpclust {
namespace {

// A generator per document, so that threads share none. Random itself has a
// state of four words.
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return Random::SplitMix(&state_); }

 private:
  uint64_t state_;
};

// Walker's alias method: a draw costs one random number and one table entry.
class AliasTable {
 public:
  explicit AliasTable(std::vector<double> weights) : cells_(weights.size()) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    const auto size = static_cast<double>(weights.size());
    std::vector<int32_t> small;
    std::vector<int32_t> large;
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] *= size / sum;
      (weights[i] < 1 ? small : large).push_back(static_cast<int32_t>(i));
      cells_[i] = {UINT32_MAX, static_cast<int32_t>(i)};
    }
    while (!small.empty() && !large.empty()) {
      const int32_t poor = small.back();
      const int32_t rich = large.back();
      small.pop_back();
      cells_[poor] = {static_cast<uint32_t>(weights[poor] * 4294967295.0),
                      rich};
      weights[rich] -= 1 - weights[poor];
      if (weights[rich] < 1) {
        large.pop_back();
        small.push_back(rich);
      }
    }
  }

  int32_t Draw(SplitMix& random) const {
    const uint64_t bits = random.Next();
    const auto cell =
        static_cast<int32_t>(((bits >> 32) * cells_.size()) >> 32);
    return static_cast<uint32_t>(bits) <= cells_[cell].keep
               ? cell
               : cells_[cell].alias;
  }

 private:
  struct Cell {
    uint32_t keep;
    int32_t alias;
  };
  std::vector<Cell> cells_;
};

}  // namespace

DocumentMatrix ZipfDocuments(const ZipfDocumentsOptions& options) {
  std::vector<double> probabilities(options.num_terms);
  for (int32_t t = 0; t < options.num_terms; ++t) {
    probabilities[t] = std::pow(t + 1 + options.offset, -options.exponent);
  }
  const AliasTable table(std::move(probabilities));
  const int64_t length = options.terms_per_document;
  DocumentMatrix documents;
  documents.num_terms = options.num_terms;
  documents.offsets.resize(options.num_documents + size_t{1});
  documents.terms.resize(options.num_documents * length);
  documents.weights.resize(options.num_documents * length);
#pragma omp parallel for schedule(dynamic, 1024)
  for (int32_t d = 0; d < options.num_documents; ++d) {
    documents.offsets[d + 1] = (d + 1) * length;
    SplitMix random(SplitMix(options.seed).Next() ^
                    static_cast<uint64_t>(d) * 0xd1342543de82ef95u);
    int32_t* const terms = documents.terms.data() + d * length;
    // Draws and drops repeats until there are enough terms.
    int64_t count = 0;
    while (count < length) {
      for (int64_t k = count; k < length; ++k) terms[k] = table.Draw(random);
      std::sort(terms, terms + length);
      count = std::unique(terms, terms + length) - terms;
    }
    for (int64_t k = 0; k < length; ++k) {
      float weight = 1;
      while (random.Next() % 3 == 0) ++weight;
      documents.weights[d * length + k] = weight;
    }
  }
  return documents;
}

DocumentMatrix SmallZipfDocuments() {
  ZipfDocumentsOptions options;
  options.num_documents = 2000;
  options.num_terms = 20000;
  options.offset = 5;
  return ZipfDocuments(options);
}

}  // namespace warpclust
