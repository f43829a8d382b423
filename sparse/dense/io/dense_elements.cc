// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/dense_elements.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/io/slices.h"
#include "base/machine/resize_vector.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are copied as they are in the file");

constexpr int64_t kChunkBytes = int64_t{1} << 20;

float HalfToFloat(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  float magnitude;
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = static_cast<float>(fraction) * 0x1p-24f;
  } else {
    magnitude = std::bit_cast<float>(
        static_cast<uint32_t>((exponent + 112) << 23 | fraction << 13));
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename Element, typename Convert>
void ConvertAll(absl::string_view bytes, const Convert& convert,
                float* values) {
  const size_t count = bytes.size() / sizeof(Element);
  for (size_t i = 0; i < count; ++i) {
    Element element;
    std::memcpy(&element, bytes.data() + i * sizeof(Element), sizeof(Element));
    values[i] = convert(element);
  }
}

absl::Status TooShort(const DenseShape& shape, int64_t element_bytes,
                      int64_t document) {
  return absl::InvalidArgumentError(
      absl::StrCat("expected ", shape.num_documents, " x ",
                   shape.num_dimensions, " elements of ", element_bytes,
                   " bytes, found the end of the file in document ", document));
}

// The rows of a share.
struct OwnRows {
  OwnRows(const DenseShape& all, const RowShare& share)
      : first(share.Begin(all.num_documents)),
        num_rows(share.End(all.num_documents) - first),
        num_dimensions(all.num_dimensions) {}

  int64_t values_before() const { return first * num_dimensions; }
  int64_t num_values() const { return num_rows * num_dimensions; }
  // CheckElements of the values from number `begin` of them on, and tells
  // `watch`.
  absl::Status CheckAndTell(absl::Span<const float> values, int64_t begin,
                            const RowWatch<float>& watch) const {
    RETURN_IF_ERROR(
        CheckElements(values, num_dimensions, values_before() + begin));
    if (watch) watch({num_rows, num_dimensions, begin, values});
    return absl::OkStatus();
  }

  const int64_t first;
  const int64_t num_rows;
  const int64_t num_dimensions;
};

// A file in memory.
class Mapping {
 public:
  Mapping(void* data, size_t size) : data_(data), size_(size) {}
  ~Mapping() { munmap(data_, size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  const char* data() const { return static_cast<const char*>(data_); }

 private:
  void* const data_;
  const size_t size_;
};

}  // namespace

int64_t ElementBytes(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return 1;
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return 2;
    case ElementType::kFloat32:
      return 4;
    case ElementType::kFloat64:
      return 8;
  }
  return 0;
}

void ConvertElements(ElementType type, absl::string_view bytes, float* values) {
  const auto same = [](auto element) { return static_cast<float>(element); };
  switch (type) {
    case ElementType::kUint8:
      return ConvertAll<uint8_t>(bytes, same, values);
    case ElementType::kFloat16:
      return ConvertAll<uint16_t>(bytes, HalfToFloat, values);
    case ElementType::kBfloat16:
      return ConvertAll<uint16_t>(
          bytes,
          [](uint16_t half) {
            return std::bit_cast<float>(uint32_t{half} << 16);
          },
          values);
    case ElementType::kFloat32:
      return ConvertAll<float>(bytes, same, values);
    case ElementType::kFloat64:
      return ConvertAll<double>(bytes, same, values);
  }
}

absl::Status CheckElements(absl::Span<const float> values,
                           int64_t num_dimensions, int64_t first) {
  // Without a branch, so that it becomes vector instructions.
  uint32_t num_bad = 0;
  for (const float value : values) {
    constexpr uint32_t kExponent = 0x7f800000;
    num_bad += (std::bit_cast<uint32_t>(value) & kExponent) == kExponent;
  }
  if (num_bad == 0) return absl::OkStatus();
  const auto* const bad = std::find_if_not(
      values.begin(), values.end(), [](float x) { return std::isfinite(x); });
  const int64_t at = first + (bad - values.begin());
  return absl::InvalidArgumentError(absl::StrCat(
      "document ", at / num_dimensions, ", dimension ", at % num_dimensions,
      ": expected a finite number that fits in float32, found ", *bad));
}

absl::Status CheckDenseShape(const DenseShape& shape, absl::string_view found) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const bool has_values = shape.num_documents == 0 || shape.num_dimensions > 0;
  if (shape.num_documents >= 0 && shape.num_documents <= kMost &&
      shape.num_dimensions >= 0 && shape.num_dimensions <= kMost &&
      has_values) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected at most 2147483647 documents of 1 to 2147483647 dimensions, "
      "found ",
      found));
}

