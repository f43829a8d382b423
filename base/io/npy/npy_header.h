// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NpyHeader: the header of a NumPy array file (numpy.save), versions 1.0
// to 3.0: a Python dictionary with three entries (numpy.lib.format):
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 3), }
//
// The parser is strict: it expects these three keys once each, in any order.

#ifndef WARPCLUST_BASE_IO_NPY_NPY_HEADER_H_
#define WARPCLUST_BASE_IO_NPY_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"

namespace warpclust {

// How a file begins.
inline constexpr absl::string_view kNpyMagic("\x93NUMPY", 6);

struct NpyHeader {
  // As in the file: byte order, kind, bytes per element.
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;  // Each at least 0.
  int64_t data_offset = 0;     // Bytes before the elements.
};

// Returns whether the inflated bytes `head` start an NPY file.
bool IsNpy(absl::string_view head);

// Reads all bytes before the elements. Errors: InvalidArgument "expected X,
// found Y", without the name of the file, and those of ByteReader.
absl::StatusOr<NpyHeader> ReadNpyHeader(ByteReader& bytes);

// "(1000, 3)", as Python writes it, for messages.
std::string FormatNpyShape(const std::vector<int64_t>& shape);

// The bytes of a file in C order before its elements.
std::string NpyStart(absl::string_view descr,
                     const std::vector<int64_t>& shape);

// The dictionary alone; data_offset stays 0. InvalidArgument as above. Arrays
// of records are well formed but refused, with a message of their own.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view text);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_NPY_NPY_HEADER_H_
