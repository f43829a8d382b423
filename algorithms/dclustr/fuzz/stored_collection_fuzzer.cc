// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A stored collection whose file or whose records were changed by the input:
// every use ends well or with a status. Changed bytes of the file are those of
// values, which checksums cover (LMDB does not survive all damages of its own
// pages), or the file is cut short. Changed records have right checksums, so
// that readers meet what no checksum would let through.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/numbers/crc32c.h"
#include "base/numbers/little_endian.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "kernels/device/device.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/weighting/weighting.h"
#include "third_party/fuzz_folder.h"

namespace {

using warpclust::DClustRBatch;
using warpclust::DClustRCollection;
using warpclust::DClustRRunOptions;
using warpclust::LmdbEnvironment;
using warpclust::LmdbTransaction;
using warpclust::OwnedDenseRows;

void Require(bool condition) {
  if (!condition) std::abort();
}

class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), end_(data + size) {}

  bool empty() const { return data_ == end_; }
  uint8_t Byte() { return empty() ? 0 : *data_++; }
  uint32_t Number() { return Byte() | Byte() << 8 | Byte() << 16; }
  std::string Bytes(size_t count) {
    std::string bytes;
    while (count-- > 0 && !empty()) bytes.push_back(static_cast<char>(Byte()));
    return bytes;
  }

 private:
  const uint8_t* data_;
  const uint8_t* end_;
};

DClustRRunOptions RunOptions() {
  DClustRRunOptions options;
  options.device = warpclust::Device::kCpu;
  options.num_threads = 1;
  return options;
}

// Term vectors, or the same as dense rows.
DClustRBatch Batch(int first, int count, bool dense) {
  DClustRBatch batch;
  if (!dense) batch.added.num_terms = 12;
  OwnedDenseRows rows = {12, {}};
  for (int d = first; d < first + count; ++d) {
    batch.added_ids.push_back(absl::StrCat("document ", d));
    rows.values.resize(12 * batch.added_ids.size());
    for (int term = 0; term < 12; ++term) {
      if ((d * 7 + term * term * 5) % 11 > 3) continue;
      const float weight = static_cast<float>(1 + (d + term) % 3);
      rows.values[rows.values.size() - 12 + term] = weight;
      if (dense) continue;
      batch.added.terms.push_back(term);
      batch.added.weights.push_back(weight);
    }
    if (dense) continue;
    batch.added.offsets.push_back(
        static_cast<int64_t>(batch.added.terms.size()));
  }
  if (dense) batch.added_rows = MakeDenseDocuments(std::move(rows));
  return batch;
}

