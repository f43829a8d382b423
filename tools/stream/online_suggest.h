// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --suggest: a table of what each threshold and number of terms is expected to
// be worth, by the first documents of a stream.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_SUGGEST_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_SUGGEST_H_

#include <functional>

#include "absl/status/status.h"
#include "algorithms/online/state/online_options.h"
#include "base/io/text_writer.h"
#include "tools/cli/cli.h"
#include "tools/input/stream/document_stream.h"
#include "tools/stream/online_pipeline.h"

namespace warpclust {

// Reads the first 2,048 documents of `input` and writes the table, the best
// setting first, as TSV or JSON; notes and reports the best. `pipeline` has
// taken no document, and does not weigh.
absl::Status Suggest(const OnlineOptions& options,
                     const std::function<bool()>& stop, DocumentStream* input,
                     OnlinePipeline* pipeline, TextWriter* writer,
                     ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_SUGGEST_H_
