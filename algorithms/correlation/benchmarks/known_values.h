// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KnownValues: what others reach on published signed networks, for benchmarks
// to compare with.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BENCHMARKS_KNOWN_VALUES_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BENCHMARKS_KNOWN_VALUES_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// A row of Tables 2 to 5 of Levorato et al. 2015: means of five runs of at most
// two hours on an Intel Core i7 at 2.66 GHz and a Fermi C2050.
struct PaperValues {
  double imbalance = 0;
  double seconds = 0;
  double cuda_imbalance = 0;
  double cuda_seconds = 0;
};

// 0: not known. Each edge counts once, so I(P) of the random networks is half
// of what Tables 2 and 3 print.
struct KnownValues {
  PaperValues grasp;
  PaperValues ils;
  // Multilevel label propagation with refinement, the best of three seeds, and
  // its seconds on one core of an Intel Xeon.
  double multilevel = 0;
  double multilevel_seconds = 0;
  // The best of three public programs in 60 s on one core.
  double sixty_seconds = 0;
  // No partition costs less.
  double lower_bound = 0;
};

// "slashdot_1000" of "dir/slashdot_1000.txt.gz".
absl::string_view InstanceName(absl::string_view path);

// The values of the network that the file is named for; all 0 if none is known.
KnownValues FindKnownValues(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BENCHMARKS_KNOWN_VALUES_H_
