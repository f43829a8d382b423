// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/principal_components.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Matrix = std::vector<std::vector<double>>;

// Eigenvalues with their vectors, largest first, by Jacobi rotations.
std::vector<std::pair<double, std::vector<double>>> Eigen(Matrix a) {
  const size_t d = a.size();
  Matrix v(d, std::vector<double>(d, 0));
  for (size_t k = 0; k < d; ++k) v[k][k] = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (size_t p = 0; p < d; ++p) {
      for (size_t q = p + 1; q < d; ++q) {
        if (a[p][q] == 0) continue;
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        const auto rotate = [c, s](double* x, double* y) {
          const double old = *x;
          *x = c * old - s * *y;
          *y = s * old + c * *y;
        };
        for (size_t k = 0; k < d; ++k) rotate(&a[k][p], &a[k][q]);
        for (size_t k = 0; k < d; ++k) rotate(&a[p][k], &a[q][k]);
        for (size_t k = 0; k < d; ++k) rotate(&v[k][p], &v[k][q]);
      }
    }
  }
  std::vector<std::pair<double, std::vector<double>>> result;
  for (size_t k = 0; k < d; ++k) {
    std::vector<double> vector;
    for (size_t row = 0; row < d; ++row) vector.push_back(v[row][k]);
    result.emplace_back(a[k][k], vector);
  }
  std::sort(result.rbegin(), result.rend());
  return result;
}

Matrix NaiveCovariance(const PointMatrix& points) {
  const int32_t d = points.num_dimensions;
  Matrix result(d, std::vector<double>(d, 0));
  std::vector<double> mean(d, 0);
  for (int32_t i = 0; i < points.num_points; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      mean[k] += points.Row(i)[k] / points.num_points;
    }
  }
  for (int32_t i = 0; i < points.num_points; ++i) {
    for (int32_t a = 0; a < d; ++a) {
      for (int32_t b = 0; b < d; ++b) {
        result[a][b] +=
            (points.Row(i)[a] - mean[a]) * (points.Row(i)[b] - mean[b]);
      }
    }
  }
  return result;
}

double Dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

PointMatrix RandomPoints(int32_t n, int32_t d, double scale, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  // Two directions stand out, at an angle to the axes.
  std::vector<double> first(d), second(d);
  for (double& x : first) x = normal(random);
  for (double& x : second) x = normal(random);
  PointMatrix points{n, d, {}};
  for (int32_t i = 0; i < n; ++i) {
    const double a = 5 * normal(random);
    const double b = 2 * normal(random);
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(
          scale * (7 + a * first[k] + b * second[k] + 0.3 * normal(random)));
    }
  }
  return points;
}

TEST(PrincipalComponentsTest, AreTheLeadingEigenvectorsOfTheCovariance) {
  for (const int32_t d : {2, 3, 5, 40}) {
    for (const double scale : {1.0, 1e-200, 1e140}) {
      SCOPED_TRACE(testing::Message() << "d " << d << ", scale " << scale);
      // The oracle does not scale against overflow: the same points, scale 1.
      const auto eigen = Eigen(NaiveCovariance(RandomPoints(300, d, 1, 5)));
      double trace = 0;
      for (const auto& [value, vector] : eigen) trace += value;
      const PrincipalComponents found =
          FindPrincipalComponents(RandomPoints(300, d, scale, 5));
      EXPECT_NEAR(std::abs(Dot(found.first, eigen[0].second)), 1, 1e-9);
      EXPECT_NEAR(std::abs(Dot(found.second, eigen[1].second)), 1, 1e-9);
      EXPECT_NEAR(Dot(found.first, found.second), 0, 1e-12);
      EXPECT_NEAR(Dot(found.first, found.first), 1, 1e-12);
      EXPECT_NEAR(found.first_share, eigen[0].first / trace, 1e-9);
      EXPECT_NEAR(found.second_share, eigen[1].first / trace, 1e-9);
      for (const auto& axis : {found.first, found.second}) {
        const auto [min, max] = std::minmax_element(axis.begin(), axis.end());
        EXPECT_GT(*max, -*min);
      }
    }
  }
}

TEST(PrincipalComponentsTest, ProjectsOntoThem) {
  const PointMatrix points = RandomPoints(100, 4, 1, 9);
  const PrincipalComponents found = FindPrincipalComponents(points);
  double sum = 0;
  double squares = 0;
  for (int32_t i = 0; i < points.num_points; ++i) {
    const double x = Project(points.Row(i), found.mean, found.first);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum, 0, 1e-9);
  EXPECT_NEAR(squares, Eigen(NaiveCovariance(points))[0].first, 1e-6);
}

TEST(PrincipalComponentsTest, PointsThatDoNotVaryHaveNone) {
  const PointMatrix equal{3, 2, {4, 5, 4, 5, 4, 5}};
  const PrincipalComponents none = FindPrincipalComponents(equal);
  EXPECT_EQ(none.first, std::vector<double>({0, 0}));
  EXPECT_EQ(none.second, std::vector<double>({0, 0}));
  EXPECT_EQ(none.first_share, 0);
}

TEST(PrincipalComponentsTest, PointsOnALineHaveOne) {
  PointMatrix line{50, 3, {}};
  for (int i = 0; i < 50; ++i) {
    line.values.insert(line.values.end(), {1.0 * i, 2.0 * i, -2.0 * i});
  }
  const PrincipalComponents one = FindPrincipalComponents(line);
  // Of two entries of largest magnitude the first decides the sign.
  EXPECT_NEAR(one.first[0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(one.first[1], 2.0 / 3, 1e-12);
  EXPECT_NEAR(one.first[2], -2.0 / 3, 1e-12);
  EXPECT_EQ(one.second, std::vector<double>({0, 0, 0}));
  EXPECT_NEAR(one.first_share, 1, 1e-12);
}

TEST(PrincipalComponentsTest, ManyDimensionsTakeASampleOfTheRows) {
  const PrincipalComponents found =
      FindPrincipalComponents(RandomPoints(4000, 784, 1, 3));
  EXPECT_NEAR(Dot(found.first, found.first), 1, 1e-12);
  EXPECT_NEAR(Dot(found.first, found.second), 0, 1e-12);
  EXPECT_GT(found.first_share, 0.6);
}

}  // namespace
}  // namespace warpclust
