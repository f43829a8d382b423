// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_points.h"

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

constexpr double kSide = 1000;

// Three decimals, through an integer: the same digits with every libc.
void AppendCoordinate(double value, std::string* line) {
  const auto thousandths = static_cast<int64_t>(std::floor(value * 1000 + 0.5));
  const int64_t magnitude = thousandths < 0 ? -thousandths : thousandths;
  const int64_t fraction = magnitude % 1000;
  absl::StrAppend(line, thousandths < 0 ? "-" : "", magnitude / 1000, ".",
                  fraction < 100 ? "0" : "", fraction < 10 ? "0" : "",
                  fraction);
}

}  // namespace

void GeneratePoints(const GeneratePointsOptions& options,
                    const TextSink& points, const TextSink& truth,
                    const DoneCallback& done) {
  Random center_random(options.seed);
  std::vector<double> centers(int64_t{options.num_blobs} * options.dimensions);
  for (double& center : centers) center = center_random.Unit() * kSide;
  const double deviation = options.deviation.ToDouble();

  std::string line;
  for (int64_t p = 0; p < options.num_points; ++p) {
    Random random(options.seed, static_cast<uint64_t>(p) + 1);
    const bool is_noise = random.Below(options.noise.denominator) <
                          static_cast<uint64_t>(options.noise.numerator);
    const auto blob = static_cast<int64_t>(random.Below(options.num_blobs));
    line.clear();
    for (int32_t j = 0; j < options.dimensions; ++j) {
      if (j > 0) line += ',';
      AppendCoordinate(is_noise ? random.Unit() * kSide
                                : centers[blob * options.dimensions + j] +
                                      deviation * random.Normal(),
                       &line);
    }
    if (options.labels) absl::StrAppend(&line, ",", is_noise ? -1 : blob);
    line += '\n';
    points(line);
    if (truth != nullptr) {
      truth(is_noise ? absl::StrCat(p, "\tnoise\n")
                     : absl::StrCat(p, "\tblob", blob, "\n"));
    }
    if (done != nullptr && (p + 1) % 4096 == 0) done(p + 1);
  }
}

}  // namespace warpclust
