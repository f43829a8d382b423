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
#include "base/io/line_reader.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "base/text/json_cursor.h"
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
bool TakeSizes(JsonCursor& json, std::vector<int64_t>* sizes) {
  if (json.Peek() != JsonCursor::Kind::kArray) {
    return json.Fail("an array of sizes");
  }
  json.BeginArray();
  while (json.NextElement()) {
    JsonCursor before = json;
    absl::string_view number;
    int64_t size;
    if (json.Peek() != JsonCursor::Kind::kNumber || !json.Literal(&number) ||
        !absl::SimpleAtoi(number, &size) || size < 0) {
      json = before;
      return json.Fail("a size");
    }
    sizes->push_back(size);
  }
  return json.ok();
}

bool TakeTensor(JsonCursor& json, Tensor* tensor) {
  if (json.Peek() != JsonCursor::Kind::kObject) {
    return json.Fail("a JSON object");
  }
  json.BeginObject();
  std::string key;
  while (json.NextMember(&key)) {
    bool taken;
    if (key == "dtype") {
      taken = json.String(&tensor->dtype);
    } else if (key == "shape") {
      tensor->shape.clear();
      taken = TakeSizes(json, &tensor->shape);
    } else if (key == "data_offsets") {
      tensor->offsets.clear();
      taken = TakeSizes(json, &tensor->offsets);
    } else {
      taken = json.Skip();
    }
    if (!taken) return false;
  }
  return json.ok();
}

absl::StatusOr<std::vector<Tensor>> ParseHeader(const std::string& header) {
  std::vector<Tensor> tensors;
  JsonCursor json(header);
  bool more = json.BeginObject();
  Tensor tensor;
  while (more && json.NextMember(&tensor.name)) {
    if (tensor.name == "__metadata__") {
      more = json.Skip();
      continue;
    }
    more = TakeTensor(json, &tensor);
    tensors.push_back(std::move(tensor));
    tensor = Tensor();
  }
  if (json.End()) return tensors;
  return absl::InvalidArgumentError(absl::StrCat("expected ", json.expected(),
                                                 " of the header, found ",
                                                 QuoteInput(json.found())));
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
                                    absl::string_view name, int num_threads) {
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
        shape, /*is_last=*/false, num_threads);
    if (!absl::IsOutOfRange(mapped.status())) return mapped;
  }
  const auto before = static_cast<int64_t>(tensor.offsets[0]);
  ASSIGN_OR_RETURN(const int64_t skipped, bytes.Skip(before));
  if (skipped < before) {
    return absl::InvalidArgumentError(
        "expected the tensor, found the end of the file");
  }
  return ReadDenseElements(bytes, type, shape, num_threads);
}

absl::StatusOr<DenseDocuments> ReadNamed(ByteReader& bytes,
                                         absl::string_view path,
                                         absl::string_view name,
                                         int num_threads) {
  absl::StatusOr<DenseDocuments> documents =
      Read(bytes, path, name, num_threads);
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
                                               WorkShare* work,
                                               int num_threads) {
  ASSIGN_OR_RETURN(ByteReader bytes, ByteReader::Open(path, work));
  return ReadNamed(bytes, path, name, num_threads);
}

absl::StatusOr<DenseDocuments> ReadSafetensors(ByteReader& bytes,
                                               absl::string_view name,
                                               int num_threads) {
  return ReadNamed(bytes, "-", name, num_threads);
}

}  // namespace warpclust
