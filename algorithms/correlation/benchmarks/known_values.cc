// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/benchmarks/known_values.h"

#include <cstddef>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace warpclust {
namespace {

// Sources. Networks: paper_random_N_D_M are the random ones of the paper (N
// vertices, density D, share M of negative edges) as the authors published them
// (levorato/master_thesis_code, file_N_D_M.g), slashdot_N the first N vertices
// of SNAP's soc-sign-Slashdot090221, slashdot_full and epinions_full the whole
// of it and of soc-sign-epinions, with arcs merged, pairs of both signs and
// loops dropped; wiki_rfa votes on Wikipedia's administrators; bitcoin_otc
// SNAP's, ratings of both directions added; congress, gahuku_gama, sampson_aff4
// and slovene_parties from the literature on social networks; unga_*,
// movielens_* and em_* votes of the United Nations, ratings of films and pieces
// of images, weighted; stocks_2008 correlations of shares.
//
// Multilevel: KaHIP's ScalableCorrelationClustering 1.3. 60 s: the best of its
// evolutionary mode, greedy contraction with Kernighan-Lin and joins
// (bjoern-andres/graph), and a plain annealing. Lower bounds: packings of
// conflicted cycles (Lange et al. 2018), the linear program of the cycles, or
// exhaustion.

// I(P) and seconds of GRASP, of GRASP with CUDA, of ILS, of ILS with CUDA.
constexpr absl::string_view kPaperTable = R"(
paper_random_400_0.1_0.2    1596   100.67      1596     2.99     1596    10.07     1596    10.69
paper_random_400_0.1_0.5  2901.8   565.66   2898.35    21.86   2857.2   443.81   2875.2    44.65
paper_random_400_0.1_0.8    1169  1409.42    1178.5    33.69   1085.6  1675.43   1111.6    78.06
paper_random_400_0.2_0.2    3192   132.25      3192     2.81     3192    14.18     3192    12.95
paper_random_400_0.2_0.5  6420.2   656.99    6416.6    28.46   6367.4   563.41   6398.4    49.54
paper_random_400_0.2_0.8  2662.2  3254.87    2677.8     53.4   2576.4  2709.74   2611.4   123.28
paper_random_400_0.5_0.2    7980    232.7      7980     3.64     7980    36.86     7980    19.65
paper_random_400_0.5_0.5 17431.2  1219.75   17414.8    68.51  17337.6  1302.08  17413.2    71.14
paper_random_400_0.5_0.8    7318  3606.43    7333.8   100.32   7219.2  5849.67   7263.6   226.57
paper_random_400_0.8_0.2   12768   346.12     12768     4.71    12768    60.71    12768    26.26
paper_random_400_0.8_0.5 28733.4  2535.17   28718.5   132.01  28621.2  2101.79    28723    97.54
paper_random_400_0.8_0.8 12043.4  3608.31     12061   157.46  11943.2  7030.23  12001.2   312.83
paper_random_600_0.1_0.2    3594   334.64      3594     4.65     3594    17.35     3594    14.86
paper_random_600_0.1_0.5  6957.6  1414.86    6957.4    44.62     6878   967.29   6913.8     75.8
paper_random_600_0.1_0.8  2865.2  3601.82    2885.8    77.31   2726.8  5078.13     2779   162.17
paper_random_600_0.2_0.2    7188   447.66      7188     5.07     7188    32.92     7188    18.89
paper_random_600_0.2_0.5 15074.6  2670.39  15061.65     89.5  14979.4  1495.55  15028.6    89.13
paper_random_600_0.2_0.8  6306.8  3605.18   6321.15   139.35   6164.2  7182.95   6222.6   269.33
paper_random_600_0.5_0.2   17970   905.51     17970     8.13    17970    83.27    17970    31.46
paper_random_600_0.5_0.5 40335.4  3602.54   40327.2   198.65  40196.6  3278.09  40347.2   130.38
paper_random_600_0.5_0.8 16904.4  3629.47  16927.35   293.85  16751.8  7200.54  16835.4   594.54
paper_random_600_0.8_0.2   28752  1423.95     28752    11.68    28752   133.27    28752     43.7
paper_random_600_0.8_0.5 66088.4  3603.92   66054.2   304.84  65855.2  5641.22  66049.8   171.88
paper_random_600_0.8_0.8   27591  3656.96   27601.6   427.06  27425.6  7200.52  27510.6   758.44
slashdot_1000                600    23.69       600    18.75    600.2    33.64    600.2    15.71
slashdot_2000               2186   232.48    2187.4    73.93   2187.5   107.42   2201.6    38.15
slashdot_4000             6202.6  1415.45    6206.2   335.88   6218.6   591.84   6213.2   105.96
slashdot_8000            16082.6  7030.32   16087.2  2189.18  16072.1  2229.04  16082.6   604.51
slashdot_10000           20594.6  7200.49   20596.6  2680.88  20595.1  3618.14  20600.6  1087.89
)";

