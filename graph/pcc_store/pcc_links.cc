// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccStore: links between PCCs, and the connected components that they form.

#include <algorithm>
#include <map>
#include <numeric>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stored_lists.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {
namespace {

using internal::DamagedStore;

constexpr uint32_t kListKind = 1;

std::string ListKey(int32_t label) {
  return LmdbKey(kListKind, static_cast<uint32_t>(label));
}

}  // namespace

absl::StatusOr<PccStore::Links> PccStore::LinksOf(int32_t component) {
  RETURN_IF_ERROR(CheckComponent(component));
  ASSIGN_OR_RETURN(
      const absl::optional<absl::string_view> record,
      records_->Get(kComponents,
                    LmdbKey(static_cast<uint32_t>(component), kLinksPart)));
  Links links;
  if (!record.has_value()) return links;
  absl::string_view bytes = *record;
  std::vector<int32_t> smaller;
  std::vector<int64_t> edges;
  if (!ReadIdList(&bytes, component, &smaller) || smaller.empty() ||
      !ReadCountList(&bytes, &edges) || edges.size() != smaller.size() ||
      std::count(edges.begin(), edges.end(), 0) > 0 || !bytes.empty()) {
    return DamagedStore(absl::StrCat("links of PCC ", component),
                        "a damaged list");
  }
  for (size_t i = 0; i < smaller.size(); ++i) {
    links.emplace_back(smaller[i], edges[i]);
  }
  return links;
}

absl::Status PccStore::SetLinks(int32_t component, const Links& links) {
  if (links.empty()) {
    records_->Delete(kComponents,
                     LmdbKey(static_cast<uint32_t>(component), kLinksPart));
    return absl::OkStatus();
  }
  std::vector<int32_t> smaller;
  std::vector<int64_t> edges;
  for (const auto& [component, num_edges] : links) {
    smaller.push_back(component);
    edges.push_back(num_edges);
  }
  std::string bytes;
  AppendIdList(smaller, &bytes);
  AppendCountList(edges, &bytes);
  records_->Put(kComponents,
                LmdbKey(static_cast<uint32_t>(component), kLinksPart),
                std::move(bytes));
  return absl::OkStatus();
}

absl::StatusOr<int32_t> PccStore::ConnectedComponentOf(int32_t component) {
  RETURN_IF_ERROR(CheckComponent(component));
  return labels_.Get(component);
}

absl::StatusOr<std::vector<int32_t>> PccStore::ComponentsOf(int32_t label) {
  ASSIGN_OR_RETURN(const int32_t own, ConnectedComponentOf(label));
  if (own != label) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected the label of a connected component, found PCC ",
                     label, " of component ", own));
  }
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> record,
                   records_->Get(kConnected, ListKey(label)));
  std::vector<int32_t> components = {label};
  if (!record.has_value()) return components;
  absl::string_view bytes = *record;
  if (!ReadIdList(&bytes, next_component(), &components) || !bytes.empty() ||
      components.size() < 2 || components[0] != label) {
    return DamagedStore(absl::StrCat("PCCs of connected component ", label),
                        "a damaged list");
  }
  return components;
}

absl::Status PccStore::SetComponentsOf(int32_t label,
                                       const std::vector<int32_t>& components) {
  for (const int32_t c : components) {
    ASSIGN_OR_RETURN(const int32_t old, labels_.Get(c));
    if (old == label) continue;
    RETURN_IF_ERROR(labels_.Set(c, label));
  }
  if (components.size() < 2) {
    records_->Delete(kConnected, ListKey(label));
    return absl::OkStatus();
  }
  std::string bytes;
  AppendIdList(components, &bytes);
  records_->Put(kConnected, ListKey(label), std::move(bytes));
  return absl::OkStatus();
}

absl::Status PccStore::JoinLabels(absl::Span<const int32_t> components) {
  // Joined labels as trees; the root of a tree is its smallest label.
  absl::flat_hash_map<int32_t, int32_t> parent;
  const auto root_of = [&parent](int32_t label) {
    auto at = parent.find(label);
    while (at != parent.end() && at->second != label) {
      label = at->second;
      at = parent.find(label);
    }
    return label;
  };
  for (const int32_t component : components) {
    ASSIGN_OR_RETURN(const Links links, LinksOf(component));
    for (const auto& link : links) {
      ASSIGN_OR_RETURN(const int32_t label, ConnectedComponentOf(link.first));
      const int32_t a = root_of(label);
      const int32_t b = root_of(component);
      if (a == b) continue;
      const int32_t low = std::min(a, b);
      parent[std::max(a, b)] = low;
      parent[low] = low;
      // Short paths: what was just asked for points at the root.
      parent[label] = low;
      parent[component] = low;
    }
  }
  std::map<int32_t, std::vector<int32_t>> joined;
  for (const auto& entry : parent) {
    joined[root_of(entry.first)].push_back(entry.first);
  }
  for (const auto& [root, labels] : joined) {
    std::vector<int32_t> all;
    for (const int32_t label : labels) {
      ASSIGN_OR_RETURN(const std::vector<int32_t> list, ComponentsOf(label));
      all.insert(all.end(), list.begin(), list.end());
      if (label != root) records_->Delete(kConnected, ListKey(label));
    }
    std::sort(all.begin(), all.end());
    RETURN_IF_ERROR(SetComponentsOf(root, all));
  }
  return absl::OkStatus();
}

absl::Status PccStore::Relabel(int32_t label, std::vector<int32_t> components) {
  std::sort(components.begin(), components.end());
  std::vector<int32_t> parent(components.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root_of = [&parent](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (size_t i = 0; i < components.size(); ++i) {
    ASSIGN_OR_RETURN(const Links links, LinksOf(components[i]));
    for (const auto& link : links) {
      const auto at =
          std::lower_bound(components.begin(), components.end(), link.first);
      if (at == components.end() || *at != link.first) {
        return DamagedStore("links inside a connected component",
                            absl::StrCat("one to PCC ", link.first));
      }
      const int32_t a = root_of(static_cast<int32_t>(i));
      const int32_t b = root_of(static_cast<int32_t>(at - components.begin()));
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  records_->Delete(kConnected, ListKey(label));
  std::map<int32_t, std::vector<int32_t>> parts;
  for (size_t i = 0; i < components.size(); ++i) {
    parts[components[root_of(static_cast<int32_t>(i))]].push_back(
        components[i]);
  }
  for (const auto& [root, part] : parts) {
    RETURN_IF_ERROR(SetComponentsOf(root, part));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
