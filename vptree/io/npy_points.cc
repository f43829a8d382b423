// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/io/npy_points.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "base/io/npy/npy_header.h"
#include "base/io/slices.h"
#include "base/machine/resize_vector.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are copied as they are in the file");

constexpr int64_t kChunkElements = int64_t{1} << 15;
constexpr int64_t kExactIntegers = int64_t{1} << 53;

// Copies `count` elements from `bytes`. Elements that no double holds become
// NaN.
using Converter = void (*)(const char* bytes, int64_t count, double* values);

template <typename T>
void Convert(const char* bytes, int64_t count, double* values) {
  for (int64_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, bytes + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(element);
    if constexpr (std::numeric_limits<T>::digits > 53) {
      constexpr T kMost = kExactIntegers;
      const bool too_small =
          std::numeric_limits<T>::is_signed && element < T{0} - kMost;
      if (element > kMost || too_small) values[i] = std::nan("");
    }
  }
}

struct ElementType {
  absl::string_view descr;
  int64_t bytes;
  Converter convert;
};

constexpr ElementType kTypes[] = {
    {"<f4", 4, Convert<float>},   {"<f8", 8, Convert<double>},
    {"|i1", 1, Convert<int8_t>},  {"|u1", 1, Convert<uint8_t>},
    {"<i2", 2, Convert<int16_t>}, {"<u2", 2, Convert<uint16_t>},
    {"<i4", 4, Convert<int32_t>}, {"<u4", 4, Convert<uint32_t>},
    {"<i8", 8, Convert<int64_t>}, {"<u8", 8, Convert<uint64_t>},
};

absl::StatusOr<ElementType> FindType(absl::string_view descr) {
  for (const ElementType& type : kTypes) {
    if (type.descr == descr) return type;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected elements of type <f4, <f8, |i1, |u1, <i2, <u2, <i4, <u4, <i8 "
      "or <u8, found ",
      QuoteInput(descr),
      absl::StartsWith(descr, ">")
          ? " (big-endian): save points.astype(points.dtype.newbyteorder('<'))"
          : ""));
}

// Sets the sizes of `points`.
absl::Status SetShape(const std::vector<int64_t>& shape, PointMatrix* points) {
  const std::string found = FormatNpyShape(shape);
  if (shape.size() != 1 && shape.size() != 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an array of shape (points, coordinates), found ", found));
  }
  for (int64_t size : shape) {
    if (size < 1 || size > std::numeric_limits<int32_t>::max()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "expected from 1 to 2147483647 points and coordinates, found ",
          found));
    }
  }
  points->num_points = static_cast<int32_t>(shape[0]);
  points->num_dimensions =
      shape.size() == 2 ? static_cast<int32_t>(shape[1]) : 1;
  return absl::OkStatus();
}

// The error about element `i` of the points, which is no coordinate. The file
// has `first` points before them.
absl::Status BadValue(const PointMatrix& points, int64_t i, int64_t first,
                      const ElementType& type) {
  const std::string place =
      absl::StrCat("point ", first + i / points.num_dimensions, ", coordinate ",
                   i % points.num_dimensions, ": ");
  if (type.descr == "<i8" || type.descr == "<u8") {
    return absl::InvalidArgumentError(absl::StrCat(
        place, "expected an integer of magnitude at most 2^53, found more"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      place, "expected a finite number of magnitude at most 1e150, found ",
      points.values[i]));
}

// What the header says.
absl::Status TooShort(const PointMatrix& all, const ElementType& type,
                      int64_t elements) {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected ", all.num_points, " x ", all.num_dimensions, " elements of ",
      type.bytes, " bytes, found the end of the file in point ",
      elements / all.num_dimensions));
}

absl::Status SkipPoints(ByteReader& bytes, const ElementType& type,
                        const PointMatrix& all, int64_t num_points) {
  // Of a size that no file has, as many bytes as can be said.
  const int64_t total =
      std::min(num_points * all.num_dimensions,
               std::numeric_limits<int64_t>::max() / type.bytes) *
      type.bytes;
  ASSIGN_OR_RETURN(const int64_t skipped, bytes.Skip(total));
  return skipped == total ? absl::OkStatus()
                          : TooShort(all, type, skipped / type.bytes);
}

// Converts the elements in `bytes` to the values from number `begin` on, and
// tells `watch`.
absl::Status ConvertValues(absl::string_view bytes, const ElementType& type,
                           int64_t first, int64_t begin,
                           const RowWatch<double>& watch, PointMatrix* points) {
  double* const to = points->values.data() + begin;
  double* const end = to + bytes.size() / type.bytes;
  type.convert(bytes.data(), end - to, to);
  // The comparison is false for NaN.
  const double* const bad = std::find_if_not(
      to, end, [](double x) { return std::fabs(x) <= kLargestCoordinate; });
  if (bad != end) return BadValue(*points, begin + (bad - to), first, type);
  if (watch) {
    watch({points->num_points, points->num_dimensions, begin,
           absl::MakeConstSpan(to, end)});
  }
  return absl::OkStatus();
}

