// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Covers as text, with the names that the input gave to the items.
//
// Tab-separated: one line "item<TAB>cluster" a membership, items in their
// order, each with its clusters ascending. JSON: one object
//   {"clusters":[{"members":["a","b"]},{"members":["b"]}]}
// where an algorithm may add fields to each cluster. In both, clusters are
// numbered from 0 in order of first member (clusters with the same first member
// keep their order), and clusters without members are left out.
//
// Cost: O(memberships). Thread-safety: functions are pure.

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
#include "base/io/line_reader.h"
#include "base/text/json_text.h"
#include "graph/cover/cover.h"
#include "graph/io/id_map.h"

namespace warpclust {

// Whether WriteCoverTsv can write these names, the first of them first: to be
// asked before a long computation, not after it. Its InvalidArgument.
absl::Status CheckCoverTsvNames(absl::Span<const std::string> ids);

// `ids[i]` is the name of item i. `write` takes the text piece by piece, in
// order, and keeps its errors. InvalidArgument, before anything is written, if
// the cover is none (graph/cover/cover.h), a member has no name, or a name is
// empty, starts with # or contains a tab or a line end, or the first one starts
// like a byte order mark or gzip, so that it could not be read back.
absl::Status WriteCoverTsv(const Cover& cover,
                           absl::Span<const std::string> ids,
                           absl::FunctionRef<void(absl::string_view)> write);

// Appends further fields of `cluster` (an index into the cover, not the number
// in the output) to an object whose "members" stand already:
// `,"center":"a"`. See base/text/json_text.h.
using AppendClusterFields =
    absl::FunctionRef<void(int32_t cluster, std::string* json)>;

// As WriteCoverTsv; any text is a good name, also one given twice. Bytes that
// are not UTF-8 become U+FFFD.
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

// Reads "item<TAB>cluster" lines; both are any text without tabs, and lines
// that are empty or start with # are skipped. "-" is standard input; plain or
// gzip'ed. Items are looked up in `ids` and added to it: pass the same one for
// covers that are to be compared. InvalidArgument "file:line: expected …,
// found …" for a line of another form, for a repeated membership, and for a
// first line that names columns, such as "id<TAB>cluster".
absl::StatusOr<NamedCover> ReadCover(absl::string_view path, IdMap* ids);

// Reads what is left of `lines`.
absl::StatusOr<NamedCover> ReadCover(LineReader& lines, IdMap* ids);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_COVER_IO_H_
