// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as dense documents, in the format that the first byte
// chooses. What is read is valid, and is read back from NPY with the same
// values.

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
#include "base/io/lines/line_reader.h"
#include "base/io/npy/npy_header.h"
#include "base/numbers/little_endian.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/io/dense_json_lines.h"
#include "sparse/dense/io/dense_npy.h"
#include "sparse/dense/io/dense_vecs.h"
#include "sparse/dense/io/safetensors.h"

namespace {

using warpclust::ByteReader;
using warpclust::DenseDocuments;

// What chance would not find is given: the magic of NPY, and the lengths of
// headers, which are the first line.
absl::StatusOr<DenseDocuments> Read(int format, std::string content) {
  const size_t line = content.find('\n');
  const bool has_line = line != std::string::npos && line < 1000;
  switch (format) {
    case 0: {
      if (has_line) {
        std::string start =
            absl::StrCat(warpclust::kNpyMagic, absl::string_view("\1\0", 2));
        start += static_cast<char>((line + 1) & 0xFF);
        start += static_cast<char>((line + 1) >> 8);
        content = start + content;
      }
      ByteReader bytes = ByteReader::FromString(std::move(content), "fuzz");
      return warpclust::ReadDenseNpy(bytes);
    }
    case 1: {
      if (has_line) {
        std::string start;
        warpclust::AppendLittle64(line + 1, &start);
        content = start + content;
      }
      ByteReader bytes = ByteReader::FromString(std::move(content), "fuzz");
      return warpclust::ReadSafetensors(bytes, "");
    }
    case 2: {
      ByteReader bytes = ByteReader::FromString(std::move(content), "fuzz");
      return warpclust::ReadFvecs(bytes);
    }
    case 3: {
      ByteReader bytes = ByteReader::FromString(std::move(content), "fuzz");
      return warpclust::ReadBvecs(bytes);
    }
    default: {
      warpclust::LineReader lines =
          warpclust::LineReader::FromString(std::move(content));
      absl::StatusOr<warpclust::DenseJsonDocuments> read =
          warpclust::ReadDenseJsonLines(lines, {}, /*num_threads=*/1);
      if (!read.ok()) return read.status();
      if (static_cast<int64_t>(read->ids.size()) !=
          read->documents.num_documents()) {
        std::abort();
      }
      return std::move(read->documents);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const absl::StatusOr<DenseDocuments> read =
      Read(data[0] % 5,
           std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  if (!read.ok()) return 0;
  if (!warpclust::ValidateDenseDocuments(*read).ok()) std::abort();
  const size_t bytes = read->values.size() * sizeof(float);
  const absl::StatusOr<DenseDocuments> again = Read(
      0, absl::StrCat(
             "{'descr':'<f4','fortran_order':False,'shape':(",
             read->num_documents(), ",", read->num_dimensions, ")}\n",
             absl::string_view(
                 reinterpret_cast<const char*>(read->values.data()), bytes)));
  if (!again.ok() || again->num_documents() != read->num_documents() ||
      again->values.size() != read->values.size() ||
      // Which takes no null pointers.
      (bytes > 0 &&
       std::memcmp(again->values.data(), read->values.data(), bytes) != 0)) {
    std::abort();
  }
  return 0;
}
