// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Histories of a collection that all end at the same documents, in the order of
// the input.
//
// Thread-safety: pure.

#ifndef WARPCLUST_TOOLS_DETERMINISM_DCLUSTR_HISTORY_H_
#define WARPCLUST_TOOLS_DETERMINISM_DCLUSTR_HISTORY_H_

#include <cstdint>
#include <vector>

#include "algorithms/dclustr/dclustr.h"
#include "tools/determinism/inputs.h"

namespace warpclust {

// Adds the documents in that many batches of about one size, or one each if
// there are fewer. With `changes` each batch also brings guests: every third
// document of the next batch, with the content of another, and every fifth
// document so far again, by another id. The next batch modifies the former and
// removes the latter. Since a modified document comes last, the order is that
// of the input in the end.
std::vector<DClustRBatch> DClustRHistory(const DocumentsInput& input,
                                         int32_t num_batches, bool changes);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_DCLUSTR_HISTORY_H_
