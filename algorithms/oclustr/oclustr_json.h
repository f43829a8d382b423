// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What OClustR adds to a cluster in JSON output (see WriteCoverJson).
//
// Cost: linear in what is appended. Thread-safety: a pure function.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_JSON_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_JSON_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "graph/stars/star_cover.h"

namespace warpclust {

// Appends `,"center":"a","satellites":2,"linked":["b"]` for a cluster of
// `result`, an OClustRResult for one; `ids` are the names of the vertices. Use
// it as
//   WriteCoverJson(result.cover, ids, write,
//                  [&](int32_t cluster, std::string* json) {
//                    AppendOClustRFields(result, ids, cluster, json);
//                  });
void AppendOClustRFields(const StarCover& result,
                         absl::Span<const std::string> ids, int32_t cluster,
                         std::string* json);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_JSON_H_
