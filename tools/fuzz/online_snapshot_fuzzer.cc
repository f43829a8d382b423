// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a saved state, with a checksum that is right, so that the fields
// are reached: what is read is valid and is written back to the same bytes.

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/state/online_state.h"
#include "tools/stream/online_snapshot.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string raw(reinterpret_cast<const char*>(data), size);
  (void)warpclust::ParseOnlineSnapshot(raw);

  const uint32_t version = 1;
  std::string bytes = "WCONLINE";
  bytes.append(reinterpret_cast<const char*>(&version), sizeof(version));
  bytes += raw;
  const auto checksum = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  const absl::StatusOr<warpclust::OnlineSnapshot> read =
      warpclust::ParseOnlineSnapshot(bytes);
  if (!read.ok()) return 0;
  if (!warpclust::ValidateOnlineState(read->clusters).ok()) std::abort();
  std::string again;
  warpclust::WriteOnlineSnapshot(*read, [&](absl::string_view part) {
    again.append(part.data(), part.size());
  });
  if (again != bytes) std::abort();
  return 0;
}
