// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/text_directory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
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

// What is in one directory.
struct Listing {
  std::vector<std::string> documents;
  std::vector<std::string> directories;
  absl::Status status;
};

// Paths of directories begin with `path`, those of documents behind the first
// `root_size` bytes of it. Both ascend, as the documents below them do.
Listing List(const std::string& path, size_t root_size) {
  Listing listing;
  std::error_code error;
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string& name = entry->path().native();
    std::error_code of_entry;
    if (!entry->is_symlink(of_entry) && entry->is_directory(of_entry)) {
      listing.directories.push_back(name);
    }
    if (!IsTextDocumentName(name)) continue;
    of_entry.clear();
    const bool is_file = entry->is_regular_file(of_entry);
    // A link may lead to nothing; behind one without permission, a document
    // would be lost silently.
    if (of_entry && of_entry != std::errc::no_such_file_or_directory &&
        of_entry != std::errc::not_a_directory) {
      listing.status = ReadError(name, "file", of_entry);
      return listing;
    }
    if (!of_entry && is_file) {
      listing.documents.push_back(name.substr(root_size));
    }
  }
  if (error) listing.status = ReadError(path, "directory", error);
  std::sort(listing.documents.begin(), listing.documents.end());
  std::sort(listing.directories.begin(), listing.directories.end(),
            [](const std::string& a, const std::string& b) {
              return absl::StrCat(a, "/") < absl::StrCat(b, "/");
            });
  return listing;
}

// The paths of all documents below `root`, relative to it.
absl::StatusOr<std::vector<std::string>> FindDocuments(absl::string_view root,
                                                       int num_threads) {
  const size_t root_size = (fs::path(std::string(root)) / "").native().size();
  std::vector<std::string> found;
  // Those that are equally deep are listed side by side.
  std::vector<std::string> directories = {std::string(root)};
  while (!directories.empty()) {
    const auto count = static_cast<int64_t>(directories.size());
    std::vector<Listing> listings(count);
#pragma omp parallel for num_threads(ThreadsFor(count, 1, num_threads)) \
    schedule(dynamic, 1)
    for (int64_t d = 0; d < count; ++d) {
      listings[d] = List(directories[d], root_size);
    }
    directories.clear();
    for (Listing& listing : listings) {
      RETURN_IF_ERROR(listing.status);
      std::move(listing.documents.begin(), listing.documents.end(),
                std::back_inserter(found));
      std::move(listing.directories.begin(), listing.directories.end(),
                std::back_inserter(directories));
    }
  }
  if (!std::is_sorted(found.begin(), found.end())) {
    std::sort(found.begin(), found.end());
  }
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
  ASSIGN_OR_RETURN(std::vector<std::string> found,
                   FindDocuments(path, num_threads));
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
