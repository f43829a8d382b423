// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateStream: a stream of short dated documents that report on stories, in
// order of time.
//
// A story breaks at a moment uniform in the duration of the stream. Most of its
// documents follow within hours, the last ones days later: the delay is
// burst * x^2 with x uniform. Few stories are large and many are small (Zipf).
// Three of five words come from the story's own twenty; one document in eight
// repeats the story's first headline word for word.
//
// The same options give the same bytes on every machine. Time: O(n log n).
// Memory: 16 bytes per document.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_STREAM_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_STREAM_H_

#include <cstdint>

#include "tools/synthetic/generator.h"

namespace warpclust {

struct GenerateStreamOptions {
  int64_t num_documents = 1000;
  // 0: one story per 20 documents.
  int32_t num_stories = 0;
  // Mean number of words of a document; at least 1.
  int32_t words_per_document = 10;
  int32_t vocabulary_size = 20000;   // At least 1.
  int32_t duration_hours = 24 * 30;  // At least 1.
  int32_t burst_hours = 48;
  uint64_t seed = 1;
};

// Writes JSON Lines with "id" (0, 1, 2, ...), "time" (UTC, never decreasing,
// from 2026-01-01), "labels" (the story) and "text". Unless `truth` is null,
// writes `id<TAB>story` for each document.
void GenerateStream(const GenerateStreamOptions& options,
                    const TextSink& documents, const TextSink& truth,
                    const DoneCallback& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_STREAM_H_
