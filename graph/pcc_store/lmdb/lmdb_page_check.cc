// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/lmdb/lmdb_page_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// A page: its number, 2 bytes of padding, flags, then where its free space
// begins and ends (of a long value: how many pages), then the offsets of its
// nodes.
constexpr uint64_t kHeadBytes = 16;
constexpr uint16_t kBranch = 1;
constexpr uint16_t kLeaf = 2;
constexpr uint16_t kLong = 4;
constexpr uint16_t kDirty = 0x10;
// A node: 4 bytes of the size of its value (or, in a branch, 6 of the page
// below), flags, the size of its key, key, value.
constexpr uint64_t kNodeBytes = 8;
constexpr uint16_t kLongValue = 1;
constexpr uint16_t kTree = 2;
constexpr uint64_t kMaxKeyBytes = 511;
// A tree: 4 bytes, flags, depth, four counters, the number of its root.
constexpr uint64_t kTreeBytes = 48;
constexpr uint64_t kNoRoot = ~uint64_t{0};
constexpr int kMaxDepth = 31;
// Flags of a tree: keys that are numbers (those of free pages), other orders,
// several values a key.
constexpr uint16_t kIntegerKeys = 8;
constexpr uint16_t kTreeFlags = 0x7E;
// The first two pages hold, behind their heads: 24 bytes, two trees (of free
// pages, and of tables), the last page, the transaction.
constexpr uint64_t kFirstTree = kHeadBytes + 24;

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

enum class Kind { kFreePages, kTables, kTable };

class PageChecker {
 public:
  PageChecker(int file, uint64_t page_bytes)
      : file_(file), page_bytes_(page_bytes) {}

  absl::Status Check(uint64_t transaction) {
    struct stat file;
    if (fstat(file_, &file) != 0) return Broken(0, "the file has no size");
    const uint64_t file_pages =
        static_cast<uint64_t>(file.st_size) / page_bytes_;
    std::string page;
    for (uint64_t meta : {0, 1}) {
      absl::Status status = Read(meta, page_bytes_, &page);
      if (!status.ok()) return status;
      const char* const trees = page.data() + kFirstTree;
      if (Load<uint64_t>(trees + 2 * kTreeBytes + 8) != transaction) continue;
      last_page_ = Load<uint64_t>(trees + 2 * kTreeBytes);
      // Free pages at the end may not be there.
      seen_.assign(std::min(last_page_ + 1, file_pages), false);
      RETURN_IF_ERROR(CheckTree(trees, Kind::kFreePages));
      status = CheckTree(trees + kTreeBytes, Kind::kTables);
      return status.ok() ? CheckFreePages() : status;
    }
    return absl::DataLossError(
        absl::StrCat("no page knows of transaction ", transaction));
  }

 private:
  static absl::Status Broken(uint64_t page, absl::string_view what) {
    return absl::DataLossError(
        absl::StrCat("page ", page, " is damaged: ", what));
  }

  absl::Status Read(uint64_t page, uint64_t bytes, std::string* out) const {
    out->resize(bytes);
    const ssize_t found = pread(file_, out->data(), bytes,
                                static_cast<off_t>(page * page_bytes_));
    if (found == static_cast<ssize_t>(bytes)) return absl::OkStatus();
    return Broken(page, "it cannot be read");
  }

  // Takes `pages` pages from `page` on, once.
  absl::Status Take(uint64_t page, uint64_t pages) {
    if (page < 2 || page >= seen_.size() || pages > seen_.size() - page) {
      return absl::DataLossError(absl::StrCat("expected a page from 2 to ",
                                              seen_.size() - 1,
                                              ", found number ", page));
    }
    for (uint64_t p = page; p < page + pages; ++p) {
      if (seen_[p]) return Broken(p, "it is in two places");
      seen_[p] = true;
    }
    return absl::OkStatus();
  }

  absl::Status CheckTree(const char* tree, Kind kind) {
    const uint64_t root = Load<uint64_t>(tree + 40);
    const int flags = Load<uint16_t>(tree + 4) & kTreeFlags;
    const int depth = Load<uint16_t>(tree + 6);
    if (flags != (kind == Kind::kFreePages ? kIntegerKeys : 0)) {
      return absl::DataLossError(
          absl::StrCat("a tree is damaged: found flags ", flags));
    }
    if (root == kNoRoot) return absl::OkStatus();
    if (depth < 1 || depth > kMaxDepth) {
      return Broken(root, "its tree has no depth");
    }
    return CheckPage(root, depth, kind);
  }

