// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DevicePoints: prepared points (vptree/points/metric.h) in GPU memory, the
// input of all CUDA searches. The points are copied to the device once.

#ifndef WARPCLUST_VPTREE_POINTS_DEVICE_POINTS_H_
#define WARPCLUST_VPTREE_POINTS_DEVICE_POINTS_H_

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/early_upload.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints {
  int32_t num_points = 0;
  int32_t num_dimensions = 0;
  Norm norm = Norm::kL2;
  // Row-major, as PointMatrix::values.
  DeviceBuffer<double> values;

  // Errors as DeviceBuffer::FromHost.
  static absl::StatusOr<DevicePoints> FromHost(const PointMatrix& points,
                                               Norm norm) {
    return Make(points, norm, DeviceBuffer<double>::FromHost(points.values));
  }
  // The same for all points of a job, which stay to its end. `upload`, unless
  // null, has begun to copy the coordinates.
  static absl::StatusOr<DevicePoints> FromHostApart(
      const PointMatrix& points, Norm norm,
      EarlyUpload<double>* upload = nullptr) {
    if (upload != nullptr) {
      return Make(points, norm, upload->Finish(points.values));
    }
    absl::StatusOr<DeviceBuffer<double>> values =
        DeviceBuffer<double>::AllocateApart(
            static_cast<int64_t>(points.values.size()));
    if (values.ok()) {
      absl::Status copied = values->CopyFromHost(points.values);
      if (!copied.ok()) return copied;
    }
    return Make(points, norm, std::move(values));
  }

 private:
  static absl::StatusOr<DevicePoints> Make(
      const PointMatrix& points, Norm norm,
      absl::StatusOr<DeviceBuffer<double>> values) {
    if (!values.ok()) return values.status();
    return DevicePoints{points.num_points, points.num_dimensions, norm,
                        *std::move(values)};
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_DEVICE_POINTS_H_
