// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_records.h"

#include <bit>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

static_assert(std::endian::native == std::endian::little);

// Version 1 was a file with a journal beside it.
constexpr uint32_t kVersion = 2;

class Writer {
 public:
  explicit Writer(absl::FunctionRef<void(absl::string_view)> write)
      : write_(write) {}

  void Bytes(absl::string_view bytes) { write_(bytes); }
  template <typename T>
  void Number(T value) {
    Bytes({reinterpret_cast<const char*>(&value), sizeof(value)});
  }
  void Text(absl::string_view text) {
    Number<uint64_t>(text.size());
    Bytes(text);
  }
  template <typename T>
  void List(absl::Span<const T> list) {
    Number<uint64_t>(list.size());
    Bytes(
        {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T)});
  }

 private:
  const absl::FunctionRef<void(absl::string_view)> write_;
};

// Reads fields in order. After the first that is missing, ok() is false and
// fields are zero or empty.
class Reader {
 public:
  explicit Reader(absl::string_view bytes) : rest_(bytes) {}

  absl::string_view Bytes(uint64_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      rest_ = "";
      return "";
    }
    const absl::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }
  template <typename T>
  T Number() {
    T value = 0;
    const absl::string_view bytes = Bytes(sizeof(T));
    if (bytes.size() == sizeof(T)) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  absl::string_view Text() { return Bytes(Number<uint64_t>()); }
  template <typename T>
  std::vector<T> List() {
    const uint64_t count = Number<uint64_t>();
    // Before it is multiplied.
    if (count > rest_.size() / sizeof(T)) {
      Bytes(std::numeric_limits<uint64_t>::max());
      return {};
    }
    const absl::string_view bytes = Bytes(count * sizeof(T));
    std::vector<T> list(count);
    if (count > 0) std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
  }
  bool ok() const { return ok_; }
  absl::string_view rest() const { return rest_; }

 private:
  absl::string_view rest_;
  bool ok_ = true;
};

absl::Status Corrupt(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("expected a valid state, found ", what));
}

absl::Status CheckFrequencies(const RunningFrequencies& frequencies) {
  for (const int64_t df : frequencies.frequencies()) {
    if (df < 0 || df > frequencies.num_documents()) {
      return Corrupt(absl::StrCat("a term in ", df, " of ",
                                  frequencies.num_documents(), " documents"));
    }
  }
  if (frequencies.num_documents() < 0) {
    return Corrupt("a negative number of documents");
  }
  return absl::OkStatus();
}

}  // namespace

OnlineDocuments OnlineSnapshot::documents() const {
  for (const auto& [name, value] : options) {
    if (name == kInput && value == kEmbeddings) return OnlineDocuments::kDense;
  }
  return OnlineDocuments::kTerms;
}

absl::StatusOr<OnlineSnapshot> ParseOnlineSnapshot(absl::string_view bytes) {
  Reader reader(bytes);
  const auto version = reader.Number<uint32_t>();
  if (reader.ok() && version != kVersion) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a state of version ", kVersion, ", found ", version,
        ": continue it with the release of online_cluster that wrote it, or "
        "begin a new state under another name"));
  }
  OnlineSnapshot snapshot;
  for (uint64_t i = reader.Number<uint64_t>(); i > 0 && reader.ok(); --i) {
    const absl::string_view name = reader.Text();
    snapshot.options.emplace_back(name, reader.Text());
  }
  snapshot.input_documents = reader.Number<int64_t>();
  snapshot.input_checksum = reader.Number<uint32_t>();
  snapshot.output_bytes = reader.Number<int64_t>();
  snapshot.output_path = std::string(reader.Text());
  for (uint64_t i = reader.Number<uint64_t>(); i > 0 && reader.ok(); --i) {
    const int32_t next = snapshot.vocabulary.size();
    const absl::string_view term = reader.Text();
    if (!reader.ok()) break;
    if (next == INT32_MAX || snapshot.vocabulary.Add(term) != next) {
      return Corrupt("a term twice");
    }
  }
  const int64_t weighted = reader.Number<int64_t>();
  snapshot.frequencies = RunningFrequencies(weighted, reader.List<int64_t>());
  OnlineState& clusters = snapshot.clusters;
  clusters.offsets = reader.List<int64_t>();
  clusters.terms = reader.List<int32_t>();
  clusters.sums = reader.List<int64_t>();
  clusters.sizes = reader.List<int64_t>();
  clusters.last_times = reader.List<int64_t>();
  clusters.num_documents = reader.Number<int64_t>();
  clusters.clock = reader.Number<int64_t>();
  clusters.num_terms = reader.Number<int32_t>();
  if (reader.ok() && !reader.rest().empty()) {
    snapshot.input_skipped_lines = reader.Number<int64_t>();
    if (snapshot.input_skipped_lines < 1) {
      return Corrupt("a number of skipped lines below 1");
    }
  }
  if (!reader.ok()) return Corrupt("lists that are cut short");
  if (!reader.rest().empty()) return Corrupt("bytes after its last field");
  if (snapshot.input_documents < 0 ||
      snapshot.input_documents > clusters.num_documents) {
    return Corrupt(absl::StrCat("an input of ", snapshot.input_documents,
                                " documents in a stream of ",
                                clusters.num_documents));
  }
  if (snapshot.output_bytes < OnlineSnapshot::kNoOutput) {
    return Corrupt(
        absl::StrCat("an output of ", snapshot.output_bytes, " bytes"));
  }
  RETURN_IF_ERROR(CheckFrequencies(snapshot.frequencies));
  const absl::Status valid =
      ValidateOnlineState(clusters, snapshot.documents());
  if (!valid.ok()) return Corrupt(valid.message());
  return snapshot;
}

