// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadNamedCover: a cover to evaluate, from `id<TAB>cluster` lines (see
// graph/io/cover_io.h) or from the labels of a JSON Lines file of documents:
// each label is a cluster, a document without labels is in none.
//
// Thread-safety: pure but for `ids`.

#ifndef WARPCLUST_TOOLS_INPUT_READ_COVER_H_
#define WARPCLUST_TOOLS_INPUT_READ_COVER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"

namespace warpclust {

// Reads the file at `path` ("-": standard input), JSON Lines if it is named or
// looks so. Items are looked up in `ids` and added to it. Errors name file and
// line.
absl::StatusOr<NamedCover> ReadNamedCover(absl::string_view path, IdMap* ids);

// `cover` without the items from `num_items` on; clusters that get empty go.
Cover KeepFirstItems(const Cover& cover, int32_t num_items);

// How many items below `num_items` are in no cluster.
int32_t CountUncovered(const Cover& cover, int32_t num_items);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_COVER_H_
