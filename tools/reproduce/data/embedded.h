// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The .tsv files of this folder, compiled in by third_party/embed_text.sh.

#ifndef WARPCLUST_TOOLS_REPRODUCE_DATA_EMBEDDED_H_
#define WARPCLUST_TOOLS_REPRODUCE_DATA_EMBEDDED_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// What --data may hold, and what each paper's sets are read from.
absl::string_view DataFilesTsv();
absl::string_view DataSetsTsv();
// What each paper prints.
absl::string_view OClustRValuesTsv();
absl::string_view OnlineValuesTsv();
absl::string_view CorrelationValuesTsv();
absl::string_view DensityPeaksValuesTsv();

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DATA_EMBEDDED_H_
