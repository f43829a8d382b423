// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/density_peaks/experiments.h"

namespace warpclust {

Paper DensityPeaksPaper() {
  using Plot = Exhibit::Plot;
  return {
      .key = "density_peaks",
      .citation =
          "Liu, Gong, Su, Wan, Zhang, Yu: Improving Density Peaks "
          "Clustering through GPU acceleration, FGCS 141 (2023)",
      .exhibits = {
          {.name = "Table 1",
           .title = "Data sets",
           .row_name = "data set",
           .note = "d_c is the 0.5 % quantile of the pair distances in all "
                   "experiments; the paper does not say its own. All times "
                   "are from points in host memory to results in host memory, "
                   "unless stated otherwise."},
          {.name = "Table 2",
           .title = "Description of performance parameters",
           .row_name = "parameter",
           .note = "Words, no values. The notes name the metrics of Nsight "
                   "Compute that they are today."},
          {.name = "Table 3",
           .title = "Performance with and without optimizations",
           .row_name = "parameter",
           .note = "Counters of ncu for range counts on the VP-tree of "
                   "3Dspatial: a thread per point in random order, and a warp "
                   "per leaf. Means over the launches of the kernel, weighted "
                   "by their time. Loads include those from caches."},
          {.name = "Figure 6",
           .title = "Runtime of GDPC and others",
           .row_name = "data set",
           .plot = Plot::kBars,
           .log_y = true,
           .y_label = "seconds",
           .note = "GDPC searches a VP-tree. Brute force looks at all pairs, "
                   "as CUDA-DP does, and stands for it. S-Approx-DPC and "
                   "LSH-DDP, which are approximate, have no counterpart here."},
          {.name = "Figure 7",
           .title = "Computational cost",
           .row_name = "data set",
           .plot = Plot::kBars,
           .log_y = true,
           .y_label = "distances",
           .note = "Distances to points and to bounds of subtrees, of both "
                   "searches, beside n²."},
          {.name = "Figure 8",
           .title = "Runtime of the phases",
           .row_name = "data set",
           .plot = Plot::kStackedBars,
           .y_label = "milliseconds",
           .note = "Construction includes preparing and copying the points; δ "
                   "includes the ranks."},
          {.name = "Figure 9",
           .title = "Scaling with the number of points",
           .row_name = "points",
           .plot = Plot::kLines,
           .log_x = true,
           .log_y = true,
           .y_label = "milliseconds",
           .note = "Random subsets of BigCross500K."},
          {.name = "Figure 10",
           .title = "Effect of CUDA streams on the construction",
           .row_name = "data set",
           .plot = Plot::kBars,
           .log_y = true,
           .y_label = "milliseconds",
           .note = "The paper's construction, node by node, from points in "
                   "device memory. Ours builds a level at once."},
          {.name = "Figure 11",
           .title = "Effect of the order of points",
           .row_name = "data set",
           .plot = Plot::kBars,
           .y_label = "milliseconds",
           .note = "ρ with the points of a leaf in a warp, or in random "
                   "order."},
          {.name = "Figure 12",
           .title = "Response time of incremental clustering",
           .row_name = "points",
           .plot = Plot::kLines,
           .y_label = "milliseconds",
           .note = "A batch of 1,000 points is inserted. Both have clusters in "
                   "host memory at the end and use VP-trees. EDMStream, which "
                   "is approximate, has no counterpart here."},
          {.name = "Figure 13",
           .title = "Update of the VP-tree and of ρ",
           .row_name = "points",
           .plot = Plot::kLines,
           .y_label = "milliseconds",
           .note = "Of the runs of Figure 12."},
          {.name = "Figure 14",
           .title = "Update of the VP-tree: batched and sequential",
           .row_name = "points",
           .plot = Plot::kLines,
           .log_y = true,
           .y_label = "milliseconds",
           .note = "1,000 points inserted at once, or one by one. The paper's "
                   "sequential method is parallelized within a batch; ours is "
                   "not."},
          {.name = "Figure 15",
           .title = "Update of ρ: incidental and separate",
           .row_name = "|ΔD|, % of |D|",
           .plot = Plot::kLines,
           .y_label = "milliseconds"}}};
}

}  // namespace warpclust