// The folder of the changed store, and what its files were before.
struct Store {
  bool dense = false;
  std::string folder;
  std::string bytes;
  std::string commits;
  // Bytes that belong to values.
  std::vector<size_t> covered;
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The places of the values of all records in the file.
std::vector<size_t> CoveredBytes(const Store& store) {
  LmdbEnvironment::Options options;
  options.read_only = true;
  auto environment =
      LmdbEnvironment::Open(store.folder, warpclust::kPccTableNames, options);
  Require(environment.ok());
  auto transaction = environment->Begin(/*write=*/false);
  Require(transaction.ok());
  std::vector<size_t> covered;
  for (int table = 0; table < warpclust::kNumTables; ++table) {
    const absl::Status read = transaction->ForEachRaw(
        table, "",
        [&](absl::string_view,
            absl::string_view value) -> absl::StatusOr<bool> {
          // Shorter ones may be found elsewhere.
          if (value.size() < 8) return true;
          for (size_t at = store.bytes.find(std::string(value));
               at != std::string::npos;
               at = store.bytes.find(std::string(value), at + 1)) {
            for (size_t i = 0; i < value.size(); ++i) covered.push_back(at + i);
          }
          return true;
        });
    Require(read.ok());
  }
  std::sort(covered.begin(), covered.end());
  return covered;
}

const Store& SoundStore(bool dense) {
  const auto make = [](bool of_rows) {
    auto* made = new Store;
    made->dense = of_rows;
    made->folder =
        absl::StrCat(warpclust::FuzzFolder(), of_rows ? "/dense" : "/store");
    {
      warpclust::DClustRStoreOptions options;
      if (!of_rows) options.weighting = warpclust::Weighting::kTfIdf;
      options.beta = {5, 10};
      auto collection = DClustRCollection::Create(made->folder, options);
      Require(collection.ok());
      Require(collection->Update(Batch(0, 30, of_rows), RunOptions()).ok());
      DClustRBatch change = Batch(30, 8, of_rows);
      change.removed_ids = {"document 3", "document 4", "document 17"};
      Require(collection->Update(change, RunOptions()).ok());
      Require(collection->Verify(RunOptions()).ok());
    }
    made->bytes = ReadFile(made->folder + "/data.mdb");
    made->commits = ReadFile(made->folder + "/commits");
    made->covered = CoveredBytes(*made);
    Require(!made->covered.empty());
    return made;
  };
  static const Store* const sparse_store = make(false);
  static const Store* const dense_store = make(true);
  return dense ? *dense_store : *sparse_store;
}

void WriteFile(const Store& store, const std::string& bytes) {
  std::ofstream(store.folder + "/commits", std::ios::binary | std::ios::trunc)
      << store.commits;
  std::ofstream(store.folder + "/data.mdb", std::ios::binary | std::ios::trunc)
      << bytes;
}

// Makes the checksums of a segment of rows right, if it has the form of one
// (graph/pcc_store/pcc_segment.h).
void Seal(absl::string_view key, std::string* value) {
  if (value->size() < 24) return;
  const size_t directory = warpclust::LoadLittle32(value->data() + 16);
  const size_t rows = warpclust::LoadLittle32(value->data() + 20);
  const size_t blocks = (rows + 4095) / 4096;
  const size_t head = 24 + directory + 4 * blocks;
  if (value->size() != head + rows) return;
  const absl::string_view view = *value;
  for (size_t block = 0; block < blocks; ++block) {
    warpclust::StoreLittle32(
        warpclust::Crc32c(view.substr(head + 4096 * block, 4096)),
        &(*value)[24 + directory + 4 * block]);
  }
  warpclust::StoreLittle32(
      warpclust::Crc32c(view.substr(4, head - 4), warpclust::Crc32c(key)),
      &(*value)[0]);
}

void ChangeRecord(LmdbTransaction* transaction, Input* input) {
  const int table = input->Byte() % warpclust::kNumTables;
  const bool is_raw = table == warpclust::kRows;
  std::vector<std::pair<std::string, std::string>> records;
  const auto keep = [&](absl::string_view key,
                        absl::string_view value) -> absl::StatusOr<bool> {
    records.emplace_back(std::string(key), std::string(value));
    return true;
  };
  const absl::Status read = is_raw ? transaction->ForEachRaw(table, "", keep)
                                   : transaction->ForEach(table, "", keep);
  if (!read.ok() || records.empty()) return;
  auto& [key, value] = records[input->Byte() % records.size()];
  const uint8_t operation = input->Byte();
  const size_t at = input->Byte() % (value.size() + 1);
  switch (operation % 5) {
    case 0:  // Other bytes.
      value.replace(at, operation / 5 % 8 + 1,
                    input->Bytes(operation / 5 % 8 + 1));
      break;
    case 1:
      value.resize(at);
      break;
    case 2:
      value.insert(at, input->Bytes(operation / 5 % 8 + 1));
      break;
    case 3:
      (void)transaction->Delete(table, key);
      return;
    default:  // Under another key.
      if (!key.empty()) key.back() = static_cast<char>(input->Byte());
      break;
  }
  if (is_raw) {
    Seal(key, &value);
    (void)transaction->PutRaw(table, key, {value});
  } else {
    (void)transaction->Put(table, key, value);
  }
}

void ChangeRecords(const Store& store, Input* input) {
  WriteFile(store, store.bytes);
  LmdbEnvironment::Options options;
  options.sync = false;
  auto environment =
      LmdbEnvironment::Open(store.folder, warpclust::kPccTableNames, options);
  Require(environment.ok());
  auto transaction = environment->Begin(/*write=*/true);
  Require(transaction.ok());
  for (int i = 0; i < 4 && !input->empty(); ++i) {
    ChangeRecord(&*transaction, input);
  }
  Require(transaction->Commit().ok());
}

void ChangeFile(const Store& store, Input* input) {
  std::string bytes = store.bytes;
  if (input->Byte() % 8 == 0) bytes.resize(input->Number() % bytes.size());
  for (int i = 0; i < 16 && !input->empty() && !bytes.empty(); ++i) {
    const size_t at = store.covered[input->Number() % store.covered.size()];
    if (at < bytes.size()) bytes[at] = static_cast<char>(input->Byte());
  }
  WriteFile(store, bytes);
}

// Whether the store says that it has so many terms that their weights take
// gigabytes: as others may have, too.
bool HasTooManyTerms(const std::string& folder) {
  LmdbEnvironment::Options options;
  options.read_only = true;
  auto environment =
      LmdbEnvironment::Open(folder, warpclust::kPccTableNames, options);
  if (!environment.ok()) return false;
  auto transaction = environment->Begin(/*write=*/false);
  if (!transaction.ok()) return false;
  const auto documents = warpclust::DocumentStore::Open(&*transaction);
  return documents.ok() && documents->num_terms() > 1 << 24;
}

void Use(const Store& store) {
  if (HasTooManyTerms(store.folder)) return;
  auto collection = DClustRCollection::Open(store.folder);
  if (!collection.ok()) return;
  const bool sound = collection->Verify(RunOptions()).ok();
  const bool is_read = collection->Read(1).ok();
  Require(!sound || is_read);
  DClustRBatch batch = Batch(100, 3, store.dense);
  batch.removed_ids = {"document 5"};
  (void)collection->Update(batch, RunOptions());
  (void)collection->Terms();
  (void)collection->ReadDocuments(1);
  (void)collection->ReadRows(1);
  (void)collection->Reweight(RunOptions());
  (void)collection->Read(1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const uint8_t what = input.Byte();
  const Store& store = SoundStore(/*dense=*/what % 16 >= 14);
  if (what % 2 == 0) {
    ChangeRecords(store, &input);
  } else {
    ChangeFile(store, &input);
  }
  Use(store);
  return 0;
}