  // The tree below a page, `depth` pages high.
  absl::Status CheckPage(uint64_t number, int depth, Kind kind) {
    RETURN_IF_ERROR(Take(number, 1));
    std::string page;
    RETURN_IF_ERROR(Read(number, page_bytes_, &page));
    const uint16_t flags = Load<uint16_t>(page.data() + 10) & ~kDirty;
    const uint64_t lower = Load<uint16_t>(page.data() + 12);
    const uint64_t upper = Load<uint16_t>(page.data() + 14);
    const bool is_leaf = depth == 1;
    if (Load<uint64_t>(page.data()) != number ||
        flags != (is_leaf ? kLeaf : kBranch)) {
      return Broken(number, "it is of another kind");
    }
    if (lower < kHeadBytes || lower % 2 != 0 || lower > upper ||
        upper > page_bytes_) {
      return Broken(number, "its bounds are none");
    }
    RETURN_IF_ERROR(CheckRoom(number, page, lower, upper, is_leaf));
    const uint64_t nodes = (lower - kHeadBytes) / 2;
    if (kind != Kind::kFreePages && nodes < (is_leaf ? 1 : 2)) {
      return Broken(number, "it has too few entries");
    }
    for (uint64_t i = 0; i < nodes; ++i) {
      const uint64_t at = Load<uint16_t>(page.data() + kHeadBytes + 2 * i);
      const uint64_t key_bytes = Load<uint16_t>(page.data() + at + 6);
      const uint64_t value_at = at + kNodeBytes + key_bytes;
      // Transactions; the first entry of a branch needs no key.
      if (kind == Kind::kFreePages && (is_leaf || i > 0) && key_bytes != 8) {
        return Broken(number, "a key is no transaction");
      }
      RETURN_IF_ERROR(
          is_leaf ? CheckValue(number, page, at, value_at, kind)
                  : CheckPage(Load<uint32_t>(page.data() + at) |
                                  uint64_t{Load<uint16_t>(page.data() + at + 4)}
                                      << 32,
                              depth - 1, kind));
    }
    return absl::OkStatus();
  }

  // Whether the nodes fill the page from `upper` to its end, as LMDB, which
  // moves all that lie before one that goes, takes for granted.
  absl::Status CheckRoom(uint64_t number, const std::string& page,
                         uint64_t lower, uint64_t upper, bool is_leaf) const {
    std::vector<std::pair<uint64_t, uint64_t>> rooms;
    for (uint64_t entry = kHeadBytes; entry < lower; entry += 2) {
      const uint64_t at = Load<uint16_t>(page.data() + entry);
      if (at < upper || at % 2 != 0 || at + kNodeBytes > page_bytes_) {
        return Broken(number, "an entry is outside of it");
      }
      const uint64_t key_bytes = Load<uint16_t>(page.data() + at + 6);
      if (key_bytes > kMaxKeyBytes ||
          at + kNodeBytes + key_bytes > page_bytes_) {
        return Broken(number, "a key is outside of it");
      }
      const uint64_t value_bytes =
          !is_leaf ? 0
          : Load<uint16_t>(page.data() + at + 4) == kLongValue
              ? 8
              : Load<uint32_t>(page.data() + at);
      rooms.emplace_back(at,
                         (kNodeBytes + key_bytes + value_bytes + 1) / 2 * 2);
    }
    std::sort(rooms.begin(), rooms.end());
    uint64_t next = upper;
    for (const auto& [at, bytes] : rooms) {
      if (at != next) return Broken(number, "its entries lie in one another");
      next = at + bytes;
    }
    return next == page_bytes_ ? absl::OkStatus()
                               : Broken(number, "its entries do not fill it");
  }

