// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/stream/stream_vectorizer.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "sparse/text/full_words.h"

namespace warpclust {
namespace {

// Drops the terms from `num_terms` on.
DocumentMatrix DropTerms(DocumentMatrix documents, int32_t num_terms) {
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const int64_t end = documents.offsets[d + 1];
    for (int64_t e = begin; e < end && documents.terms[e] < num_terms; ++e) {
      documents.terms[kept] = documents.terms[e];
      documents.weights[kept++] = documents.weights[e];
    }
    begin = end;
    documents.offsets[d + 1] = kept;
  }
  documents.terms.resize(kept);
  documents.weights.resize(kept);
  documents.num_terms = num_terms;
  return documents;
}

}  // namespace

absl::StatusOr<StreamVectorizer> StreamVectorizer::Create(
    Weighting weighting, const AnalyzerOptions& analyzer,
    absl::optional<TermFrequencies> given, Knowledge knowledge,
    int num_threads) {
  ASSIGN_OR_RETURN(StreamTermCounter counter,
                   StreamTermCounter::Create(analyzer, num_threads));
  StreamVectorizer vectorizer(std::move(counter));
  vectorizer.weighting_ = weighting;
  vectorizer.given_ = std::move(given);
  vectorizer.knowledge_ = std::move(knowledge);
  if (vectorizer.given_.has_value() && weighting == Weighting::kTfIdf) {
    if (vectorizer.given_->num_documents == 0) {
      return absl::InvalidArgumentError(
          "expected a vocabulary with document frequencies (vectorize "
          "--frequencies writes one), found one without");
    }
    vectorizer.factors_ = vectorizer.given_->InverseDocumentFrequencies();
  }
  return vectorizer;
}

DocumentMatrix StreamVectorizer::Count(DocumentBlock* block) {
  if (block->texts.empty()) {
    DocumentMatrix vectors = std::move(block->vectors);
    return given_.has_value()
               ? DropTerms(std::move(vectors), given_->vocabulary.size())
               : vectors;
  }
  DocumentMatrix counts =
      given_.has_value() ? counter_.CountKnown(block->texts, given_->vocabulary)
                         : counter_.Count(block->texts, &knowledge_.vocabulary);
  block->texts.clear();
  block->arena = TextArena();
  counts.num_terms = vocabulary().size();
  return counts;
}

absl::StatusOr<DocumentMatrix> StreamVectorizer::Vectorize(
    DocumentBlock* block) {
  DocumentMatrix documents = Count(block);
  if (weighting_ == Weighting::kTf) return documents;
  if (given_.has_value()) return ScaleTerms(std::move(documents), factors_);
  if (documents.num_terms > kMaxCountedTerms) {
    return absl::InvalidArgumentError(
        absl::StrCat("--weighting=tfidf: expected indices up to ",
                     kMaxCountedTerms, ", found ", documents.num_terms));
  }
  knowledge_.frequencies.Weigh(&documents);
  return documents;
}

std::string StreamVectorizer::TermName(int32_t term) const {
  const Vocabulary& terms = vocabulary();
  if (term < terms.size()) return std::string(terms.Term(term));
  return absl::StrCat(int64_t{term} + 1);
}

std::vector<std::string> StreamVectorizer::Words() const {
  const Vocabulary& terms = vocabulary();
  FullWords counted;
  counter_.ForEachKeptWord(
      [&](absl::string_view word, int32_t column, int64_t count) {
        counted.Add(word, column, count);
      });
  std::vector<std::string> words = counted.Words(terms.size());
  for (int32_t term = 0; term < terms.size(); ++term) {
    if (words[term].empty()) words[term] = std::string(terms.Term(term));
  }
  return words;
}

}  // namespace warpclust
