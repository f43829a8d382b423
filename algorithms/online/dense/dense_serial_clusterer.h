// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Serial Clusterer 1 of Teitler et al. 2010, section 1, for dense documents:
// one document after the other, on one thread, each compared with every
// cluster. It defines what all exact methods give for dense documents.
//
// Equal similarities go to the smallest cluster number. O(n * clusters *
// dimensions). Memory: that of DenseClusters.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_SERIAL_CLUSTERER_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_SERIAL_CLUSTERER_H_

#include <memory>

#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// `options` and `state` must be valid, `state` of dense documents.
std::unique_ptr<DenseOnlineEngine> MakeDenseSerialClusterer(
    const OnlineOptions& options, const OnlineState& state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DENSE_DENSE_SERIAL_CLUSTERER_H_
