// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/oclustr/experiments.h"

namespace warpclust {

Paper OClustRPaper() {
  using Plot = Exhibit::Plot;
  return {
      .key = "oclustr",
      .citation =
          "González-Soler, Pérez-Suárez, Chang: Static and Incremental "
          "Overlapping Clustering Algorithms for Large Collections Processing "
          "in GPU, Informatica 41 (2017)",
      .exhibits = {
          {.name = "Table 3",
           .title = "Overview of the collections",
           .row_name = "collection",
           .note = "Terms that occur in no document of a part are not counted. "
                   "The paper's collections are of Reuters-v2 and TDT2, which "
                   "are not public."},
          {.name = "Table 4",
           .title = "FBCubed and NMI of CUDA-OClus against OClustR",
           .row_name = "threshold",
           .note = "OClustR clusters the collection in its order; CUDA-OClus "
                   "clusters it in random orders. The numbers are means over "
                   "the orders. NMI is that of Lancichinetti et al."},
          {.name = "Table 5",
           .title = "FBCubed and NMI of CUDA-DClus against DClustR",
           .row_name = "threshold",
           .note = "As Table 4, after each of two additions. Both update by "
                   "the paper's rules."},
          {.name = "Figure 17",
           .title = "Time of OClustR and CUDA-OClus",
           .row_name = "collection",
           .plot = Plot::kLines,
           .y_label = "seconds",
           .note = "From vectors in memory to clusters in memory, the "
                   "similarity graph included. OClustR runs on one thread of "
                   "the CPU, as the paper's does. The speed-up is the mean "
                   "over the collections."},
          {.name = "Figure 18",
           .title = "Time of an update by DClustR and CUDA-DClus",
           .row_name = "documents",
           .plot = Plot::kLines,
           .y_label = "seconds",
           .note = "N documents of Tdt-65K are added to Reu-50K, again and "
                   "again. The paper measures N = 5,000 and 10,000; its text "
                   "also says 1,000. CUDA-DClus keeps the collection on disk "
                   "and commits each update; DClustR has it in memory and "
                   "runs on one thread. The speed-up is the mean over the "
                   "updates."},
          {.name = "Figure 19",
           .title = "Connected components that DClustR and CUDA-DClus load",
           .row_name = "N",
           .plot = Plot::kBars,
           .y_label = "components, mean over the updates",
           .note = "Of the updates of Figure 18. DClustR has all connected "
                   "components in memory. CUDA-DClus needs those that an "
                   "update affects, and of these reads the partial ones and "
                   "documents that are shown beside."}}};
}

}  // namespace warpclust
