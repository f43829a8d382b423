// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oclustr_output.h"

#include <algorithm>
#include <cstdint>

#include "graph/cover_io.h"

namespace warpclust {

absl::Status WriteOClustRTsv(const OClustRResult& result,
                             absl::Span<const std::string> ids,
                             absl::FunctionRef<void(absl::string_view)> write) {
  return WriteCoverTsv(result.cover, ids, write);
}

absl::Status WriteOClustRJson(
    const OClustRResult& result, absl::Span<const std::string> ids,
    absl::FunctionRef<void(absl::string_view)> write) {
  const auto append_fields = [&](int32_t cluster, std::string* json) {
    const int32_t center = result.centers[cluster];
    const absl::Span<const int32_t> linked = result.LinkedOf(cluster);
    *json += ",\"center\":";
    AppendJsonString(ids[center], json);
    *json += ",\"satellites\":[";
    bool first = true;
    for (int32_t member : result.cover.MembersOf(cluster)) {
      if (member == center ||
          std::binary_search(linked.begin(), linked.end(), member)) {
        continue;
      }
      if (!first) *json += ',';
      first = false;
      AppendJsonString(ids[member], json);
    }
    *json += "],\"linked\":[";
    for (size_t i = 0; i < linked.size(); ++i) {
      if (i > 0) *json += ',';
      AppendJsonString(ids[linked[i]], json);
    }
    *json += ']';
  };
  return WriteCoverJson(result.cover, ids, write, append_fields);
}

}  // namespace warpclust
