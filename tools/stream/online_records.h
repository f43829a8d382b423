// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The two records in which online_cluster keeps its state (online_store.h), and
// their bytes: OnlineSnapshot is all that it must know to continue after some
// documents, OnlineBlock is documents as they were read.
//
// Numbers are little-endian; texts and lists follow their length. The bytes of
// a snapshot depend on the documents and the options that decide, not on
// method, device or machine.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_RECORDS_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_RECORDS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/state/online_state.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/running_frequencies.h"
#include "tools/input/input_format.h"

namespace warpclust {

struct OnlineSnapshot {
  // Name and value of each flag that decides the clusters.
  using Options = std::vector<std::pair<std::string, std::string>>;

  // For `output_bytes`: the output was not a file that can be continued.
  static constexpr int64_t kNoOutput = -1;

  // An option, and its value for dense documents.
  static constexpr char kInput[] = "the input";
  static constexpr char kEmbeddings[] = "embeddings";

  Options options;
  // Of the last input: documents taken, and the CRC-32 of their lines.
  int64_t input_documents = 0;
  uint32_t input_checksum = 0;
  // Of the last input: bad lines that were skipped. Stored only if above 0.
  // Blocks do not count those behind their last document: after a kill,
  // --resume meets them again.
  int64_t input_skipped_lines = 0;
  // The length of the output when this was saved, and its absolute path.
  int64_t output_bytes = kNoOutput;
  std::string output_path;
  // What the vectorizer has learned.
  Vocabulary vocabulary;
  RunningFrequencies frequencies;
  OnlineState clusters;

  // By `options`.
  OnlineDocuments documents() const;
};

// Hands the bytes of a snapshot to `write`, piece by piece.
void WriteOnlineSnapshot(const OnlineSnapshot& snapshot,
                         absl::FunctionRef<void(absl::string_view)> write);

// The inverse. InvalidArgument for a snapshot of another version; DataLoss if
// the bytes are cut short or cannot come from WriteOnlineSnapshot.
absl::StatusOr<OnlineSnapshot> ParseOnlineSnapshot(absl::string_view bytes);

struct OnlineBlock {
  InputFormat format = InputFormat::kJsonLines;
  // Documents of the stream before this block, and in it.
  int64_t documents_before = 0;
  int64_t documents = 0;
  // The documents' lines, each with a line feed.
  absl::string_view lines;
};

std::string EncodeOnlineBlock(const OnlineBlock& block);

// The inverse; `lines` points into `bytes`. DataLoss for other bytes.
absl::StatusOr<OnlineBlock> ParseOnlineBlock(absl::string_view bytes);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_RECORDS_H_
