// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_signed_graph.h"

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "graph/io/signed_matrix_market.h"
#include "tools/input/input_format.h"

namespace warpclust {

absl::StatusOr<SignedEdgeList> ReadSignedGraph(
    absl::string_view path, absl::string_view format,
    const SignedEdgeListOptions& options, const FormatNote& note,
    WorkShare* work) {
  ASSIGN_OR_RETURN(const InputFormat known, format == "auto"
                                                ? DetectGraphFormat(path, note)
                                                : ParseInputFormat(format));
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path, work));
  // Everything except a matrix is read as edges; that reader reports errors.
  absl::StatusOr<SignedEdgeList> read =
      known == InputFormat::kMatrixMarket
          ? ReadSignedMatrixMarket(lines, options)
          : ReadSignedEdgeList(lines, options);
  if (!read.ok() && absl::IsInvalidArgument(read.status()) &&
      absl::StrContains(read.status().message(), "two different vertices")) {
    return absl::InvalidArgumentError(absl::StrCat(
        read.status().message(), "; --skip_loops leaves such edges out"));
  }
  return read;
}

}  // namespace warpclust
