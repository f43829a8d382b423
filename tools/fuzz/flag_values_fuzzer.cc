// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any text as the value of a flag or of a property of a store: durations, and
// the analyzer of a collection, whose text must survive a round trip.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "absl/strings/string_view.h"
#include "sparse/text/analyzer.h"
#include "tools/cli/flags/duration.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const auto seconds = warpclust::ParseDuration(text);
  if (seconds.ok() && (*seconds < 0 || *seconds > int64_t{1} << 53)) {
    std::abort();
  }
  const auto analyzer = warpclust::ParseAnalyzer(text);
  if (analyzer.ok()) {
    const auto again =
        warpclust::ParseAnalyzer(warpclust::FormatAnalyzer(*analyzer));
    if (!again.ok() || warpclust::FormatAnalyzer(*again) !=
                           warpclust::FormatAnalyzer(*analyzer)) {
      std::abort();
    }
  }
  return 0;
}
