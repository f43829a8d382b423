// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Serial Clusterers 1 and 2 of Teitler et al. 2010, section 1: one document
// after the other on one thread.
//
//   1  compares a document with every cluster: O(n · m · K). An oracle, and the
//      definition of what all exact methods give.
//   2  adds up its similarities from the lists of its terms: O(n · K · L), L
//      the mean length of a list.
//
// Determinism: see unit_vectors.h; ties for the most similar cluster go to the
// smallest number. Memory: that of ClusterVectors, 8 bytes an entry of the
// lists (twice with room to grow), 12 a cluster. Thread-safety, errors: those
// of OnlineEngine (online_engine.h).

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