// Multilevel and its seconds, 60 s, lower bound; "-" is not known.
constexpr absl::string_view kOthersTable = R"(
paper_random_400_0.1_0.2     1596   0.0015       1596       1596
paper_random_400_0.1_0.5     2862    0.045       2802       1652
paper_random_400_0.2_0.2     3192   0.0026       3192       3192
paper_random_400_0.2_0.8     2555    0.067       2514       1444
paper_random_400_0.5_0.5    17368     0.17      17286       9829
paper_random_400_0.5_0.8     7205     0.24       7157       3904
paper_random_400_0.8_0.2    12768    0.024      12768      11894
paper_random_400_0.8_0.5    28709     0.85      28624      15861
paper_random_600_0.1_0.2     3594    0.003       3594       3594
paper_random_600_0.1_0.8     2676     0.18       2618       1464
paper_random_600_0.2_0.2     7188   0.0056       7188       7188
paper_random_600_0.2_0.5    15019    0.098      14887       8553
paper_random_600_0.5_0.2    17970    0.046      17970      17355
paper_random_600_0.5_0.8    16716     1.48      16622       8851
paper_random_600_0.8_0.5    66001     1.93      65830      35773
paper_random_600_0.8_0.8    27428     1.35      27337      14299
slashdot_1000                 604    0.002        600        600
slashdot_4000                6213    0.027       6190  6073.6635
slashdot_10000              20559    0.115      20522      19464
slashdot_full               68129     0.61      67387      63482
epinions_full               47369      0.7      47239      46595
wiki_rfa                     6135    0.073       6125       6081
bitcoin_otc                  5903    0.017       5743       5673
em_cremi_c_test           3109.78        -  3007.9815  2988.6572
stocks_2008               5078.51     0.33    5030.25   4887.501
movielens_10m_cosine         2172     0.11       2159       2153
congress                        -        -         18         18
gahuku_gama                     -        -          2          2
sampson_aff4                    -        -         21         21
slovene_parties                 -        -          2          2
unga_01                         -        -     9.3378     9.3378
unga_20                         -        -   137.2849   137.1386
unga_38                    61.341   0.0048     61.341    60.9183
unga_63                   36.8889    0.022    36.8889    36.8889
movielens_1m_cosine             -        -        197        197
em_fib25_train            97.0053     0.19    97.0053    96.9692
)";

// The columns of the row that begins with `name`; empty if there is none.
std::vector<double> Row(absl::string_view table, absl::string_view name) {
  for (absl::string_view line : absl::StrSplit(table, '\n')) {
    const std::vector<absl::string_view> columns =
        absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (columns.empty() || columns[0] != name) continue;
    std::vector<double> values;
    for (size_t i = 1; i < columns.size(); ++i) {
      double value = 0;
      values.push_back(absl::SimpleAtod(columns[i], &value) ? value : 0);
    }
    return values;
  }
  return {};
}

}  // namespace

absl::string_view InstanceName(absl::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash != absl::string_view::npos) path.remove_prefix(slash + 1);
  path = absl::StripSuffix(path, ".gz");
  path = absl::StripSuffix(path, ".txt");
  return path;
}

KnownValues FindKnownValues(absl::string_view path) {
  const absl::string_view name = InstanceName(path);
  KnownValues known;
  const std::vector<double> paper = Row(kPaperTable, name);
  if (paper.size() == 8) {
    known.grasp = {paper[0], paper[1], paper[2], paper[3]};
    known.ils = {paper[4], paper[5], paper[6], paper[7]};
  }
  const std::vector<double> others = Row(kOthersTable, name);
  if (others.size() == 4) {
    known.multilevel = others[0];
    known.multilevel_seconds = others[1];
    known.sixty_seconds = others[2];
    known.lower_bound = others[3];
  }
  return known;
}

}  // namespace warpclust
