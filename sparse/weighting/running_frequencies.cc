// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/running_frequencies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace warpclust {

void RunningFrequencies::Weigh(DocumentMatrix* documents) {
  for (int32_t d = 0; d < documents->num_documents(); ++d) {
    ++num_documents_;
    for (int64_t e = documents->offsets[d]; e < documents->offsets[d + 1];
         ++e) {
      const auto term = static_cast<size_t>(documents->terms[e]);
      if (term >= frequencies_.size()) frequencies_.resize(term + 1);
      const int64_t df = ++frequencies_[term];
      const double factor = std::log(1 + static_cast<double>(num_documents_) /
                                             static_cast<double>(df));
      const double weight = static_cast<double>(documents->weights[e]) * factor;
      documents->weights[e] = static_cast<float>(
          std::min<double>(weight, std::numeric_limits<float>::max()));
    }
  }
}

}  // namespace warpclust
