// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_json.h"

#include "absl/strings/str_cat.h"
#include "base/text/json_text.h"

namespace warpclust {

void AppendOClustRFields(const StarCover& result,
                         absl::Span<const std::string> ids, int32_t cluster,
                         std::string* json) {
  json->append(",\"center\":");
  AppendJsonString(ids[result.centers[cluster]], json);
  absl::StrAppend(json, ",\"satellites\":", result.num_satellites[cluster],
                  ",\"linked\":[");
  bool is_first = true;
  for (const int32_t x : result.LinkedOf(cluster)) {
    if (!is_first) json->push_back(',');
    is_first = false;
    AppendJsonString(ids[x], json);
  }
  json->push_back(']');
}

}  // namespace warpclust
