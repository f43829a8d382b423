// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_snapshot.h"

#include <zlib.h>

#include <bit>
#include <cstring>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace warpclust {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr absl::string_view kMark = "WCONLINE";
constexpr uint32_t kVersion = 1;

uint32_t Checksum(uint32_t before, absl::string_view bytes) {
  // For a null pointer, crc32_z starts anew.
  if (bytes.empty()) return before;
  return static_cast<uint32_t>(crc32_z(
      before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

class Writer {
 public:
  explicit Writer(absl::FunctionRef<void(absl::string_view)> write)
      : write_(write) {}

  void Bytes(absl::string_view bytes) {
    checksum_ = Checksum(checksum_, bytes);
    write_(bytes);
  }
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
  uint32_t checksum() const { return checksum_; }

 private:
  const absl::FunctionRef<void(absl::string_view)> write_;
  uint32_t checksum_ = 0;
};

// Takes fields off; after one that is not there all are zero or empty, and
// ok() is false.
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
  bool at_end() const { return rest_.empty(); }

 private:
  absl::string_view rest_;
  bool ok_ = true;
};

absl::Status Corrupt(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("expected a sound state, found ", what));
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

absl::StatusOr<OnlineSnapshot> ParseFields(absl::string_view bytes) {
  Reader reader(bytes);
  OnlineSnapshot snapshot;
  snapshot.generation = reader.Number<int64_t>();
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
  if (!reader.ok()) return Corrupt("lists longer than the file");
  if (!reader.at_end()) return Corrupt("more than it should hold");
  if (snapshot.generation < 1 || snapshot.input_documents < 0 ||
      snapshot.input_documents > clusters.num_documents ||
      snapshot.output_bytes < OnlineSnapshot::kNoOutput) {
    return Corrupt("numbers that cannot be");
  }
  absl::Status status = CheckFrequencies(snapshot.frequencies);
  if (!status.ok()) return status;
  status = ValidateOnlineState(clusters);
  if (!status.ok()) return Corrupt(status.message());
  return snapshot;
}

}  // namespace

void WriteOnlineSnapshot(const OnlineSnapshot& snapshot,
                         absl::FunctionRef<void(absl::string_view)> write) {
  Writer writer(write);
  writer.Bytes(kMark);
  writer.Number<uint32_t>(kVersion);
  writer.Number<int64_t>(snapshot.generation);
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
  writer.Number<uint32_t>(writer.checksum());
}

absl::StatusOr<OnlineSnapshot> ParseOnlineSnapshot(absl::string_view bytes) {
  if (!LooksLikeOnlineSnapshot(bytes)) {
    return absl::InvalidArgumentError(
        "expected a state that online_cluster saved, found another file");
  }
  if (bytes.size() < kMark.size() + 2 * sizeof(uint32_t)) {
    return Corrupt("a file that was cut short");
  }
  uint32_t version;
  std::memcpy(&version, bytes.data() + kMark.size(), sizeof(version));
  if (version != kVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a state of version ", kVersion, ", found ",
                     version, ": another release of online_cluster saved it"));
  }
  uint32_t checksum;
  const absl::string_view body = bytes.substr(0, bytes.size() - 4);
  std::memcpy(&checksum, body.data() + body.size(), sizeof(checksum));
  if (checksum != Checksum(0, body)) {
    return Corrupt("another checksum: the file was cut short or changed");
  }
  return ParseFields(body.substr(kMark.size() + sizeof(version)));
}

bool LooksLikeOnlineSnapshot(absl::string_view bytes) {
  return absl::StartsWith(bytes, kMark);
}

}  // namespace warpclust
