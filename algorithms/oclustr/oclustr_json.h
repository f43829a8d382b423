// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The fields that OClustR adds to a cluster in JSON output:
//
//   WriteCoverJson(result.cover, ids, write,
//                  [&](int32_t cluster, std::string* json) {
//                    AppendOClustRFields(result, ids, cluster, json);
//                  });

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_JSON_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_JSON_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "graph/stars/star_cover.h"

namespace warpclust {

// Appends `,"center":"a","satellites":2,"linked":["b"]` for a cluster of
// `result`, such as an OClustRResult. `ids` are the names of the vertices.
void AppendOClustRFields(const StarCover& result,
                         absl::Span<const std::string> ids, int32_t cluster,
                         std::string* json);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_JSON_H_
