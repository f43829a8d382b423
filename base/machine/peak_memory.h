// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeakResidentBytes: the most memory that this process has held at once.

#ifndef WARPCLUST_BASE_MACHINE_PEAK_MEMORY_H_
#define WARPCLUST_BASE_MACHINE_PEAK_MEMORY_H_

#include <cstdint>

namespace warpclust {

// Peak resident set in bytes since the program started, to about a megabyte
// (the kernel counts in batches). 0 if the system does not say.
int64_t PeakResidentBytes();

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_PEAK_MEMORY_H_
