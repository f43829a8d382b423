// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateEmbeddings: the documents of RandomEmbeddings
// (sparse/dense/random_embeddings.h), as NPY or JSON Lines.
//
// The same options give the same bytes on every machine and with any number of
// threads. Time: O(n * dimensions). Memory: a thousand documents per thread.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_EMBEDDINGS_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_EMBEDDINGS_H_

#include <cstdint>

#include "base/numbers/decimal.h"
#include "tools/synthetic/generator.h"

namespace warpclust {

struct GenerateEmbeddingsOptions {
  int64_t num_documents = 1000;
  int32_t dimensions = 384;       // At least 1.
  int64_t directions = 0;         // 0: one per 20 documents.
  Decimal near_duplicates = "0";  // Their share, in [0, 1].
  uint64_t seed = 1;
  bool npy = false;  // float32; else {"id", "embedding"}.
};

// Ids are numbers from 0. Unless `truth` is null, writes `id<TAB>direction` for
// each document.
void GenerateEmbeddings(const GenerateEmbeddingsOptions& options,
                        const TextSink& out, const TextSink& truth,
                        int num_threads, const DoneCallback& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_EMBEDDINGS_H_
