// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/document_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace {

// FNV-1a, then the finalizer of splitmix64, since FNV's high bits, which order
// the keys, mix slowly. The same on all machines and in all releases.
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
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> value,
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
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> name,
                   transaction.Get(kNames, VertexKey(vertex)));
  if (!name.has_value()) {
    return absl::NotFoundError(absl::StrCat("vertex ", vertex, " has no id"));
  }
  return *name;
}

// The hashes of the ids with their places, ascending: keys are then written
// from one end of the table to the other.
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

absl::Status RepeatedId(absl::string_view id, absl::string_view found,
                        size_t place) {
  absl::Status status = absl::InvalidArgumentError(
      absl::StrCat("document ", QuoteInput(id),
                   ": expected an id that is new, found one ", found));
  status.SetPayload(DocumentNames::kIdPlacePayload,
                    absl::Cord(absl::StrCat(place)));
  return status;
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
  absl::flat_hash_set<absl::string_view> added;
  for (size_t i = 0; i < ids.size(); ++i) {
    ASSIGN_OR_RETURN(const absl::optional<int32_t> present, Find(ids[i]));
    if (present.has_value()) return RepeatedId(ids[i], "of the collection", i);
    if (!added.insert(ids[i]).second) {
      return RepeatedId(ids[i], "that is added twice", i);
    }
  }
  for (const auto& [hash, i] : ByHash(ids)) {
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
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, Ids(vertices));
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
  // Consecutive vertices are walked, not looked up one by one.
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
          return Broken(absl::StrCat(QuoteInput(name), " names no document"));
        }
        ASSIGN_OR_RETURN(const absl::optional<int32_t> found, Find(name));
        if (found != vertices[i]) {
          return Broken(absl::StrCat(QuoteInput(name), " is not found"));
        }
        ++i;
        return true;
      }));
  if (i < vertices.size()) {
    return Broken(absl::StrCat("vertex ", vertices[i], " has no id"));
  }
  // Each vertex is in its list. So if there are as many entries, there are no
  // others.
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
    return Broken(absl::StrCat("expected ", vertices.size(),
                               " entries of hashes, found ", entries));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
