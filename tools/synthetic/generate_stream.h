// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GenerateStream: a seeded stream of short dated documents that report on
// stories, in the order of time.
//
// A story breaks at a moment uniform in the duration of the stream; most of its
// documents follow within hours, the last ones days later (delay = burst · x²,
// x uniform). Few stories are large and many are small (Zipf). Three of five
// words come from the story's own twenty; one document in eight repeats the
// story's first headline word for word.
//
// Determinism: the same options give the same bytes on every machine. Memory:
// 16 bytes a document. Cost: O(n log n). Thread-safety: pure.

#ifndef WARPCLUST_TOOLS_SYNTHETIC_GENERATE_STREAM_H_
#define WARPCLUST_TOOLS_SYNTHETIC_GENERATE_STREAM_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "tools/cli/text_sink.h"

namespace warpclust {

struct GenerateStreamOptions {
  int64_t num_documents = 1000;
  // 0: one for every 20 documents.
  int32_t num_stories = 0;
  // Mean number of words of a document; at least 1.
  int32_t words_per_document = 10;
  int32_t vocabulary_size = 20000;  // at least 1
  int32_t duration_hours = 24 * 30;
  int32_t burst_hours = 48;
  uint64_t seed = 1;

  // InvalidArgument naming the field that is out of range.
  absl::Status Validate() const;
};

// Writes JSON Lines with "id" (0, 1, 2, ...), "time" (UTC, never decreasing,
// from 2026-01-01), "labels" (the story) and "text"; to `truth`, unless null,
// `id<TAB>story` for each.
absl::Status GenerateStream(const GenerateStreamOptions& options,
                            TextSink* documents, TextSink* truth,
                            const std::function<void(int64_t)>& done = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_SYNTHETIC_GENERATE_STREAM_H_