absl::StatusOr<DenseDocuments> ReadDenseElements(
    ByteReader& bytes, ElementType type, const DenseShape& shape,
    const RowShare& share, int num_threads, const RowWatch<float>& watch) {
  const int64_t width = ElementBytes(type);
  const OwnRows own(shape, share);
  // Of a size that no file has, as many bytes as can be said.
  const int64_t before = std::min(own.values_before(),
                                  std::numeric_limits<int64_t>::max() / width) *
                         width;
  ASSIGN_OR_RETURN(const int64_t skipped, bytes.Skip(before));
  if (skipped < before) {
    return TooShort(shape, width, skipped / width / shape.num_dimensions);
  }
  const int64_t total = own.num_values();
  const auto num_rows = static_cast<int32_t>(own.num_rows);
  std::vector<float> values;
  const auto convert = [&](int64_t begin, absl::string_view elements) {
    float* const to = values.data() + begin;
    ConvertElements(type, elements, to);
    return own.CheckAndTell({to, elements.size() / width}, begin, watch);
  };
  if (bytes.PlainBytesLeft() / width >= total) {
    ResizeVector(total, num_threads, &values);
    RETURN_IF_ERROR(ReadSlices(bytes, total * width, kChunkBytes, num_threads,
                               [&](int64_t begin, absl::string_view slice) {
                                 return convert(begin / width, slice);
                               }));
    return MakeDenseDocuments(std::move(values), num_rows);
  }
  std::string chunk;
  for (int64_t done = 0; done < total;) {
    const int64_t wanted = std::min(total - done, kChunkBytes / width);
    chunk.resize(wanted * width);
    ASSIGN_OR_RETURN(const int64_t count,
                     ReadUpTo(bytes, chunk.data(), wanted * width));
    if (count < wanted * width) {
      return TooShort(
          shape, width,
          own.first + (done + count / width) / shape.num_dimensions);
    }
    // Doubles like push_back, but never beyond the final size.
    const int64_t capacity = static_cast<int64_t>(values.capacity());
    if (done + wanted > capacity) {
      values.reserve(std::min(total, std::max(done + wanted, 2 * capacity)));
    }
    values.resize(done + wanted);
    RETURN_IF_ERROR(convert(done, chunk));
    done += wanted;
  }
  return MakeDenseDocuments(std::move(values), num_rows);
}

absl::StatusOr<DenseDocuments> MapDenseElements(
    absl::string_view path, absl::string_view start, int64_t offset,
    const DenseShape& shape, const RowShare& share, bool is_last,
    int num_threads, const RowWatch<float>& watch) {
  const OwnRows own(shape, share);
  const absl::Status cannot = absl::OutOfRangeError("cannot be mapped");
  struct stat info;
  const std::string name(path);
  // Without opening a named pipe, whose writer would notice.
  if (offset % 4 != 0 || stat(name.c_str(), &info) != 0 ||
      !S_ISREG(info.st_mode) || own.num_rows == 0) {
    return cannot;
  }
  const int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &info) != 0) {
    if (descriptor >= 0) close(descriptor);
    return cannot;
  }
  std::string begin(start.size(), '\0');
  const bool is_plain = pread(descriptor, begin.data(), begin.size(), 0) ==
                            static_cast<ssize_t>(begin.size()) &&
                        begin == start;
  // Bytes are counted once the file has them: the product may not fit.
  const int64_t present = (info.st_size - offset) / 4;
  const int64_t values = shape.num_documents * shape.num_dimensions;
  int64_t in_page = 0;  // Where the rows begin in the mapping.
  absl::Status status;
  std::shared_ptr<const Mapping> mapping;
  if (!is_plain) {
    status = cannot;
  } else if (present < values) {
    status = TooShort(shape, 4,
                      std::max<int64_t>(0, present) / shape.num_dimensions);
  } else if (is_last && info.st_size != offset + 4 * values) {
    status = absl::InvalidArgumentError(
        absl::StrCat("expected the end of the file after ", shape.num_documents,
                     " x ", shape.num_dimensions, " elements, found more"));
  } else {
    const int64_t first_byte = offset + 4 * own.values_before();
    in_page = first_byte % sysconf(_SC_PAGESIZE);
    const int64_t size = in_page + 4 * own.num_values();
    // Some networks that ranks send by want memory that may be written.
    const int protection =
        share.num_parts > 1 ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const data = mmap(nullptr, size, protection, MAP_PRIVATE, descriptor,
                            first_byte - in_page);
    if (data == MAP_FAILED) {
      status = cannot;
    } else {
      mapping = std::make_shared<const Mapping>(data, size);
    }
  }
  close(descriptor);
  RETURN_IF_ERROR(status);
  DenseDocuments documents;
  documents.num_rows = static_cast<int32_t>(own.num_rows);
  documents.num_dimensions = static_cast<int32_t>(own.num_dimensions);
  documents.values = absl::MakeConstSpan(
      reinterpret_cast<const float*>(mapping->data() + in_page),
      own.num_values());
  documents.storage = mapping;
  RETURN_IF_ERROR(ForSlices(own.num_values(), kChunkBytes, num_threads,
                            [&](int64_t begin, int64_t end) {
                              return own.CheckAndTell(
                                  documents.values.subspan(begin, end - begin),
                                  begin, watch);
                            }));
  return documents;
}

}  // namespace warpclust
