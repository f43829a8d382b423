// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/report/network_page.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/html/html_page.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/cluster_stability.h"
#include "eval/imbalance.h"
#include "graph/signed/signed_graph.h"
#include "tools/report/assets/report_assets.h"

namespace warpclust {
namespace {

// How a vertex is bound to clusters, in units of weight.
struct Bonds {
  int64_t own_positive = 0;
  int64_t own_negative = 0;
  int64_t all_positive = 0;
  int64_t all_negative = 0;
  // The other cluster in which the vertex would cost least; -1 if it has no
  // edge to another one.
  int32_t rival = -1;
  int64_t rival_positive = 0;
  int64_t rival_negative = 0;

  int64_t cost() const { return own_negative + all_positive - own_positive; }
};

std::vector<Bonds> FindBonds(const SignedGraph& graph,
                             absl::Span<const int32_t> labels,
                             int32_t num_clusters) {
  std::vector<Bonds> bonds(graph.num_vertices());
  std::vector<int64_t> positive(num_clusters);
  std::vector<int64_t> negative(num_clusters);
  std::vector<int32_t> met;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    Bonds& bond = bonds[v];
    const absl::Span<const int32_t> neighbors = graph.NeighborsOf(v);
    const absl::Span<const int64_t> weights = graph.WeightsOf(v);
    met.clear();
    for (size_t k = 0; k < neighbors.size(); ++k) {
      const int32_t cluster = labels[neighbors[k]];
      if (positive[cluster] == 0 && negative[cluster] == 0) {
        met.push_back(cluster);
      }
      (weights[k] > 0 ? positive : negative)[cluster] += std::abs(weights[k]);
    }
    std::sort(met.begin(), met.end());
    for (const int32_t cluster : met) {
      const int64_t attracts = positive[cluster];
      const int64_t repels = negative[cluster];
      positive[cluster] = negative[cluster] = 0;
      bond.all_positive += attracts;
      bond.all_negative += repels;
      if (cluster == labels[v]) {
        bond.own_positive = attracts;
        bond.own_negative = repels;
      } else if (bond.rival < 0 ||
                 attracts - repels >
                     bond.rival_positive - bond.rival_negative) {
        bond.rival = cluster;
        bond.rival_positive = attracts;
        bond.rival_negative = repels;
      }
    }
  }
  return bonds;
}

// The vertices that the page lists, ascending: those of largest cost, ties by
// number.
std::vector<int32_t> HeldVertices(const std::vector<Bonds>& bonds,
                                  int32_t most) {
  std::vector<int32_t> held(bonds.size());
  std::iota(held.begin(), held.end(), 0);
  if (held.size() <= static_cast<size_t>(most)) return held;
  std::nth_element(held.begin(), held.begin() + most, held.end(),
                   [&](int32_t a, int32_t b) {
                     return bonds[a].cost() != bonds[b].cost()
                                ? bonds[a].cost() > bonds[b].cost()
                                : a < b;
                   });
  held.resize(most);
  std::sort(held.begin(), held.end());
  return held;
}

struct EdgesAgainst {
  // Of the whole graph.
  int64_t total = 0;
  // The heaviest between held vertices; ties: those whose ends cost more.
  std::vector<SignedEdge> heaviest;
};

EdgesAgainst FindEdgesAgainst(const SignedGraph& graph,
                              absl::Span<const int32_t> labels,
                              const std::vector<Bonds>& bonds,
                              const std::vector<int32_t>& index, int32_t most) {
  EdgesAgainst against;
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    const absl::Span<const int32_t> neighbors = graph.NeighborsOf(u);
    const absl::Span<const int64_t> weights = graph.WeightsOf(u);
    for (size_t k = 0; k < neighbors.size(); ++k) {
      const int32_t v = neighbors[k];
      if (v < u || (labels[u] == labels[v]) != (weights[k] < 0)) continue;
      ++against.total;
      if (index[u] < 0 || index[v] < 0) continue;
      against.heaviest.push_back({u, v, weights[k]});
    }
  }
  const auto key = [&bonds](const SignedEdge& edge) {
    return std::make_tuple(-std::abs(edge.weight),
                           -(bonds[edge.u].cost() + bonds[edge.v].cost()),
                           edge.u, edge.v);
  };
  std::sort(against.heaviest.begin(), against.heaviest.end(),
            [&key](const SignedEdge& a, const SignedEdge& b) {
              return key(a) < key(b);
            });
  if (against.heaviest.size() > static_cast<size_t>(most)) {
    against.heaviest.resize(most);
  }
  return against;
}