void WriteOnlineSnapshot(const OnlineSnapshot& snapshot,
                         absl::FunctionRef<void(absl::string_view)> write) {
  Writer writer(write);
  writer.Number<uint32_t>(kVersion);
  writer.Number<uint64_t>(snapshot.options.size());
  for (const auto& [name, value] : snapshot.options) {
    writer.Text(name);
    writer.Text(value);
  }
  writer.Number<int64_t>(snapshot.input_documents);
  writer.Number<uint32_t>(snapshot.input_checksum);
  writer.Number<int64_t>(snapshot.output_bytes);
  writer.Text(snapshot.output_path);
  writer.Number<uint64_t>(snapshot.vocabulary.size());
  for (int32_t term = 0; term < snapshot.vocabulary.size(); ++term) {
    writer.Text(snapshot.vocabulary.Term(term));
  }
  writer.Number<int64_t>(snapshot.frequencies.num_documents());
  writer.List<int64_t>(snapshot.frequencies.frequencies());
  const OnlineState& clusters = snapshot.clusters;
  writer.List<int64_t>(clusters.offsets);
  writer.List<int32_t>(clusters.terms);
  writer.List<int64_t>(clusters.sums);
  writer.List<int64_t>(clusters.sizes);
  writer.List<int64_t>(clusters.last_times);
  writer.Number<int64_t>(clusters.num_documents);
  writer.Number<int64_t>(clusters.clock);
  writer.Number<int32_t>(clusters.num_terms);
  if (snapshot.input_skipped_lines > 0) {
    writer.Number<int64_t>(snapshot.input_skipped_lines);
  }
}

std::string EncodeOnlineBlock(const OnlineBlock& block) {
  std::string bytes;
  const auto append = [&bytes](absl::string_view part) {
    bytes.append(part.data(), part.size());
  };
  Writer writer(append);
  writer.Number<int32_t>(static_cast<int32_t>(block.format));
  writer.Number<int64_t>(block.documents_before);
  writer.Number<int64_t>(block.documents);
  writer.Bytes(block.lines);
  return bytes;
}

absl::StatusOr<OnlineBlock> ParseOnlineBlock(absl::string_view bytes) {
  Reader reader(bytes);
  OnlineBlock block;
  const auto format = reader.Number<int32_t>();
  block.format = static_cast<InputFormat>(format);
  block.documents_before = reader.Number<int64_t>();
  block.documents = reader.Number<int64_t>();
  block.lines = reader.rest();
  if (!reader.ok()) return Corrupt("a block that is cut short");
  if (block.format != InputFormat::kJsonLines &&
      block.format != InputFormat::kLines &&
      block.format != InputFormat::kSvmlight &&
      block.format != InputFormat::kJsonVectors) {
    return Corrupt(absl::StrCat("a block of format ", format));
  }
  if (block.documents_before < 0 || block.documents < 1) {
    return Corrupt(absl::StrCat("a block of ", block.documents,
                                " documents after ", block.documents_before));
  }
  return block;
}

}  // namespace warpclust
