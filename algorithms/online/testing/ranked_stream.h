// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Online clustering by the threads of several ranks, against Serial Clusterer 2
// in one process.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_TESTING_RANKED_STREAM_H_
#define WARPCLUST_ALGORITHMS_ONLINE_TESTING_RANKED_STREAM_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_engine_factory.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {

// What a clustering gives.
struct RankedStream {
  std::vector<int32_t> clusters;
  std::vector<OnlineMerge> merges;
  OnlineState state;
  // At the end.
  Device device = Device::kCpu;
};

// Clusters the stream; `resumed` starts anew from the state in the middle.
inline absl::StatusOr<RankedStream> ClusterRankedStream(
    const CollisionStream& stream, const OnlineOptions& options,
    const OnlineMethodOptions& method, bool resumed) {
  const int64_t size = stream.documents.size();
  RankedStream result;
  result.clusters.resize(size);
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, method));
  const int64_t middle = resumed ? size / 2 : 0;
  for (int64_t begin = 0; begin < size;) {
    const int64_t end = begin < middle ? middle : size;
    RETURN_IF_ERROR(clusterer.Add(
        Slice(stream.documents, begin, end),
        absl::MakeConstSpan(stream.clocks).subspan(begin, end - begin),
        absl::MakeSpan(result.clusters).subspan(begin, end - begin)));
    result.merges.insert(result.merges.end(), clusterer.merges().begin(),
                         clusterer.merges().end());
    if (end == middle) {
      ASSIGN_OR_RETURN(const OnlineState state, clusterer.State());
      ASSIGN_OR_RETURN(clusterer,
                       OnlineClusterer::Create(options, method, state));
    }
    begin = end;
  }
  ASSIGN_OR_RETURN(result.state, clusterer.State());
  result.device = clusterer.device();
  return result;
}

// The stream on ranks; `method` says nothing of them.
inline absl::StatusOr<RankedStream> ClusterOnRanks(
    const CollisionStream& stream, const OnlineOptions& options, int num_ranks,
    OnlineMethodOptions method, bool resumed) {
  RankedStream result;
  RETURN_IF_ERROR(
      RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
        if (ranks.rank() > 0) return FollowOnlineClusterer(ranks);
        method.ranks = &ranks;
        ASSIGN_OR_RETURN(result,
                         ClusterRankedStream(stream, options, method, resumed));
        return absl::OkStatus();
      }));
  return result;
}

// That they give the bytes of Serial Clusterer 2.
inline void ExpectAsAlone(const CollisionStream& stream,
                          const OnlineOptions& options, int num_ranks,
                          const OnlineMethodOptions& method, bool resumed) {
  OnlineMethodOptions serial;
  serial.method = OnlineMethod::kSerial2;
  const absl::StatusOr<RankedStream> alone =
      ClusterRankedStream(stream, options, serial, resumed);
  ASSERT_TRUE(alone.ok()) << alone.status();
  const absl::StatusOr<RankedStream> result =
      ClusterOnRanks(stream, options, num_ranks, method, resumed);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->clusters, alone->clusters);
  ASSERT_EQ(result->merges, alone->merges);
  ASSERT_EQ(result->state, alone->state);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_TESTING_RANKED_STREAM_H_