absl::Status Check(const SignedGraph& graph,
                   absl::Span<const std::string> names,
                   const CorrelationResult& result) {
  const size_t n = graph.num_vertices();
  if (names.size() != n || result.labels.size() != n) {
    return absl::InvalidArgumentError(absl::StrCat(
        "network page: expected a name and a label for each of ", n,
        " vertices, found ", names.size(), " and ", result.labels.size()));
  }
  for (const int32_t label : result.labels) {
    if (label < 0 || label >= result.num_clusters) {
      return absl::InvalidArgumentError(
          absl::StrCat("network page: expected labels below ",
                       result.num_clusters, ", found ", label));
    }
  }
  return absl::OkStatus();
}

// By vertex, and the mean by cluster; empty without other partitions.
struct Stability {
  std::vector<double> vertices;
  std::vector<double> clusters;
};

Stability FindStability(const CorrelationResult& result) {
  Stability stability;
  if (result.alternatives.empty() || result.labels.empty()) return stability;
  std::vector<absl::Span<const int32_t>> others;
  for (const auto& alternative : result.alternatives) {
    others.push_back(alternative.labels);
  }
  stability.vertices = ClusterStability(result.labels, others);
  stability.clusters.resize(result.num_clusters);
  std::vector<int32_t> sizes(result.num_clusters);
  for (size_t v = 0; v < result.labels.size(); ++v) {
    stability.clusters[result.labels[v]] += stability.vertices[v];
    ++sizes[result.labels[v]];
  }
  for (size_t c = 0; c < sizes.size(); ++c) {
    stability.clusters[c] /= std::max(sizes[c], 1);
  }
  return stability;
}

}  // namespace

