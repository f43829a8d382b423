// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Serial Clusterers 1 and 2 of Teitler et al. 2010, section 1: one document
// after the other, on one thread.
//
//   1  compares a document with every cluster: O(n * m * K). It defines what
//      all exact methods give; use it as an oracle.
//   2  adds up similarities from the lists of the document's terms: O(n * K *
//      L), where L is the mean length of a list.
//
// Equal similarities go to the smallest cluster number. Memory: that of
// ClusterVectors, 8 bytes per entry of the lists (16 with room to grow), and 12
// per cluster.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_SERIAL_SERIAL_CLUSTERERS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_SERIAL_SERIAL_CLUSTERERS_H_

#include <memory>

#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"

namespace warpclust {

// `options` and `state` must be valid.
std::unique_ptr<OnlineEngine> MakeSerialClusterer1(const OnlineOptions& options,
                                                   const OnlineState& state);
std::unique_ptr<OnlineEngine> MakeSerialClusterer2(const OnlineOptions& options,
                                                   const OnlineState& state);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_SERIAL_SERIAL_CLUSTERERS_H_
