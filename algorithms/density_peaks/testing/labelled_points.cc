// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/testing/labelled_points.h"

#include <cmath>

namespace warpclust {
namespace {

constexpr double kPi = 3.14159265358979323846;

// In [0, 1), far from those of the i before, by the golden ratio.
double Spread(int32_t i) { return std::fmod(i * 0.618034, 1.0); }

// Point `i` of `count` that fill a disk evenly.
std::vector<double> InDisk(double x, double y, double radius, int32_t i,
                           int32_t count) {
  const double angle = 2 * kPi * Spread(i);
  const double r = radius * std::sqrt((i + 0.5) / count);
  return {x + r * std::cos(angle), y + r * std::sin(angle)};
}

}  // namespace

void LabelledPoints::Add(const std::vector<double>& point, int32_t label) {
  points.num_dimensions = static_cast<int32_t>(point.size());
  ++points.num_points;
  points.values.insert(points.values.end(), point.begin(), point.end());
  labels.push_back(label);
}

void LabelledPoints::AddBlob(const std::vector<double>& center,
                             double deviation, int32_t count, int32_t label,
                             Random* random) {
  AddBlob(center, std::vector<double>(center.size(), deviation), count, label,
          random);
}

void LabelledPoints::AddBlob(const std::vector<double>& center,
                             const std::vector<double>& deviations,
                             int32_t count, int32_t label, Random* random) {
  for (int32_t i = 0; i < count; ++i) {
    std::vector<double> point = center;
    for (size_t k = 0; k < point.size(); ++k) {
      point[k] += deviations[k] * random->Normal();
    }
    Add(point, label);
  }
}

LabelledPoints SpiralArms(Random* random) {
  LabelledPoints set;
  for (int32_t arm = 0; arm < 3; ++arm) {
    for (int32_t i = 0; i < 104; ++i) {
      const double along = 1.5 + 5.5 * i / 104;
      const double angle = along + arm * 2 * kPi / 3;
      set.Add({2 * along * std::cos(angle) + 0.1 * random->Normal(),
               2 * along * std::sin(angle) + 0.1 * random->Normal()},
              arm);
    }
  }
  return set;
}

LabelledPoints HalfMoons(Random* random) {
  LabelledPoints set;
  for (int32_t i = 0; i < 1000; ++i) {
    const double angle = kPi * i / 1000;
    const double side = i % 2 == 0 ? 1 : -1;
    set.Add({(i % 2 == 0 ? 0 : 1) + side * std::cos(angle) +
                 0.05 * random->Normal(),
             (i % 2 == 0 ? 0 : 0.5) + side * std::sin(angle) +
                 0.05 * random->Normal()},
            i % 2);
  }
  return set;
}

LabelledPoints UnlikeHalfMoons(Random* random) {
  LabelledPoints set;
  constexpr int32_t kCounts[] = {97, 276};
  for (int32_t moon = 0; moon < 2; ++moon) {
    const double side = moon == 0 ? 1 : -1;
    for (int32_t i = 0; i < kCounts[moon]; ++i) {
      const double angle = kPi * i / kCounts[moon];
      const double radius = side * (0.8 + 0.4 * Spread(i));
      set.Add({moon + radius * std::cos(angle) + 0.03 * random->Normal(),
               0.1 * moon + radius * std::sin(angle) + 0.03 * random->Normal()},
              moon);
    }
  }
  return set;
}

LabelledPoints DiskInBowl(Random* random) {
  LabelledPoints set;
  for (int32_t i = 0; i < 87; ++i) {
    std::vector<double> point = InDisk(0, 0.8, 0.8, i, 87);
    for (double& x : point) x += 0.06 * random->Normal();
    set.Add(point, 0);
  }
  for (int32_t i = 0; i < 153; ++i) {
    const double angle = kPi * (1 + Spread(i));
    const double radius = 1.1 + 0.7 * i / 153;
    set.Add({radius * std::cos(angle) + 0.06 * random->Normal(),
             0.5 + radius * std::sin(angle) + 0.06 * random->Normal()},
            1);
  }
  return set;
}

LabelledPoints BridgedDisks(Random* random) {
  LabelledPoints set;
  struct Disk {
    double x, y;
    int32_t count;
  };
  constexpr Disk kDisks[] = {{0, 0, 170},  {8.2, -1, 34},    {-3, 14, 102},
                             {18, 0, 273}, {26.5, 8.5, 130}, {24, -9, 45},
                             {16, 12, 34}};
  for (int32_t label = 0; label < 7; ++label) {
    const Disk& disk = kDisks[label];
    const double radius = 0.34 * std::sqrt(disk.count);
    for (int32_t i = 0; i < disk.count; ++i) {
      const double angle = 2 * kPi * random->Unit();
      const double r = radius * std::sqrt(random->Unit());
      set.Add({disk.x + r * std::cos(angle), disk.y + r * std::sin(angle)},
              label);
    }
  }
  for (int32_t i = 0; i < 4; ++i) {
    const double along = (i + 0.5) / 4;
    set.Add({4.4 + 1.8 * along, -0.5 - 0.3 * along}, i < 2 ? 0 : 1);
    set.Add({21.5 + 2.5 * along, 4.5 + 2.5 * along}, i < 2 ? 3 : 4);
  }
  return set;
}

LabelledPoints CirclesOfBlobs(Random* random) {
  LabelledPoints set;
  set.AddBlob({0, 0}, 0.5, 40, 0, random);
  for (int32_t blob = 1; blob < 15; ++blob) {
    const double angle = 2 * kPi * blob / 7;
    const double radius = blob < 8 ? 4 : 9;
    set.AddBlob({radius * std::cos(angle), radius * std::sin(angle)}, 0.5, 40,
                blob, random);
  }
  return set;
}

LabelledPoints Rings(Random* random) {
  LabelledPoints set;
  for (int32_t i = 0; i < 1500; ++i) {
    const double angle = 2 * kPi * i / 1500;
    const double radius = i % 3 == 0 ? 1 : 2;
    set.Add({radius * std::cos(angle) + 0.1 * random->Normal(),
             radius * std::sin(angle) + 0.1 * random->Normal()},
            i % 3 == 0 ? 0 : 1);
  }
  return set;
}

LabelledPoints GridOfBlobs(int32_t side, int32_t points_of_blob,
                           Random* random) {
  LabelledPoints set;
  for (int32_t blob = 0; blob < side * side; ++blob) {
    set.AddBlob({5.0 * (blob % side), 5.0 * (blob / side)}, 1, points_of_blob,
                blob, random);
  }
  return set;
}

LabelledPoints BlobsOfUnlikeSizes(Random* random) {
  LabelledPoints set;
  set.AddBlob({0, 0}, 1, 3000, 0, random);
  set.AddBlob({9, 0}, 1, 1000, 1, random);
  set.AddBlob({0, 9}, 0.7, 300, 2, random);
  set.AddBlob({9, 9}, 0.4, 120, 3, random);
  return set;
}

LabelledPoints BlobsOfManyDimensions(int32_t dimensions, Random* random) {
  LabelledPoints set;
  for (int32_t blob = 0; blob < 8; ++blob) {
    std::vector<double> center(dimensions);
    for (double& x : center) x = 60 * random->Unit();
    set.AddBlob(center, 1, 300, blob, random);
  }
  return set;
}

LabelledPoints BlobsOnALine(int32_t points_of_blob, Random* random) {
  LabelledPoints set;
  for (int32_t blob = 0; blob < 3; ++blob) {
    set.AddBlob({7.0 * blob}, 1, points_of_blob, blob, random);
  }
  return set;
}

LabelledPoints ParallelBlobs(int32_t points_of_blob, Random* random) {
  LabelledPoints set;
  for (int32_t blob = 0; blob < 2; ++blob) {
    set.AddBlob({0, 7.0 * blob}, {10, 1}, points_of_blob, blob, random);
  }
  return set;
}

}  // namespace warpclust
