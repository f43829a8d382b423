// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as NPY points: what is read is valid, and is read back from the
// plainest file that holds it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/byte_reader.h"
#include "vptree/io/npy_points.h"
#include "vptree/points/point_matrix.h"

namespace {

absl::StatusOr<warpclust::PointMatrix> Read(std::string content) {
  warpclust::ByteReader bytes =
      warpclust::ByteReader::FromString(std::move(content), "fuzz");
  return warpclust::ReadNpyPoints(bytes);
}

// A file of version 1.0.
std::string File(absl::string_view dictionary, absl::string_view elements) {
  const char start[] = {'\x93',
                        'N',
                        'U',
                        'M',
                        'P',
                        'Y',
                        1,
                        0,
                        static_cast<char>(dictionary.size() & 0xFF),
                        static_cast<char>(dictionary.size() >> 8)};
  return absl::StrCat(absl::string_view(start, sizeof(start)), dictionary,
                      elements);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  // What chance would not find is given: magic and length of the header, which
  // is the first line, and its first words.
  std::string content(bytes);
  const size_t line = bytes.find('\n');
  if (line != absl::string_view::npos && line < 1000) {
    content = File(
        absl::StrCat("{'fortran_order': False, ", bytes.substr(0, line + 1)),
        bytes.substr(line + 1));
  }
  const absl::StatusOr<warpclust::PointMatrix> read = Read(content);
  if (!read.ok()) return 0;
  if (read->num_points < 1 || !read->Validate().ok()) std::abort();
  const absl::string_view elements(
      reinterpret_cast<const char*>(read->values.data()),
      read->values.size() * sizeof(double));
  const absl::StatusOr<warpclust::PointMatrix> again =
      Read(File(absl::StrCat("{'descr':'<f8','fortran_order':False,'shape':(",
                             read->num_points, ",", read->num_dimensions, ")}"),
                elements));
  if (!again.ok() || again->num_points != read->num_points ||
      again->num_dimensions != read->num_dimensions ||
      std::memcmp(again->values.data(), read->values.data(), elements.size()) !=
          0) {
    std::abort();
  }
  return 0;
}
