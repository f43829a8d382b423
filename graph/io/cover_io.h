// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Covers as text, with the names that the input gave to the items.
//
//   IdMap ids;
//   absl::StatusOr<NamedCover> read = ReadCover("clusters.tsv", &ids);
//   const auto write = [](absl::string_view text) { std::cout << text; };
//   absl::Status written = WriteCoverTsv(read->cover, ids.names(), write);
//
// Tab-separated values: one line "item<TAB>cluster" per membership, in the
// order of the items, with the clusters of each item ascending. JSON: one
// object
//
//   {"clusters":[{"members":["a","b"]},{"members":["b"]}]}
//
// An algorithm may add fields to each cluster. In both formats, clusters are
// numbered from 0 in order of first member (clusters with the same first member
// keep their order), and empty clusters are left out. O(memberships).

#ifndef WARPCLUST_GRAPH_IO_COVER_IO_H_
#define WARPCLUST_GRAPH_IO_COVER_IO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "base/text/json_text.h"
#include "graph/cover/cover.h"
#include "graph/io/id_map.h"

namespace warpclust {

// The InvalidArgument of WriteCoverTsv if it cannot write these names, the
// first of which comes first in its output. Check before a long computation.
absl::Status CheckCoverTsvNames(absl::Span<const std::string> ids);

// `ids[i]` is the name of item i. `write` takes the text piece by piece and
// keeps its own errors. InvalidArgument, before anything is written, if the
// cover is invalid (ValidateCover), a member has no name, or a name could not
// be read back: it is empty, starts with #, contains a tab or a line end, or is
// the first in the output and starts like a byte order mark or a gzip header;
// also if `num_threads` is negative (0: all cores). `write` is called on
// several threads, one at a time.
absl::Status WriteCoverTsv(const Cover& cover,
                           absl::Span<const std::string> ids,
                           absl::FunctionRef<void(absl::string_view)> write,
                           int num_threads = 0);

// Appends further fields of `cluster` (its index in the cover, not its number
// in the output) to an object that has "members" already: `,"center":"a"`. See
// base/text/json_text.h.
using AppendClusterFields =
    absl::FunctionRef<void(int32_t cluster, std::string* json)>;

// As WriteCoverTsv, on one thread, except that names may be any texts and need
// not differ.
// Bytes that are not UTF-8 become U+FFFD.
absl::Status WriteCoverJson(const Cover& cover,
                            absl::Span<const std::string> ids,
                            absl::FunctionRef<void(absl::string_view)> write,
                            AppendClusterFields append_fields);
absl::Status WriteCoverJson(const Cover& cover,
                            absl::Span<const std::string> ids,
                            absl::FunctionRef<void(absl::string_view)> write);

struct NamedCover {
  // Items are numbered by the IdMap that the reader was given.
  Cover cover;
  // The name of each cluster, in order of first appearance.
  std::vector<std::string> cluster_names;
};

// Reads "item<TAB>cluster" lines, plain or gzip'ed; "-" is standard input.
// Items and clusters are any texts without tabs; lines that are empty or start
// with # are skipped, but a line "#merged<TAB>FROM<TAB>INTO" makes cluster FROM
// part of cluster INTO; where there is one, repeated memberships count once.
// Adds the items to `ids`: share it between covers of the same items.
// InvalidArgument "file:line: expected …, found …" for any other line, a
// repeated membership, and a first line that names columns, such as
// "id<TAB>cluster".
absl::StatusOr<NamedCover> ReadCover(absl::string_view path, IdMap* ids);

// Reads the remaining lines.
absl::StatusOr<NamedCover> ReadCover(LineReader& lines, IdMap* ids);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_COVER_IO_H_
