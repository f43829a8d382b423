// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as the records of a saved state: what can be read is valid, and is
// written as the same bytes again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/state/online_state.h"
#include "tools/stream/online_records.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void ReadSnapshot(absl::string_view bytes) {
  const absl::StatusOr<warpclust::OnlineSnapshot> read =
      warpclust::ParseOnlineSnapshot(bytes);
  if (!read.ok()) return;
  Require(
      warpclust::ValidateOnlineState(read->clusters, read->documents()).ok());
  std::string again;
  warpclust::WriteOnlineSnapshot(*read, [&](absl::string_view part) {
    again.append(part.data(), part.size());
  });
  Require(again == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ReadSnapshot(bytes);
  // Behind the right version.
  const uint32_t version = 2;
  ReadSnapshot(
      std::string(reinterpret_cast<const char*>(&version), sizeof(version)) +
      bytes);
  const absl::StatusOr<warpclust::OnlineBlock> block =
      warpclust::ParseOnlineBlock(bytes);
  if (block.ok()) Require(warpclust::EncodeOnlineBlock(*block) == bytes);
  return 0;
}
