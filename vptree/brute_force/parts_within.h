// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VisitPartsWithin: finds, exactly, the pairs of PairParts within a radius, on
// several threads.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PARTS_WITHIN_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PARTS_WITHIN_H_

#include <omp.h>

#include <cstdint>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/machine/work_share.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/brute_force_within.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

// Visits the pairs of tiles that have such pairs, with the sink of its thread;
// each thread takes rows of tiles. Leaves out what is left if the owner of
// `work`, which may be null, asks for the end. Returns the distances computed.
template <class Sink>
int64_t VisitPartsWithin(const BruteForcePairs& pairs, PairParts parts,
                         double radius_key, int num_threads,
                         const WorkShare* work, std::vector<Sink>* sinks) {
  const BruteForcePairs::Radius radius = pairs.MakeRadius(radius_key);
  const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
  const int32_t num_tiles = pairs.num_tiles();
  const int32_t num_rows = parts.NumRowTiles(num_tiles);
  const PairScratch none(pairs.filter().num_dimensions(), num_tiles);
  std::vector<PairScratch> scratch(num_threads, none);
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < num_rows; ++tile) {
    if (StopRequested(work)) continue;
    const int thread = omp_get_thread_num();
    VisitTilesWithin(pairs, radius, kernels, tile, parts.FirstColumnTile(tile),
                     num_tiles, &scratch[thread], &(*sinks)[thread]);
  }
  int64_t evaluations = 0;
  for (const PairScratch& of_thread : scratch) {
    evaluations += of_thread.evaluations;
  }
  return evaluations;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PARTS_WITHIN_H_
