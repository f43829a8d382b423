// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that runs out anywhere in a call of OnlineClusterer is a Status.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "base/testing/failing_allocations.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// In two calls, with a merge in between and another engine after it.
absl::Status ClusterTwice(const OnlineOptions& options,
                          const OnlineMethodOptions& method,
                          const OnlineState& begin,
                          const DocumentMatrix& documents) {
  absl::StatusOr<OnlineClusterer> clusterer =
      OnlineClusterer::Create(options, method, begin);
  if (!clusterer.ok()) return clusterer.status();
  std::vector<int32_t> clusters;
  absl::Status status = clusterer->Add(documents, {}, &clusters);
  if (status.ok()) status = clusterer->Add(documents, {}, &clusters);
  if (!status.ok()) return status;
  return clusterer->State().status();
}

TEST(LittleMemoryTest, IsAStatus) {
  DocumentMatrix documents;
  documents.num_terms = 200;
  for (int32_t d = 0; d < 150; ++d) {
    for (int32_t term = 0; term < 200; ++term) {
      if ((d * 7 + term * term) % 31 > 1) continue;
      documents.terms.push_back(term);
      documents.weights.push_back(static_cast<float>(1 + (d + term) % 3));
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  const OnlineState begin;  // which takes memory of its own
  for (const OnlineMethod method :
       {OnlineMethod::kSerial1, OnlineMethod::kSerial2, OnlineMethod::kBatched,
        OnlineMethod::kApproximate}) {
    SCOPED_TRACE(std::string(OnlineMethodName(method)));
    OnlineOptions options;
    options.terms = 5;
    options.merge_every = 100;
    OnlineMethodOptions method_options;
    method_options.method = method;
    method_options.device = Device::kCpu;
    method_options.threads = 1;
    method_options.batch = 16;
    ExpectStatusWhereverMemoryEnds(50, [&] {
      return ClusterTwice(options, method_options, begin, documents);
    });
  }
}

}  // namespace
}  // namespace warpclust
