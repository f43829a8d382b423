// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadTextsOnRanks: ReadDocuments (tools/input/read_documents.h) of JSON Lines
// or lines of text, dealt to the ranks of a job by their lines.
//
// Each rank counts the terms of its own lines, a few megabytes at a time; terms
// and their frequencies are merged, so that weights and the order of terms are
// those of one process. No rank holds all documents, all terms or all texts.

#ifndef WARPCLUST_TOOLS_RANKS_READ_TEXTS_ON_RANKS_H_
#define WARPCLUST_TOOLS_RANKS_READ_TEXTS_ON_RANKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "sparse/io/json_lines.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/input_format.h"
#include "tools/input/read_documents.h"

namespace warpclust {

// The documents of this rank.
struct RankDocuments {
  DocumentMatrix documents;
  // One per document, unique among all ranks.
  std::vector<std::string> ids;
  // What --skip_bad_lines left out on all ranks, for one file.
  SkippedLines skipped;
};

// A collective call; `files` in order. Errors name file and line and are the
// same on all ranks. InvalidArgument if two documents have one id.
absl::StatusOr<RankDocuments> ReadTextsOnRanks(
    Communicator& ranks, const std::vector<std::string>& files,
    InputFormat format, const DocumentOptions& options, int num_threads);

// InvalidArgument naming an id that two documents of all ranks have. A
// collective call.
absl::Status CheckUniqueOnRanks(Communicator& ranks,
                                const std::vector<std::string>& ids);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_READ_TEXTS_ON_RANKS_H_