  absl::Status CheckValue(uint64_t number, const std::string& page, uint64_t at,
                          uint64_t value_at, Kind kind) {
    const uint64_t bytes = Load<uint32_t>(page.data() + at);
    const uint16_t flags = Load<uint16_t>(page.data() + at + 4);
    if (flags != 0 && flags != kLongValue &&
        !(flags == kTree && kind == Kind::kTables && bytes == kTreeBytes)) {
      return Broken(number, "an entry is of an unknown kind");
    }
    const char* const value = page.data() + value_at;
    if (flags == kTree) return CheckTree(value, Kind::kTable);
    if (flags == 0) {
      return kind == Kind::kFreePages ? TakeFreePages(number, value, bytes)
                                      : absl::OkStatus();
    }
    const uint64_t first = Load<uint64_t>(value);
    if (first < 2 || first >= seen_.size()) {
      return Broken(number, "a long value is nowhere");
    }
    std::string head;
    absl::Status status = Read(first, kHeadBytes, &head);
    if (!status.ok()) return status;
    const uint64_t pages = Load<uint32_t>(head.data() + 12);
    if (Load<uint64_t>(head.data()) != first ||
        (Load<uint16_t>(head.data() + 10) & ~kDirty) != kLong ||
        pages * page_bytes_ < kHeadBytes + bytes) {
      return Broken(first, "it is no long value");
    }
    status = Take(first, pages);
    if (!status.ok() || kind != Kind::kFreePages) return status;
    std::string list;
    RETURN_IF_ERROR(Read(first, kHeadBytes + bytes, &list));
    return TakeFreePages(first, list.data() + kHeadBytes, bytes);
  }

  // A list of free pages: how many, and their numbers.
  absl::Status TakeFreePages(uint64_t number, const char* list,
                             uint64_t bytes) {
    const uint64_t count = bytes < 8 ? ~uint64_t{0} : Load<uint64_t>(list);
    if (bytes < 8 || count > bytes / 8 - 1) {
      return Broken(number, "a list of free pages has no end");
    }
    for (uint64_t i = 1; i <= count; ++i) {
      const uint64_t free = Load<uint64_t>(list + 8 * i);
      if (free < 2 || free > last_page_) {
        return Broken(number, "a free page is none");
      }
      free_.push_back(free);
    }
    return absl::OkStatus();
  }

  // Whether no page is free that is in a tree, or free twice: LMDB would write
  // over it.
  absl::Status CheckFreePages() {
    std::sort(free_.begin(), free_.end());
    for (size_t i = 0; i < free_.size(); ++i) {
      if (free_[i] < seen_.size() && seen_[free_[i]]) {
        return Broken(free_[i], "it is in use and free");
      }
      if (i > 0 && free_[i] == free_[i - 1]) {
        return Broken(free_[i], "it is free twice");
      }
    }
    return absl::OkStatus();
  }

  const int file_;
  const uint64_t page_bytes_;
  uint64_t last_page_ = 0;
  // The pages of the file that were met in a tree.
  std::vector<bool> seen_;
  std::vector<uint64_t> free_;
};

// What the head of page 0 or 1 says, behind kHeadBytes.
constexpr uint16_t kHead = 8;
constexpr uint32_t kMagic = 0xbeefc0de;
constexpr uint64_t kHeadEnd = kFirstTree + 2 * kTreeBytes + 16;

}  // namespace

absl::Status CheckLmdbHeads(int file, uint64_t most_bytes) {
  if (sizeof(size_t) != 8) return absl::OkStatus();
  uint64_t first_page_bytes = 0;
  for (const int page : {0, 1}) {
    char head[kHeadEnd];
    // LMDB says itself that a file is too short, or not its own.
    if (pread(file, head, kHeadEnd,
              static_cast<off_t>(page * first_page_bytes)) != kHeadEnd ||
        (Load<uint16_t>(head + 10) & kHead) == 0 ||
        Load<uint32_t>(head + kHeadBytes) != kMagic) {
      return absl::OkStatus();
    }
    const char* const trees = head + kFirstTree;
    const uint64_t page_bytes = Load<uint32_t>(trees);
    if (page_bytes < 512 || page_bytes > 65536 ||
        (page_bytes & (page_bytes - 1)) != 0 ||
        (page == 1 && page_bytes != first_page_bytes)) {
      return absl::DataLossError(absl::StrCat(
          "page ", page, " is damaged: pages of ", page_bytes, " bytes"));
    }
    first_page_bytes = page_bytes;
    const uint64_t last_page = Load<uint64_t>(trees + 2 * kTreeBytes);
    if (last_page >= most_bytes / page_bytes) {
      return absl::DataLossError(
          absl::StrCat("page ", page, " is damaged: a last page ", last_page));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckLmdbPages(int file, uint64_t page_bytes,
                            uint64_t transaction) {
  if (sizeof(size_t) != 8) return absl::OkStatus();
  return PageChecker(file, page_bytes).Check(transaction);
}

}  // namespace warpclust
