// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a journal, and a sound journal with some of its bytes changed,
// cut or followed by others: reading ends, what is read is what was written
// where the bytes are as they were, and the journal can be gone on with.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "third_party/fuzz_folder.h"
#include "tools/stream/online_journal.h"

namespace {

using warpclust::OnlineJournal;

void Require(bool condition) {
  if (!condition) std::abort();
}

const std::string& Path() {
  static const auto* const path =
      new std::string(absl::StrCat(warpclust::FuzzFolder(), "/journal"));
  return *path;
}

OnlineJournal::Record MakeRecord(int64_t before) {
  OnlineJournal::Record record;
  record.documents_before = before;
  record.documents = 2;
  record.lines =
      absl::StrCat("{\"text\": \"document ", before, "\"}\n", "{}\n");
  return record;
}

const std::string& SoundJournal() {
  static const auto* const bytes = [] {
    {
      absl::StatusOr<OnlineJournal> journal = OnlineJournal::Open(Path());
      Require(journal.ok() && journal->Begin(3).ok());
      Require(journal->Append(MakeRecord(0)).ok());
      Require(journal->Append(MakeRecord(2)).ok());
    }
    std::ifstream file(Path(), std::ios::binary);
    return new std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return *bytes;
}

// Reads all records, then appends one and finds it again.
void Use() {
  int64_t records = 0;
  {
    absl::StatusOr<OnlineJournal> journal = OnlineJournal::Open(Path());
    if (!journal.ok()) return;
    OnlineJournal::Record record;
    for (;;) {
      const absl::StatusOr<bool> read = journal->Read(&record);
      if (!read.ok()) return;
      if (!*read) break;
      ++records;
    }
    if (journal->generation() == 0) return;
    Require(journal->Append(MakeRecord(1000)).ok());
  }
  absl::StatusOr<OnlineJournal> journal = OnlineJournal::Open(Path());
  Require(journal.ok());
  OnlineJournal::Record record;
  for (; records >= 0; --records) {
    const absl::StatusOr<bool> read = journal->Read(&record);
    Require(read.ok() && *read);
  }
  Require(record.documents_before == 1000 &&
          record.lines == MakeRecord(1000).lines);
  Require(!*journal->Read(&record));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string bytes = SoundJournal();
  const std::string input(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 3) {
    case 0:
      bytes = input;
      break;
    case 1:  // Places and what stands there instead.
      for (size_t i = 0; i + 1 < input.size(); i += 2) {
        bytes[static_cast<uint8_t>(input[i]) % bytes.size()] = input[i + 1];
      }
      break;
    default:  // Cut, and gone on with.
      if (!input.empty()) {
        bytes.resize(static_cast<uint8_t>(input[0]) % (bytes.size() + 1));
        bytes += input.substr(1);
      }
      break;
  }
  std::ofstream(Path(), std::ios::binary | std::ios::trunc) << bytes;
  Use();
  return 0;
}
