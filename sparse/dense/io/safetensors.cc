// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/io/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "base/text/json_reader.h"
#include "sparse/dense/io/dense_elements.h"

namespace warpclust {
namespace {

constexpr uint64_t kMostHeaderBytes = 100000000;  // As the format has it.

struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<int64_t> offsets;  // Of the first byte and behind the last.
};

// An array of integers that are not negative.
bool TakeSizes(JsonValue& json, std::vector<int64_t>* sizes) {
  sizes->clear();
  return json.ForEachElement(
      [sizes](JsonValue& element) {
        int64_t size;
        if (!absl::SimpleAtoi(element.token(), &size) || size < 0) {
          return element.Fail("a size");
        }
        sizes->push_back(size);
        return element.Number(nullptr, "a size");
      },
      "an array of sizes");
}

bool TakeTensor(JsonValue& json, Tensor* tensor) {
  return json.ForEachMember([tensor](absl::string_view key, JsonValue& value) {
    if (key == "dtype") return value.String(&tensor->dtype);
    if (key == "shape") return TakeSizes(value, &tensor->shape);
    if (key == "data_offsets") return TakeSizes(value, &tensor->offsets);
    return value.Skip();
  });
}

absl::StatusOr<std::vector<Tensor>> ParseHeader(const std::string& header) {
  std::vector<Tensor> tensors;
  const absl::optional<JsonError> error = ReadJsonObject(
      header, [&tensors](absl::string_view key, JsonValue& value) {
        if (key == "__metadata__") return value.Skip();
        tensors.emplace_back();
        tensors.back().name = std::string(key);
        return TakeTensor(value, &tensors.back());
      });
  if (!error.has_value()) return tensors;
  return absl::InvalidArgumentError(absl::StrCat("expected ", error->expected,
                                                 " of the header, found ",
                                                 QuoteInput(error->found)));
}

absl::StatusOr<Tensor> FindTensor(const std::vector<Tensor>& tensors,
                                  absl::string_view name) {
  std::vector<absl::string_view> matrices;
  const Tensor* found = nullptr;
  for (const Tensor& tensor : tensors) {
    if (tensor.shape.size() == 2) matrices.push_back(tensor.name);
    if (name.empty() ? tensor.shape.size() == 2 : tensor.name == name) {
      found = &tensor;
    }
  }
  if (name.empty() && matrices.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected the name of a tensor, found several of two dimensions: ",
        absl::StrJoin(matrices, ", ")));
  }
  if (found == nullptr) {
    const std::string wanted =
        name.empty() ? "a tensor of two dimensions"
                     : absl::StrCat("a tensor ", QuoteInput(name));
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", wanted, ", found ",
        matrices.empty() ? "none" : absl::StrJoin(matrices, ", ")));
  }
  return *found;
}

absl::StatusOr<ElementType> FindType(const Tensor& tensor) {
  if (tensor.dtype == "F16") return ElementType::kFloat16;
  if (tensor.dtype == "BF16") return ElementType::kBfloat16;
  if (tensor.dtype == "F32") return ElementType::kFloat32;
  if (tensor.dtype == "F64") return ElementType::kFloat64;
  return absl::InvalidArgumentError(
      absl::StrCat("expected elements of type F16, BF16, F32 or F64, found ",
                   QuoteInput(tensor.dtype)));
}

