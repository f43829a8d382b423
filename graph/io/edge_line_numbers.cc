// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_line_numbers.h"

namespace warpclust {

void EdgeLineNumbers::Append(const EdgeLineNumbers& next) {
  for (const Mark& mark : next.marks_) {
    const Mark here = {mark.edge + size_, mark.lead - size_};
    if (marks_.empty() || marks_.back().lead != here.lead) {
      marks_.push_back(here);
    }
  }
  size_ += next.size_;
}

int64_t EdgeLineNumbers::LineOf(int64_t edge) const {
  int64_t lead = 0;
  for (const Mark& mark : marks_) {
    if (mark.edge > edge) break;
    lead = mark.lead;
  }
  return edge + lead;
}

}  // namespace warpclust