// Of the points in the file, those from `first` on.
absl::Status ReadValues(ByteReader& bytes, const ElementType& type,
                        const PointMatrix& all, int64_t first, int num_threads,
                        const RowWatch<double>& watch, PointMatrix* points) {
  const int64_t total =
      static_cast<int64_t>(points->num_points) * points->num_dimensions;
  std::vector<double>& values = points->values;
  if (bytes.PlainBytesLeft() / type.bytes >= total) {
    ResizeVector(total, num_threads, &values);
    return ReadSlices(bytes, total * type.bytes, kChunkElements * type.bytes,
                      num_threads, [&](int64_t begin, absl::string_view slice) {
                        return ConvertValues(slice, type, first,
                                             begin / type.bytes, watch, points);
                      });
  }
  std::string chunk;
  for (int64_t done = 0; done < total;) {
    const int64_t wanted = std::min(kChunkElements, total - done);
    chunk.resize(wanted * type.bytes);
    ASSIGN_OR_RETURN(const int64_t count,
                     ReadUpTo(bytes, chunk.data(), wanted * type.bytes));
    if (count < wanted * type.bytes) {
      return TooShort(all, type,
                      first * all.num_dimensions + done + count / type.bytes);
    }
    // Doubles like push_back, but never beyond the final size.
    const int64_t capacity = static_cast<int64_t>(values.capacity());
    if (done + wanted > capacity) {
      values.reserve(std::min(total, std::max(done + wanted, 2 * capacity)));
    }
    values.resize(done + wanted);
    RETURN_IF_ERROR(ConvertValues(chunk, type, first, done, watch, points));
    done += wanted;
  }
  return absl::OkStatus();
}

absl::Status ExpectEnd(ByteReader& bytes, const PointMatrix& all) {
  char extra;
  ASSIGN_OR_RETURN(const int64_t count, bytes.Read(&extra, 1));
  if (count == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("expected the end of the file after ", all.num_points, " x ",
                   all.num_dimensions, " elements, found more"));
}

absl::StatusOr<PointMatrix> Read(ByteReader& bytes, const RowShare& share,
                                 int num_threads,
                                 const RowWatch<double>& watch) {
  ASSIGN_OR_RETURN(NpyHeader header, ReadNpyHeader(bytes));
  ASSIGN_OR_RETURN(ElementType type, FindType(header.descr));
  if (header.fortran_order) {
    return absl::InvalidArgumentError(
        "expected fortran_order False, found True: save "
        "numpy.ascontiguousarray(points)");
  }
  PointMatrix all;
  RETURN_IF_ERROR(SetShape(header.shape, &all));
  const int64_t first = share.Begin(all.num_points);
  const int64_t end = share.End(all.num_points);
  PointMatrix points;
  points.num_points = static_cast<int32_t>(end - first);
  points.num_dimensions = all.num_dimensions;
  RETURN_IF_ERROR(SkipPoints(bytes, type, all, first));
  RETURN_IF_ERROR(
      ReadValues(bytes, type, all, first, num_threads, watch, &points));
  if (share.is_last()) RETURN_IF_ERROR(ExpectEnd(bytes, all));
  return points;
}

absl::StatusOr<PointMatrix> ReadNamed(ByteReader& bytes, const RowShare& share,
                                      int num_threads,
                                      const RowWatch<double>& watch) {
  absl::StatusOr<PointMatrix> points = Read(bytes, share, num_threads, watch);
  if (points.ok()) return points;
  return absl::Status(
      points.status().code(),
      absl::StrCat(bytes.name(), ": ", points.status().message()));
}

}  // namespace

absl::StatusOr<PointMatrix> ReadNpyPoints(ByteReader& bytes, int num_threads,
                                          const RowWatch<double>& watch) {
  return ReadNamed(bytes, RowShare(), num_threads, watch);
}

absl::StatusOr<PointMatrix> ReadNpyShare(ByteReader& bytes,
                                         const RowShare& share,
                                         int num_threads) {
  return ReadNamed(bytes, share, num_threads, /*watch=*/nullptr);
}

absl::StatusOr<PointMatrix> ReadNpyPoints(absl::string_view path,
                                          int num_threads) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path));
  return ReadNpyPoints(bytes, num_threads);
}

}  // namespace warpclust
