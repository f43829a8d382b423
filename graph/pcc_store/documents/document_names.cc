// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/document_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/io/line_reader.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace {

// One stable hash for all machines and releases (FNV-1a, then the finalizer of
// splitmix64, since FNV's high bits, which order the keys, mix slowly).
uint64_t HashOf(absl::string_view id) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : id) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

std::string HashKey(uint64_t hash) {
  return LmdbKey(static_cast<uint32_t>(hash >> 32),
                 static_cast<uint32_t>(hash));
}

std::string VertexKey(int32_t vertex) {
  return LmdbKey(static_cast<uint32_t>(vertex));
}

absl::Status Broken(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the store's ids are broken: ", what));
}

// The vertices of one hash.
absl::StatusOr<std::vector<uint32_t>> VerticesOfHash(
    const LmdbTransaction& transaction, absl::string_view key) {
  ASSIGN_OR_RETURN(absl::optional<absl::string_view> value,
                   transaction.Get(kIds, key));
  std::vector<uint32_t> vertices;
  if (!value.has_value()) return vertices;
  absl::string_view bytes = *value;
  if (!ReadNumberList(&bytes, &vertices) || !bytes.empty()) {
    return Broken("a list of vertices is cut short");
  }
  return vertices;
}

absl::Status PutVerticesOfHash(LmdbTransaction* transaction,
                               absl::string_view key,
                               const std::vector<uint32_t>& vertices) {
  if (vertices.empty()) return transaction->Delete(kIds, key);
  std::string bytes;
  AppendNumberList(vertices, &bytes);
  return transaction->Put(kIds, key, bytes);
}

absl::StatusOr<absl::string_view> NameOf(const LmdbTransaction& transaction,
                                         int32_t vertex) {
  ASSIGN_OR_RETURN(absl::optional<absl::string_view> name,
                   transaction.Get(kNames, VertexKey(vertex)));
  if (!name.has_value()) {
    return absl::NotFoundError(absl::StrCat("vertex ", vertex, " has no id"));
  }
  return *name;
}

// Ids with their hashes, in the order of the hashes: keys are then written from
// one end of the table to the other, a page after the next.
std::vector<std::pair<uint64_t, int32_t>> ByHash(
    absl::Span<const std::string> ids) {
  std::vector<std::pair<uint64_t, int32_t>> order;
  order.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    order.emplace_back(HashOf(ids[i]), static_cast<int32_t>(i));
  }
  std::sort(order.begin(), order.end());
  return order;
}

absl::Status RepeatedId(absl::string_view id, absl::string_view found) {
  return absl::InvalidArgumentError(
      absl::StrCat("document ", QuoteInput(id),
                   ": expected an id that is new, found one ", found));
}

}  // namespace

absl::StatusOr<absl::optional<int32_t>> DocumentNames::Find(
    absl::string_view id) const {
  ASSIGN_OR_RETURN(std::vector<uint32_t> vertices,
                   VerticesOfHash(*transaction_, HashKey(HashOf(id))));
  for (uint32_t vertex : vertices) {
    absl::StatusOr<absl::string_view> name =
        NameOf(*transaction_, static_cast<int32_t>(vertex));
    if (!name.ok()) return Broken(name.status().message());
    if (*name == id) {
      return absl::optional<int32_t>(static_cast<int32_t>(vertex));
    }
  }
  return absl::optional<int32_t>();
}

