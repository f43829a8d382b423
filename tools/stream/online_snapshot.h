// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineSnapshot: all that online_cluster must know to go on after some
// documents, and its form as a file.
//
// The file is little-endian: "WCONLINE", a version, the fields in the order
// below (text and lists after their length), and the CRC-32 of all before it.
// It depends on the documents and the options that decide, not on method,
// device or machine.
//
// Thread-safety: a plain value, but move-only; pure functions.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_SNAPSHOT_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_SNAPSHOT_H_

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

namespace warpclust {

struct OnlineSnapshot {
  // For `output_bytes`: the output is nothing that could be gone on with.
  static constexpr int64_t kNoOutput = -1;

  // Ties it to its journal: one more every time it is saved.
  int64_t generation = 0;
  // Name and value of each option that decides the clusters.
  std::vector<std::pair<std::string, std::string>> options;
  // Of the input that was read last: documents taken in, and the CRC-32 of
  // their lines.
  int64_t input_documents = 0;
  uint32_t input_checksum = 0;
  // How long the output was when this was saved, and where it was.
  int64_t output_bytes = kNoOutput;
  std::string output_path;
  // What the vectorizer learned.
  Vocabulary vocabulary;
  RunningFrequencies frequencies;
  OnlineState clusters;
};

// Hands the bytes of a file to `write`, piece by piece.
void WriteOnlineSnapshot(const OnlineSnapshot& snapshot,
                         absl::FunctionRef<void(absl::string_view)> write);

// InvalidArgument if `bytes` are no such file, or one of another version;
// DataLoss if it is cut short or corrupt.
absl::StatusOr<OnlineSnapshot> ParseOnlineSnapshot(absl::string_view bytes);

// Whether a file that starts so is a snapshot, whole or not.
bool LooksLikeOnlineSnapshot(absl::string_view bytes);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_SNAPSHOT_H_
