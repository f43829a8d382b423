// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadVectorsOnRanks: ReadDocuments (tools/input/read_documents.h) of svmlight
// and MatrixMarket, dealt to the ranks of a job by their lines.
//
// A rank parses its share of the lines. Lines of svmlight are documents, in
// order. Entries of MatrixMarket, which come in any order, go to the rank that
// has their row: equally many rows each.

#ifndef WARPCLUST_TOOLS_RANKS_READ_VECTORS_ON_RANKS_H_
#define WARPCLUST_TOOLS_RANKS_READ_VECTORS_ON_RANKS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/input/input_format.h"
#include "tools/input/read_documents.h"

namespace warpclust {

// The vectors of this rank as the files give them, with the number of terms of
// all ranks; weights may be negative. A collective call; `files` in order, one
// for MatrixMarket. Errors name file and line, are those of the first bad line,
// and the same on all ranks.
absl::StatusOr<DocumentMatrix> ReadVectorsOnRanks(
    Communicator& ranks, const std::vector<std::string>& files,
    InputFormat format, int num_threads);

// The same vectors weighted by the frequencies of all ranks, with the heaviest
// terms if that was asked for. A collective call. InvalidArgument naming `path`
// if a weight is too large.
absl::StatusOr<DocumentMatrix> WeightVectorsOnRanks(
    Communicator& ranks, DocumentMatrix vectors, const DocumentOptions& options,
    const std::string& path, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_READ_VECTORS_ON_RANKS_H_