absl::Status DocumentNames::Add(int32_t first_vertex,
                                absl::Span<const std::string> ids) {
  const std::vector<std::pair<uint64_t, int32_t>> order = ByHash(ids);
  // Of all ids that cannot be, the first one in the caller's order.
  int32_t repeated = -1;
  bool is_present = false;
  for (size_t i = 0; i < order.size(); ++i) {
    const int32_t added = order[i].second;
    if (repeated >= 0 && added > repeated) continue;
    const std::string& id = ids[added];
    ASSIGN_OR_RETURN(absl::optional<int32_t> present, Find(id));
    bool is_double = false;
    for (size_t j = i; j > 0 && order[j - 1].first == order[i].first; --j) {
      is_double |= ids[order[j - 1].second] == id;
    }
    if (!present.has_value() && !is_double) continue;
    repeated = added;
    is_present = present.has_value();
  }
  if (repeated >= 0) {
    absl::Status status =
        RepeatedId(ids[repeated],
                   is_present ? "of the collection" : "that is added twice");
    status.SetPayload(kIdPlacePayload, absl::Cord(absl::StrCat(repeated)));
    return status;
  }
  for (const auto& [hash, i] : order) {
    const std::string key = HashKey(hash);
    ASSIGN_OR_RETURN(std::vector<uint32_t> vertices,
                     VerticesOfHash(*transaction_, key));
    vertices.push_back(static_cast<uint32_t>(first_vertex + i));
    RETURN_IF_ERROR(PutVerticesOfHash(transaction_, key, vertices));
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    RETURN_IF_ERROR(transaction_->Put(
        kNames, VertexKey(first_vertex + static_cast<int32_t>(i)), ids[i]));
  }
  return absl::OkStatus();
}

absl::Status DocumentNames::Remove(absl::Span<const int32_t> vertices) {
  ASSIGN_OR_RETURN(std::vector<std::string> ids, Ids(vertices));
  for (const auto& [hash, i] : ByHash(ids)) {
    const std::string key = HashKey(hash);
    ASSIGN_OR_RETURN(std::vector<uint32_t> same,
                     VerticesOfHash(*transaction_, key));
    const auto found =
        std::find(same.begin(), same.end(), static_cast<uint32_t>(vertices[i]));
    if (found == same.end()) {
      return Broken(
          absl::StrCat("vertex ", vertices[i], " is not found by its id"));
    }
    same.erase(found);
    RETURN_IF_ERROR(PutVerticesOfHash(transaction_, key, same));
  }
  for (int32_t vertex : vertices) {
    RETURN_IF_ERROR(transaction_->Delete(kNames, VertexKey(vertex)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> DocumentNames::Ids(
    absl::Span<const int32_t> vertices) const {
  std::vector<std::string> ids;
  ids.reserve(vertices.size());
  // Runs of neighbors are walked, not looked up one by one.
  size_t i = 0;
  while (i < vertices.size()) {
    const size_t begin = i;
    RETURN_IF_ERROR(transaction_->ForEach(
        kNames, VertexKey(vertices[i]),
        [&](absl::string_view key,
            absl::string_view name) -> absl::StatusOr<bool> {
          if (key != VertexKey(vertices[i])) return false;
          ids.emplace_back(name);
          return ++i < vertices.size();
        }));
    if (i == begin) {
      return absl::NotFoundError(
          absl::StrCat("vertex ", vertices[i], " has no id"));
    }
  }
  return ids;
}

absl::Status DocumentNames::Verify(absl::Span<const int32_t> vertices) const {
  size_t i = 0;
  RETURN_IF_ERROR(transaction_->ForEach(
      kNames, "",
      [&](absl::string_view key,
          absl::string_view name) -> absl::StatusOr<bool> {
        if (i == vertices.size() || key != VertexKey(vertices[i])) {
          return Broken(absl::StrCat("\"", name, "\" names no document"));
        }
        ASSIGN_OR_RETURN(absl::optional<int32_t> found, Find(name));
        if (found != vertices[i]) {
          return Broken(absl::StrCat("\"", name, "\" is not found"));
        }
        ++i;
        return true;
      }));
  if (i < vertices.size()) {
    return Broken(absl::StrCat("vertex ", vertices[i], " has no id"));
  }
  // Each vertex is in its list; as many entries in all: there is no other.
  size_t entries = 0;
  RETURN_IF_ERROR(transaction_->ForEach(
      kIds, "",
      [&](absl::string_view key, absl::string_view) -> absl::StatusOr<bool> {
        ASSIGN_OR_RETURN(std::vector<uint32_t> list,
                         VerticesOfHash(*transaction_, key));
        entries += list.size();
        return true;
      }));
  if (entries != vertices.size()) {
    return Broken(absl::StrCat("expected ", vertices.size(), " entries, found ",
                               entries));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
