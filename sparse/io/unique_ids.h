// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UniqueIds: refuses illegal and repeated document ids. Use it in readers of
// formats with ids. Readers of endless streams, which cannot remember all ids,
// use CheckDocumentId.

#ifndef WARPCLUST_SPARSE_IO_UNIQUE_IDS_H_
#define WARPCLUST_SPARSE_IO_UNIQUE_IDS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

// InvalidArgument naming `line` of the input `name` if `id` is empty or holds
// control characters, which output tables cannot hold.
absl::Status CheckDocumentId(absl::string_view name, int64_t line,
                             absl::string_view id);

class UniqueIds {
 public:
  // Adds the id of the document on `line` of the input `name`. InvalidArgument
  // as CheckDocumentId, or naming both lines if it was added before.
  absl::Status Add(absl::string_view name, int64_t line, absl::string_view id);

 private:
  Vocabulary ids_;
  std::vector<int64_t> line_of_id_;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_UNIQUE_IDS_H_
