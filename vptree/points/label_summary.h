// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LabelSummary: the ranks and labels of a set of points, as far as a search for
// the highest rank of another label needs them. On the CPU and on the GPU.

#ifndef WARPCLUST_VPTREE_POINTS_LABEL_SUMMARY_H_
#define WARPCLUST_VPTREE_POINTS_LABEL_SUMMARY_H_

#include <cstdint>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

// What a search for other labels needs to know about a set of points.
struct LabelSummary {
  // The smallest rank, and the label of that point.
  int32_t min_rank;
  int32_t min_label;
  // The smallest rank among points of other labels than min_label.
  int32_t other_min_rank;
};

// Returns the smallest rank among points of other labels than `label`.
WARPCLUST_HOST_DEVICE inline int32_t RankOfOtherLabel(
    const LabelSummary& summary, int32_t label) {
  return summary.min_label == label ? summary.other_min_rank : summary.min_rank;
}

// Returns the summary of two sets of points together. A rank of INT32_MAX means
// no point. Ranks may be equal: then any of these labels is min_label.
WARPCLUST_HOST_DEVICE inline LabelSummary MergeLabels(const LabelSummary& a,
                                                      const LabelSummary& b) {
  const LabelSummary& first = a.min_rank <= b.min_rank ? a : b;
  const LabelSummary& second = a.min_rank <= b.min_rank ? b : a;
  const int32_t other = second.min_label == first.min_label
                            ? second.other_min_rank
                            : second.min_rank;
  return {first.min_rank, first.min_label,
          other < first.other_min_rank ? other : first.other_min_rank};
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_LABEL_SUMMARY_H_
