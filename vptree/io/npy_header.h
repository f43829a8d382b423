// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NpyHeader: the header of a NumPy array file, a Python dictionary with three
// entries (numpy.lib.format):
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 3), }
//
// The parser is strict: it expects these three keys once each, in any order.

#ifndef WARPCLUST_VPTREE_IO_NPY_HEADER_H_
#define WARPCLUST_VPTREE_IO_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

struct NpyHeader {
  // As in the file: byte order, kind, bytes per element.
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;  // Each at least 0.
};

// InvalidArgument "expected X, found Y", without the name of the file. Arrays
// of records are well formed but refused, with a message of their own.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_NPY_HEADER_H_
