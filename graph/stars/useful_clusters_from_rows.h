// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SelectUsefulClusters from few rows, for graphs whose rows are expensive to
// read, on disk for example.
//
// Most centers of large degree are removed early, by the first centers visited,
// because stars of later centers share almost all that they hold. But their
// rows make up most of the entries of the initial centers. So stars of small
// degree are read first, until few vertices are left uncovered. For those
// vertices their own rows are read, which name all their centers. Then the
// number of vertices that a large star holds alone is known without its row,
// and most large stars are removed unread. Where a decision depends on vertices
// that only one of the read stars holds, their rows are read too; if that costs
// more than all present stars that are unread, these are read instead.
//
// On dense graphs this reads a part of the entries of the centers' rows; on
// sparse graphs as much, or slightly more.
//
// Complexity: O(vertices + centers · log + entries read), on one core. Memory:
// 17 bytes per vertex, 27 per center, 8 per center of a vertex whose row was
// read.

#ifndef WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_FROM_ROWS_H_
#define WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_FROM_ROWS_H_

#include <cstdint>
#include <vector>

#include "graph/stars/relevance_table.h"
#include "graph/stars/star_rows.h"
#include "graph/stars/useful_clusters.h"

namespace warpclust {

// As SelectUsefulClusters. Calls `rows` on this thread for any vertices, for
// some up to three times, and uses a row only until the next call. Adds the
// entries read, repeated ones too, to `*entries_read`. A reader that fails may
// return empty rows from then on: the result is then meaningless.
UsefulClusters SelectUsefulClustersFromRows(const RelevanceTable& table,
                                            const std::vector<int32_t>& centers,
                                            StarRows rows,
                                            int64_t* entries_read = nullptr);

// Whether the stars of `centers` overlap so much that few rows suffice: then
// SelectUsefulClustersFromRows is faster than SelectUsefulClusters on many
// cores, even where rows are at hand.
bool FewRowsSuffice(const RelevanceTable& table,
                    const std::vector<int32_t>& centers);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_USEFUL_CLUSTERS_FROM_ROWS_H_