absl::Status WriteNetworkPage(
    const SignedGraph& graph, absl::Span<const std::string> names,
    const CorrelationResult& result,
    absl::Span<const SearchControl::Improvement> improvements,
    const NetworkPageOptions& options, PageSink write) {
  RETURN_IF_ERROR(Check(graph, names, result));
  const absl::Span<const int32_t> labels = result.labels;
  const auto text = [&graph](int64_t units) {
    return FormatDecimal({units, graph.units_per_one});
  };
  const auto number = [&graph](int64_t units) {
    return static_cast<double>(units) /
           static_cast<double>(graph.units_per_one);
  };
  const std::vector<Bonds> bonds =
      FindBonds(graph, labels, result.num_clusters);
  const std::vector<int32_t> held = HeldVertices(bonds, options.max_vertices);
  std::vector<int32_t> index(names.size(), -1);
  for (size_t i = 0; i < held.size(); ++i) {
    index[held[i]] = static_cast<int32_t>(i);
  }
  const EdgesAgainst against =
      FindEdgesAgainst(graph, labels, bonds, index, options.max_edges);

  const Stability stability = FindStability(result);

  const auto write_meta = [&] {
    const std::string bounds =
        absl::StrJoin(options.bounds, ",",
                      [&](std::string* out, const CyclePacking::Step& step) {
                        absl::StrAppend(out, "[", JsonDouble(step.seconds), ",",
                                        JsonDouble(number(step.bound)), "]");
                      });
    std::vector<std::string> alternatives;
    for (const auto& alternative : result.alternatives) {
      alternatives.push_back(text(alternative.imbalance));
    }
    const std::string steps = absl::StrJoin(
        improvements, ",",
        [&](std::string* out, const SearchControl::Improvement& step) {
          absl::StrAppend(out, "[", JsonDouble(step.seconds), ",",
                          JsonDouble(number(step.imbalance)), "]");
        });
    const std::string total =
        JsonObject({{"vertices", absl::StrCat(names.size())},
                    {"edges", absl::StrCat(graph.num_edges())},
                    {"against", absl::StrCat(against.total)}});
    const int64_t weight = graph.positive_weight + graph.negative_weight;
    WritePageJson(
        "meta",
        JsonObject({{"command", JsonStrings(options.command)},
                    {"total", total},
                    {"weight", JsonDouble(number(weight))},
                    {"imbalance", JsonDouble(number(result.imbalance))},
                    {"imbalanceText", JsonQuote(text(result.imbalance))},
                    {"positiveText", JsonQuote(text(graph.positive_weight))},
                    {"negativeText", JsonQuote(text(graph.negative_weight))},
                    {"optimal", result.proven_optimal ? "true" : "false"},
                    {"seconds", JsonDouble(options.seconds)},
                    {"boundText", options.lower_bound.has_value()
                                      ? JsonQuote(text(*options.lower_bound))
                                      : "null"},
                    {"alternatives", JsonStrings(alternatives)},
                    {"bounds", absl::StrCat("[", bounds, "]")},
                    {"improvements", absl::StrCat("[", steps, "]")}}),
        write);
  };
  // One number per item of a list.
  const auto write_array = [&write](absl::string_view name, const auto& items,
                                    const auto& value) {
    std::vector<decltype(value(*items.begin()))> values;
    values.reserve(items.size());
    for (const auto& item : items) values.push_back(value(item));
    WritePageArray(name, absl::MakeConstSpan(values), write);
  };
  const auto write_bond = [&](absl::string_view name, int64_t Bonds::*weight) {
    write_array(name, held, [&](int32_t v) {
      return static_cast<float>(number(bonds[v].*weight));
    });
  };
  const auto write_data = [&] {
    write_meta();
    std::vector<int32_t> sizes(result.num_clusters);
    for (const int32_t label : labels) ++sizes[label];
    WritePageArray("size", absl::MakeConstSpan(sizes), write);
    const std::vector<ClusterImbalance> costs =
        ClusterImbalances(graph, labels, result.num_clusters);
    write_array("negative-inside", costs, [&](const ClusterImbalance& cost) {
      return number(cost.negative_inside);
    });
    write_array("positive-outside", costs, [&](const ClusterImbalance& cost) {
      return number(cost.positive_outside);
    });
    WritePageArray("cluster-stability", absl::MakeConstSpan(stability.clusters),
                   write);
    std::vector<std::string> held_names;
    for (const int32_t v : held) held_names.push_back(names[v]);
    WritePageJson("names", JsonStrings(held_names), write);
    write_array("cluster", held, [&](int32_t v) { return labels[v]; });
    write_bond("own-positive", &Bonds::own_positive);
    write_bond("own-negative", &Bonds::own_negative);
    write_bond("all-positive", &Bonds::all_positive);
    write_bond("all-negative", &Bonds::all_negative);
    write_array("rival", held, [&](int32_t v) { return bonds[v].rival; });
    write_bond("rival-positive", &Bonds::rival_positive);
    write_bond("rival-negative", &Bonds::rival_negative);
    std::vector<double> stable;
    for (const int32_t v : held) {
      if (!stability.vertices.empty()) stable.push_back(stability.vertices[v]);
    }
    WritePageArray("stability", absl::MakeConstSpan(stable), write);
    const std::vector<SignedEdge>& edges = against.heaviest;
    write_array("edge-u", edges,
                [&](const SignedEdge& edge) { return index[edge.u]; });
    write_array("edge-v", edges,
                [&](const SignedEdge& edge) { return index[edge.v]; });
    write_array("edge-weight", edges,
                [&](const SignedEdge& edge) { return number(edge.weight); });
  };
  WriteHtmlPage({.title = options.title,
                 .kind = "correlation clustering",
                 .style = ReportPageStyle(),
                 .body = NetworkPageBody(),
                 .script = NetworkPageScript()},
                write_data, write);
  return absl::OkStatus();
}