// `path`: where `bytes` come from, if it may be mapped.
absl::StatusOr<DenseDocuments> Read(ByteReader& bytes, absl::string_view path,
                                    absl::string_view name, int num_threads,
                                    const RowWatch<float>& watch,
                                    const RowShare& share) {
  char size[8];
  ASSIGN_OR_RETURN(const int64_t size_bytes,
                   ReadUpTo(bytes, size, sizeof(size)));
  const uint64_t header_bytes = size_bytes == 8 ? LoadLittle64(size) : 0;
  if (header_bytes < 2 || header_bytes > kMostHeaderBytes) {
    return absl::InvalidArgumentError(
        "expected a safetensors file, which begins with the length of its "
        "header, from 2 to 100000000 bytes");
  }
  // Grown as it is read: the length is not trusted.
  std::string header;
  while (header.size() < header_bytes) {
    const size_t old = header.size();
    header.resize(std::min<uint64_t>(header_bytes, old + (1 << 16)));
    const auto part = static_cast<int64_t>(header.size() - old);
    ASSIGN_OR_RETURN(const int64_t read,
                     ReadUpTo(bytes, header.data() + old, part));
    if (read < part) {
      return absl::InvalidArgumentError(
          "expected the rest of the header, found the end of the file");
    }
  }
  ASSIGN_OR_RETURN(const std::vector<Tensor> tensors, ParseHeader(header));
  ASSIGN_OR_RETURN(const Tensor tensor, FindTensor(tensors, name));
  const std::string found =
      absl::StrCat("[", absl::StrJoin(tensor.shape, ", "), "]");
  if (tensor.shape.size() != 2) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a tensor of shape [documents, dimensions], found ", found));
  }
  ASSIGN_OR_RETURN(const ElementType type, FindType(tensor));
  const DenseShape shape = {tensor.shape[0], tensor.shape[1]};
  RETURN_IF_ERROR(CheckDenseShape(shape, found));
  // At most 2^62 elements of 8 bytes.
  const unsigned __int128 tensor_bytes =
      static_cast<unsigned __int128>(shape.num_documents) *
      static_cast<uint64_t>(shape.num_dimensions) *
      static_cast<uint64_t>(ElementBytes(type));
  if (tensor.offsets.size() != 2 || tensor.offsets[0] > tensor.offsets[1] ||
      static_cast<uint64_t>(tensor.offsets[1] - tensor.offsets[0]) !=
          tensor_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected data_offsets of ", found, " elements of ", tensor.dtype,
        ", found [", absl::StrJoin(tensor.offsets, ", "), "]"));
  }
  const int64_t data = 8 + static_cast<int64_t>(header_bytes);
  if (type == ElementType::kFloat32 && path != "-" &&
      tensor.offsets[0] <= INT64_MAX / 2) {
    absl::StatusOr<DenseDocuments> mapped = MapDenseElements(
        path, absl::string_view(size, sizeof(size)), data + tensor.offsets[0],
        shape, share, /*is_last=*/false, num_threads, watch);
    if (!absl::IsOutOfRange(mapped.status())) return mapped;
  }
  const auto before = static_cast<int64_t>(tensor.offsets[0]);
  ASSIGN_OR_RETURN(const int64_t skipped, bytes.Skip(before));
  if (skipped < before) {
    return absl::InvalidArgumentError(
        "expected the tensor, found the end of the file");
  }
  return ReadDenseElements(bytes, type, shape, share, num_threads, watch);
}

absl::StatusOr<DenseDocuments> ReadNamed(
    ByteReader& bytes, absl::string_view path, absl::string_view name,
    int num_threads, const RowWatch<float>& watch, const RowShare& share) {
  absl::StatusOr<DenseDocuments> documents =
      Read(bytes, path, name, num_threads, watch, share);
  if (documents.ok()) return documents;
  return absl::Status(
      documents.status().code(),
      absl::StrCat(bytes.name(), ": ", documents.status().message()));
}

}  // namespace

bool IsSafetensors(absl::string_view head) {
  return head.size() > 8 && LoadLittle64(head.data()) <= kMostHeaderBytes &&
         head[8] == '{';
}

absl::StatusOr<DenseDocuments> ReadSafetensors(absl::string_view path,
                                               absl::string_view name,
                                               WorkShare* work, int num_threads,
                                               const RowWatch<float>& watch,
                                               const RowShare& share) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path, work));
  return ReadNamed(bytes, path, name, num_threads, watch, share);
}

absl::StatusOr<DenseDocuments> ReadSafetensors(ByteReader& bytes,
                                               absl::string_view name,
                                               int num_threads) {
  return ReadNamed(bytes, "-", name, num_threads, /*watch=*/nullptr,
                   RowShare());
}

}  // namespace warpclust
