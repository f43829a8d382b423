// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadNamedCover: reads clusters to evaluate, from lines `id<TAB>cluster`
// (graph/io/cover_io.h) or from the labels of documents in JSON Lines. Each
// label is a cluster; a document without labels is in none.

#ifndef WARPCLUST_TOOLS_INPUT_READ_COVER_H_
#define WARPCLUST_TOOLS_INPUT_READ_COVER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/machine/work_share.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "graph/io/id_map.h"

namespace warpclust {

// Reads the file at `path` ("-": standard input). Its name or content decides
// whether it is JSON Lines, whose names are in `id_field`; if so, sets
// `*is_json`. Looks items up in `ids` and adds new ones. `work`, unless null,
// follows the reading. Errors name file and line.
absl::StatusOr<NamedCover> ReadNamedCover(absl::string_view path, IdMap* ids,
                                          absl::string_view id_field = "id",
                                          bool* is_json = nullptr,
                                          WorkShare* work = nullptr);

// `cover` without the items from `num_items` on and without empty clusters.
Cover KeepFirstItems(const Cover& cover, int32_t num_items);

// The number of items below `num_items` that are in no cluster.
int32_t CountUncovered(const Cover& cover, int32_t num_items);

// `cover`, whose items `from` numbers, with the numbers of `to`, which gets the
// items that it lacks. InvalidArgument if they are more than 2^31 - 1.
absl::StatusOr<Cover> RenumberItems(const Cover& cover, const IdMap& from,
                                    IdMap* to);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_COVER_H_
