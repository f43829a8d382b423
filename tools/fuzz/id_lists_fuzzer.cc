// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a list of names or numbers, or as an input of unknown format. A
// list must have the items of its lines, each once.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/files/point_numbers.h"
#include "base/io/lines/line_reader.h"
#include "sparse/io/id_lists.h"
#include "tools/input/input_format.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> Lines(absl::string_view text) {
  warpclust::LineReader reader =
      warpclust::LineReader::FromString(std::string(text));
  std::vector<std::string> lines;
  absl::string_view line;
  while (reader.Next(&line)) lines.emplace_back(line);
  return lines;
}

void CheckLists(const std::string& path, absl::string_view text) {
  const std::vector<std::string> lines = Lines(text);
  const auto names =
      warpclust::ReadIds(path, static_cast<int64_t>(lines.size()));
  if (names.ok()) {
    Require(*names == lines);
    Require(std::set<std::string>(lines.begin(), lines.end()).size() ==
            lines.size());
    Require(!warpclust::ReadIds(path, lines.size() + 1).ok());
  }
  const auto list = warpclust::ReadIdList(path);
  if (list.ok()) {
    Require(list->ids.size() == list->lines.size());
    for (size_t i = 0; i < list->ids.size(); ++i) {
      Require(lines[list->lines[i] - 1] == list->ids[i]);
      Require(i == 0 || list->lines[i - 1] < list->lines[i]);
    }
  }
  constexpr int64_t kPoints = 1000;
  const auto numbers = warpclust::ReadPointNumbers(path, kPoints);
  if (numbers.ok()) {
    std::vector<bool> seen(kPoints, false);
    for (const int32_t number : *numbers) {
      Require(number >= 0 && number < kPoints && !seen[number]);
      seen[number] = true;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const int file = memfd_create("fuzz", 0);
  Require(file >= 0);
  Require(write(file, data, size) == static_cast<ssize_t>(size));
  const std::string path = absl::StrCat("/proc/self/fd/", file);
  CheckLists(path, text);
  for (const bool edges_allowed : {false, true}) {
    const auto format = warpclust::DetectInputFormat(path, edges_allowed);
    if (!format.ok()) continue;
    Require(edges_allowed || *format != warpclust::InputFormat::kEdges);
    const auto again =
        warpclust::ParseInputFormat(warpclust::InputFormatName(*format));
    Require(again.ok() && *again == *format);
  }
  close(file);
  return 0;
}
