// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateDocuments: a collection of documents, of any size, with planted
// topics and the word frequencies of natural text.
//
// A term comes from the topic of its document with probability `topic_share`,
// else from the whole vocabulary. Both follow a Zipf-Mandelbrot law; the most
// frequent term is about 1 % of a text, as in text without stop words. Terms
// are drawn until the document has its number of distinct terms, which is
// uniform between half and one and a half times the mean. The counts are the
// weights. With 50 documents per topic, about half of the pairs of a topic have
// a cosine of at least 0.25; few other pairs do.
//
// The same options give the same bytes on every machine; document i depends
// only on the seed and on i. Time: O(terms). Memory: O(vocabulary) per thread.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_DOCUMENTS_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_DOCUMENTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/numbers/decimal.h"
#include "tools/synthetic/generator.h"

namespace warpclust {

struct GenerateDocumentsOptions {
  enum class Format { kSvmlight, kJsonLines };

  int64_t num_documents = 1000;
  // At least four times terms_per_document.
  int32_t vocabulary_size = 100000;
  // Mean number of distinct terms of a document; at least 1.
  int32_t terms_per_document = 76;
  // 0: one topic per 50 documents.
  int32_t num_topics = 0;
  // In [0, 1].
  Decimal topic_share = "0.5";
  uint64_t seed = 1;
  // kSvmlight: the label is the topic; terms are numbered from 1. kJsonLines:
  // "id", "labels" (the topic, "topic0") and "text" of made-up words. In both,
  // documents are named 0, 1, 2, ... and topics are numbered from 0.
  Format format = Format::kSvmlight;

  // InvalidArgument for a vocabulary that is too small for the documents. The
  // other ranges are preconditions.
  absl::Status Validate() const;
};

// Writes the documents and, unless `truth` is null, a line `id<TAB>topic` for
// each. `num_threads`: 0 for all cores.
absl::Status GenerateDocuments(const GenerateDocumentsOptions& options,
                               const TextSink& documents, const TextSink& truth,
                               int num_threads = 0,
                               const DoneCallback& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_DOCUMENTS_H_