absl::Status WriteNetworkJson(
    const SignedGraph& graph, absl::Span<const std::string> names,
    const CorrelationResult& result,
    absl::Span<const SearchControl::Improvement> improvements,
    const NetworkPageOptions& options, PageSink write) {
  RETURN_IF_ERROR(Check(graph, names, result));
  const auto text = [&graph](int64_t units) {
    return FormatDecimal({units, graph.units_per_one});
  };
  const std::vector<Bonds> bonds =
      FindBonds(graph, result.labels, result.num_clusters);
  const std::vector<int32_t> held = HeldVertices(bonds, options.max_vertices);
  std::vector<int32_t> index(names.size(), -1);
  for (const int32_t v : held) index[v] = v;
  const EdgesAgainst against =
      FindEdgesAgainst(graph, result.labels, bonds, index, options.max_edges);
  const Stability stability = FindStability(result);
  const auto stable = [](const std::vector<double>& values, size_t i) {
    return values.empty() ? std::string("null") : JsonDouble(values[i]);
  };
  // A list, one item per line.
  const auto list = [&write](absl::string_view name, const auto& items,
                             const auto& item_text) {
    write(absl::StrCat(",\n\"", name, "\":["));
    absl::string_view separator = "\n";
    for (const auto& item : items) {
      write(absl::StrCat(separator, item_text(item)));
      separator = ",\n";
    }
    write("]");
  };

  write(absl::StrCat(
      "{\"objective\":", text(result.imbalance), ",\"lower_bound\":",
      options.lower_bound.has_value() ? text(*options.lower_bound) : "null",
      ",\"proven_optimal\":", result.proven_optimal ? "true" : "false",
      ",\"vertices_total\":", names.size(),
      ",\"conflicts_total\":", against.total));
  list("alternatives", result.alternatives,
       [&](const CorrelationResult::Alternative& alternative) {
         return text(alternative.imbalance);
       });
  std::vector<int32_t> sizes(result.num_clusters);
  for (const int32_t label : result.labels) ++sizes[label];
  size_t c = 0;
  list("clusters", ClusterImbalances(graph, result.labels, result.num_clusters),
       [&](const ClusterImbalance& cost) {
         const size_t at = c++;
         return JsonObject({{"size", absl::StrCat(sizes[at])},
                            {"negative_inside", text(cost.negative_inside)},
                            {"positive_outside", text(cost.positive_outside)},
                            {"stability", stable(stability.clusters, at)}});
       });
  list("conflicts", against.heaviest, [&](const SignedEdge& edge) {
    return JsonObject({{"u", JsonQuote(names[edge.u])},
                       {"v", JsonQuote(names[edge.v])},
                       {"weight", text(edge.weight)}});
  });
  list("vertices", held, [&](int32_t v) {
    return JsonObject({{"id", JsonQuote(names[v])},
                       {"cluster", absl::StrCat(result.labels[v])},
                       {"cost", text(bonds[v].cost())},
                       {"stability", stable(stability.vertices, v)}});
  });
  const auto step = [&](double seconds, int64_t value) {
    return absl::StrCat("[", JsonDouble(seconds), ",", text(value), "]");
  };
  list("improvements", improvements,
       [&](const SearchControl::Improvement& improvement) {
         return step(improvement.seconds, improvement.imbalance);
       });
  list("bounds", options.bounds, [&](const CyclePacking::Step& bound) {
    return step(bound.seconds, bound.bound);
  });
  write("}\n");
  return absl::OkStatus();
}

}  // namespace warpclust
