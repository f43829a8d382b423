// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of the measures of eval.

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "eval/compare_covers.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"

namespace warpclust {
namespace {

struct Measures {
  std::vector<std::string> texts;
  std::vector<const char*> names;
  std::vector<double> values;
};

void Return(const CoverComparison& comparison, warpclust_measures* to) {
  auto* stored = StoreResult(Measures());
  Measures& value = stored->value;
  for (const auto& [name, measure] : NamedMeasures(comparison)) {
    value.texts.emplace_back(name);
    value.values.push_back(measure);
  }
  for (const std::string& text : value.texts) {
    value.names.push_back(text.c_str());
  }
  *to = {.num_measures = static_cast<int32_t>(value.names.size()),
         .names = value.names.data(),
         .values = value.values.data(),
         .storage = static_cast<ResultStorage*>(stored)};
}

}  // namespace
}  // namespace warpclust

warpclust_status warpclust_evaluate(const warpclust_cover* truth,
                                    const warpclust_cover* clusters,
                                    int32_t num_items, const warpclust_run* run,
                                    warpclust_measures* measures) {
  return warpclust::Call(
      run, [&](const warpclust::CallOptions& call) -> absl::Status {
        ASSIGN_OR_RETURN(const auto expected,
                         warpclust::ToCover("truth", *truth));
        ASSIGN_OR_RETURN(const auto found,
                         warpclust::ToCover("clusters", *clusters));
        ASSIGN_OR_RETURN(const auto comparison,
                         warpclust::CompareCovers(expected, found, num_items,
                                                  call.num_threads));
        warpclust::Return(comparison, measures);
        return absl::OkStatus();
      });
}
