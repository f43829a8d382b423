// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_directory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"
#include "base/io/line_reader.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "base/text/utf8.h"

namespace warpclust {
namespace {

namespace fs = std::filesystem;

absl::Status ReadError(absl::string_view path, absl::string_view expected,
                       std::error_code error) {
  const std::string message = absl::StrCat(
      path, ": expected a readable ", expected, " (", error.message(), ")");
  if (error == std::errc::no_such_file_or_directory) {
    return absl::NotFoundError(message);
  }
  if (error == std::errc::permission_denied) {
    return absl::PermissionDeniedError(message);
  }
  return absl::InvalidArgumentError(message);
}

// The paths of all documents below `root`, relative to it.
absl::StatusOr<std::vector<std::string>> FindDocuments(
    absl::string_view root_path) {
  const fs::path root{std::string(root_path)};
  // What all paths below begin with: comparing them part by part takes longer
  // than listing the directory.
  const size_t root_size = (root / "").native().size();
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(root, error);
  if (error) return ReadError(root_path, "directory", error);
  const fs::recursive_directory_iterator end;
  while (entry != end) {
    const std::string name = entry->path().filename().string();
    if (IsTextDocumentName(name)) {
      const bool is_file = entry->is_regular_file(error);
      // A link may lead to nothing; behind one without permission, a document
      // would be lost silently.
      if (error && error != std::errc::no_such_file_or_directory &&
          error != std::errc::not_a_directory) {
        return ReadError(entry->path().string(), "file", error);
      }
      if (!error && is_file) {
        found.push_back(entry->path().native().substr(root_size));
      }
    }
    const std::string here = entry->path().string();
    entry.increment(error);
    if (error) return ReadError(here, "directory", error);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Refuses control characters, and equal ids: two paths may differ only in
// ill-formed bytes.
absl::Status CheckIds(absl::string_view root,
                      const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    if (HasControlCharacter(id)) {
      return absl::InvalidArgumentError(absl::StrCat(
          root, ": expected a file name without control characters, found ",
          QuoteInput(id)));
    }
  }
  // They still ascend unless ill-formed bytes were replaced.
  if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) ==
      ids.end()) {
    return absl::OkStatus();
  }
  std::vector<std::string> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat(root, ": expected names that differ in UTF-8, found two ",
                     QuoteInput(*twice)));
  }
  return absl::OkStatus();
}

// The text of the file at `relative` below the directory.
absl::StatusOr<std::string> ReadText(absl::string_view directory,
                                     const std::string& relative) {
  ASSIGN_OR_RETURN(
      std::string text,
      ReadWholeFile((fs::path(std::string(directory)) / relative).string()));
  if (absl::StartsWith(text, "\xEF\xBB\xBF")) text.erase(0, 3);
  if (absl::Status status = CheckIsNotUtf16(text); !status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(directory, "/", relative, ": ", status.message()));
  }
  RepairUtf8(&text);
  return text;
}

}  // namespace

bool IsTextDocumentName(absl::string_view name) {
  return absl::EndsWithIgnoreCase(name, ".txt") ||
         absl::EndsWithIgnoreCase(name, ".txt.gz") ||
         absl::EndsWithIgnoreCase(name, ".txt.zst");
}

absl::StatusOr<TextDocuments> ReadTextDirectory(absl::string_view path,
                                                WorkShare* work,
                                                int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  ASSIGN_OR_RETURN(std::vector<std::string> found, FindDocuments(path));
  if (found.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": expected .txt, .txt.gz or .txt.zst files in the "
                     "directory, found none"));
  }
  if (found.size() > INT32_MAX) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": expected at most 2^31 - 1 documents, found ", found.size()));
  }
  const CountedWork counted(work, static_cast<int64_t>(found.size()));
  const int64_t count = static_cast<int64_t>(found.size());
  TextDocuments result;
  result.texts.resize(count);
  // The first file with an error, and the error.
  std::atomic<int64_t> first_bad = count;
  std::mutex mutex;
  absl::Status status;
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(dynamic, 8)
  for (int64_t i = 0; i < count; ++i) {
    if (i > first_bad) continue;
    absl::StatusOr<std::string> text = ReadText(path, found[i]);
    counted.Add(1);
    if (text.ok()) {
      result.texts[i] = *std::move(text);
      continue;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    if (i > first_bad) continue;
    first_bad = i;
    status = text.status();
  }
  RETURN_IF_ERROR(status);
  result.ids = std::move(found);
  for (std::string& id : result.ids) RepairUtf8(&id);
  RETURN_IF_ERROR(CheckIds(path, result.ids));
  result.labels.resize(result.texts.size());
  return result;
}

}  // namespace warpclust
