// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterWholeStream: clusters a stream from beginning to end, for tests.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TESTING_WHOLE_STREAM_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TESTING_WHOLE_STREAM_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/testing/collision_stream.h"

namespace warpclust {

// The cluster of each document and the engine's state at the end.
using WholeStream = std::pair<std::vector<int32_t>, OnlineState>;

inline absl::StatusOr<WholeStream> ClusterWholeStream(
    absl::StatusOr<std::unique_ptr<OnlineEngine>> engine,
    const CollisionStream& stream) {
  if (!engine.ok()) return engine.status();
  std::vector<int32_t> clusters(stream.clocks.size());
  const absl::Status status = (*engine)->Cluster(
      stream.documents, stream.clocks, absl::MakeSpan(clusters));
  if (!status.ok()) return status;
  absl::StatusOr<OnlineState> state = (*engine)->State();
  if (!state.ok()) return state.status();
  return WholeStream(std::move(clusters), *std::move(state));
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TESTING_WHOLE_STREAM_H_
