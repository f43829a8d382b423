// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON of online_cluster: the clusters of the documents of one run, each
// with its number, its documents of all runs and its heaviest terms.
//
// Clusters that merged are one, under the number that is left. Thread-safety:
// one thread at a time.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_JSON_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_JSON_H_

#include "absl/status/status.h"
#include "base/io/text_writer.h"
#include "tools/stream/online_pipeline.h"
#include "tools/stream/online_session.h"

namespace warpclust {

// `session` kept the members, and has taken all documents. The errors of
// OnlineClusterer::State.
absl::Status WriteOnlineJson(const OnlineSession& session,
                             OnlinePipeline* pipeline, TextWriter* writer);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_JSON_H_
