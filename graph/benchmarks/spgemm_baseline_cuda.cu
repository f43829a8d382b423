// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/benchmarks/cuda_library_loader.h"
#include "graph/benchmarks/library_baseline_kernels_cuda.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/stream.h"

namespace warpclust {

namespace {

constexpr int kThreads = 256;

// The functions of cuSPARSE in use, and a handle.
class CuSparse {
 public:
  static absl::StatusOr<CuSparse> Open() {
    ASSIGN_OR_RETURN(
        const SharedLibrary library,
        SharedLibrary::Open(
            {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"},
            {"libnvJitLink.so.13", "libnvJitLink.so.12"}));
    CuSparse s;
    absl::Status status = library.Find("cusparseCreate", &s.create);
    const auto find = [&](const char* name, auto** function) {
      if (status.ok()) status = library.Find(name, function);
    };
    find("cusparseDestroy", &s.destroy);
    find("cusparseSetStream", &s.set_stream);
    find("cusparseGetErrorString", &s.error_string);
    find("cusparseCreateCsr", &s.create_csr);
    find("cusparseDestroySpMat", &s.destroy_matrix);
    find("cusparseSpMatGetSize", &s.get_size);
    find("cusparseCsrSetPointers", &s.set_pointers);
    find("cusparseSpGEMM_createDescr", &s.create_description);
    find("cusparseSpGEMM_destroyDescr", &s.destroy_description);
    find("cusparseSpGEMM_workEstimation", &s.work_estimation);
    find("cusparseSpGEMM_compute", &s.compute);
    find("cusparseSpGEMM_copy", &s.copy);
    RETURN_IF_ERROR(status);
    RETURN_IF_ERROR(s.ToStatus(s.create(&s.handle), "cusparseCreate"));
    return s;
  }

  absl::Status ToStatus(cusparseStatus_t status, const char* what) const {
    if (status == CUSPARSE_STATUS_SUCCESS) return absl::OkStatus();
    const std::string message = absl::StrCat(what, ": ", error_string(status));
    if (status == CUSPARSE_STATUS_ALLOC_FAILED ||
        status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES) {
      return absl::ResourceExhaustedError(message);
    }
    return absl::InternalError(message);
  }

  cusparseHandle_t handle = nullptr;
  decltype(cusparseCreate)* create;
  decltype(cusparseDestroy)* destroy;
  decltype(cusparseSetStream)* set_stream;
  decltype(cusparseGetErrorString)* error_string;
  decltype(cusparseCreateCsr)* create_csr;
  decltype(cusparseDestroySpMat)* destroy_matrix;
  decltype(cusparseSpMatGetSize)* get_size;
  decltype(cusparseCsrSetPointers)* set_pointers;
  decltype(cusparseSpGEMM_createDescr)* create_description;
  decltype(cusparseSpGEMM_destroyDescr)* destroy_description;
  decltype(cusparseSpGEMM_workEstimation)* work_estimation;
  decltype(cusparseSpGEMM_compute)* compute;
  decltype(cusparseSpGEMM_copy)* copy;
};

// The multiply-adds of each row of the product.
__global__ void ProductsKernel(int32_t num_documents, const int64_t* offsets,
                               const int32_t* terms,
                               const uint32_t* list_offsets,
                               int64_t* products) {
  const int32_t document = blockIdx.x * kThreads + threadIdx.x;
  if (document >= num_documents) return;
  int64_t sum = 0;
  for (int64_t e = offsets[document]; e < offsets[document + 1]; ++e) {
    sum += list_offsets[terms[e] + 1] - list_offsets[terms[e]];
  }
  products[document] = sum;
}

__global__ void GatherKernel(int64_t count, const float* values,
                             const uint32_t* places, float* gathered) {
  const int64_t k = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (k < count) gathered[k] = values[places[k]];
}

__global__ void PanelOffsetsKernel(int32_t rows, const int64_t* offsets,
                                   int32_t* panel_offsets) {
  const int32_t row = blockIdx.x * kThreads + threadIdx.x;
  if (row <= rows) {
    panel_offsets[row] = static_cast<int32_t>(offsets[row] - offsets[0]);
  }
}

// A block per row of the product counts entries right of the diagonal that
// reach beta.
__global__ void CountEdgesKernel(int32_t first_row, const int32_t* offsets,
                                 const int32_t* columns, const float* values,
                                 float beta, unsigned long long* num_edges) {
  const int32_t row = blockIdx.x;
  unsigned int count = 0;
  for (int32_t e = offsets[row] + threadIdx.x; e < offsets[row + 1];
       e += kThreads) {
    count += columns[e] > first_row + row && values[e] >= beta;
  }
  for (int step = 16; step > 0; step /= 2) {
    count += __shfl_xor_sync(kFullWarp, count, step);
  }
  if ((threadIdx.x & 31) == 0 && count > 0) atomicAdd(num_edges, count);
}

struct Panel {
  int32_t first_row = 0;
  int32_t rows = 0;
  int64_t first_entry = 0;
  int64_t entries = 0;
};

std::vector<Panel> MakePanels(const std::vector<int64_t>& offsets,
                              const std::vector<int64_t>& products,
                              int64_t panel_products) {
  std::vector<Panel> panels;
  const auto n = static_cast<int32_t>(products.size());
  for (int32_t row = 0; row < n;) {
    Panel panel;
    panel.first_row = row;
    int64_t sum = 0;
    do {
      sum += products[row++];
    } while (row < n && sum + products[row] <= panel_products);
    panel.rows = row - panel.first_row;
    panel.first_entry = offsets[panel.first_row];
    panel.entries = offsets[row] - panel.first_entry;
    if (panel.entries > 0) panels.push_back(panel);
  }
  return panels;
}

// The product of one collection, panel by panel.
class SpGemm {
 public:
  SpGemm(CuSparse sparse, const DeviceDocuments& documents, Stream stream)
      : sparse_(sparse), documents_(documents), stream_(std::move(stream)) {}
  SpGemm(const SpGemm&) = delete;
  ~SpGemm() {
    if (transpose_ != nullptr) sparse_.destroy_matrix(transpose_);
    sparse_.destroy(sparse_.handle);
  }

  absl::Status Prepare() {
    const int64_t entries = documents_.num_entries;
    RETURN_IF_ERROR(
        sparse_.ToStatus(sparse_.set_stream(sparse_.handle, stream_.get()),
                         "cusparseSetStream"));
    ASSIGN_OR_RETURN(values_, NormalisedWeights(documents_));
    RETURN_IF_ERROR(GrowTo(entries, list_values_));
    RETURN_IF_ERROR(GrowTo(1, num_edges_));
    DeviceBuffer<int64_t> products;
    RETURN_IF_ERROR(GrowTo(documents_.num_documents, products));
    const cudaStream_t queue = stream_.get();
    GatherKernel<<<BlocksFor(entries, kThreads), kThreads, 0, queue>>>(
        entries, values_.data(), documents_.list_entries.data(),
        list_values_.data());
    ProductsKernel<<<BlocksFor(documents_.num_documents, kThreads), kThreads, 0,
                     queue>>>(documents_.num_documents,
                              documents_.offsets.data(),
                              documents_.terms.data(),
                              documents_.list_offsets.data(), products.data());
    RETURN_IF_ERROR(CudaLaunchStatus("transpose of the normalised documents"));
    ASSIGN_OR_RETURN(products_, products.ToHost());
    ASSIGN_OR_RETURN(offsets_, documents_.offsets.ToHost());
    // The library's interface has no const here; it does not write.
    return CreateMatrix(documents_.num_terms, documents_.num_documents, entries,
                        const_cast<uint32_t*>(documents_.list_offsets.data()),
                        const_cast<uint32_t*>(documents_.list_documents.data()),
                        list_values_.data(), &transpose_);
  }

  void MakePanels(int64_t panel_products) {
    panels_ = warpclust::MakePanels(offsets_, products_, panel_products);
  }
  int64_t num_panels() const { return static_cast<int64_t>(panels_.size()); }

  // Seconds for all panels.
  absl::StatusOr<double> Run(float beta) {
    ASSIGN_OR_RETURN(Event begin, Event::Create());
    ASSIGN_OR_RETURN(Event end, Event::Create());
    RETURN_IF_ERROR(num_edges_.FillBytes(0));
    RETURN_IF_ERROR(begin.Record(stream_));
    for (const Panel& panel : panels_) {
      RETURN_IF_ERROR(MultiplyPanel(panel, beta));
    }
    RETURN_IF_ERROR(end.Record(stream_));
    return end.SecondsSince(begin);
  }

  absl::StatusOr<int64_t> NumEdges() const {
    unsigned long long count = 0;
    RETURN_IF_ERROR(num_edges_.CopyToHost(absl::MakeSpan(&count, 1)));
    return static_cast<int64_t>(count);
  }

 private:
  absl::Status CreateMatrix(int64_t rows, int64_t columns, int64_t entries,
                            void* offsets, void* ids, void* values,
                            cusparseSpMatDescr_t* matrix) const {
    return sparse_.ToStatus(
        sparse_.create_csr(matrix, rows, columns, entries, offsets, ids, values,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
        "cusparseCreateCsr");
  }

  absl::Status MultiplyPanel(const Panel& panel, float beta) {
    RETURN_IF_ERROR(GrowTo(panel.rows + 1, panel_offsets_));
    RETURN_IF_ERROR(GrowTo(panel.rows + 1, product_offsets_));
    const cudaStream_t queue = stream_.get();
    PanelOffsetsKernel<<<BlocksFor(panel.rows + 1, kThreads), kThreads, 0,
                         queue>>>(panel.rows,
                                  documents_.offsets.data() + panel.first_row,
                                  panel_offsets_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("offsets of a panel"));
    cusparseSpMatDescr_t a = nullptr;
    cusparseSpMatDescr_t c = nullptr;
    cusparseSpGEMMDescr_t description = nullptr;
    absl::Status status = CreateMatrix(
        panel.rows, documents_.num_terms, panel.entries, panel_offsets_.data(),
        const_cast<int32_t*>(documents_.terms.data()) + panel.first_entry,
        values_.data() + panel.first_entry, &a);
    if (status.ok()) {
      status = CreateMatrix(panel.rows, documents_.num_documents, 0,
                            product_offsets_.data(), nullptr, nullptr, &c);
    }
    if (status.ok()) {
      status = sparse_.ToStatus(sparse_.create_description(&description),
                                "cusparseSpGEMM_createDescr");
    }
    if (status.ok()) status = Multiply(a, c, description);
    if (status.ok()) {
      CountEdgesKernel<<<panel.rows, kThreads, 0, queue>>>(
          panel.first_row, product_offsets_.data(), product_columns_.data(),
          product_values_.data(), beta, num_edges_.data());
      status = CudaLaunchStatus("count edges of a panel");
    }
    if (description != nullptr) sparse_.destroy_description(description);
    if (c != nullptr) sparse_.destroy_matrix(c);
    if (a != nullptr) sparse_.destroy_matrix(a);
    return status;
  }

  // c = a · transpose, by the steps of the library's generic interface.
  absl::Status Multiply(cusparseSpMatDescr_t a, cusparseSpMatDescr_t c,
                        cusparseSpGEMMDescr_t description) {
    const float one = 1;
    const float zero = 0;
    constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    constexpr auto kAlgorithm = CUSPARSE_SPGEMM_DEFAULT;
    const auto estimate = [&](size_t* bytes, void* buffer) {
      return sparse_.ToStatus(
          sparse_.work_estimation(sparse_.handle, kPlain, kPlain, &one, a,
                                  transpose_, &zero, c, CUDA_R_32F, kAlgorithm,
                                  description, bytes, buffer),
          "cusparseSpGEMM_workEstimation");
    };
    const auto compute = [&](size_t* bytes, void* buffer) {
      return sparse_.ToStatus(
          sparse_.compute(sparse_.handle, kPlain, kPlain, &one, a, transpose_,
                          &zero, c, CUDA_R_32F, kAlgorithm, description, bytes,
                          buffer),
          "cusparseSpGEMM_compute");
    };
    size_t bytes = 0;
    RETURN_IF_ERROR(estimate(&bytes, nullptr));
    RETURN_IF_ERROR(GrowTo(static_cast<int64_t>(bytes), work1_));
    RETURN_IF_ERROR(estimate(&bytes, work1_.data()));
    RETURN_IF_ERROR(compute(&bytes, nullptr));
    RETURN_IF_ERROR(GrowTo(static_cast<int64_t>(bytes), work2_));
    RETURN_IF_ERROR(compute(&bytes, work2_.data()));
    int64_t rows = 0;
    int64_t columns = 0;
    int64_t entries = 0;
    RETURN_IF_ERROR(
        sparse_.ToStatus(sparse_.get_size(c, &rows, &columns, &entries),
                         "cusparseSpMatGetSize"));
    RETURN_IF_ERROR(GrowTo(entries, product_columns_));
    RETURN_IF_ERROR(GrowTo(entries, product_values_));
    RETURN_IF_ERROR(sparse_.ToStatus(
        sparse_.set_pointers(c, product_offsets_.data(),
                             product_columns_.data(), product_values_.data()),
        "cusparseCsrSetPointers"));
    return sparse_.ToStatus(
        sparse_.copy(sparse_.handle, kPlain, kPlain, &one, a, transpose_, &zero,
                     c, CUDA_R_32F, kAlgorithm, description),
        "cusparseSpGEMM_copy");
  }

  CuSparse sparse_;
  const DeviceDocuments& documents_;
  Stream stream_;
  std::vector<int64_t> offsets_;
  std::vector<int64_t> products_;
  std::vector<Panel> panels_;
  cusparseSpMatDescr_t transpose_ = nullptr;
  DeviceBuffer<float> values_;
  DeviceBuffer<float> list_values_;
  DeviceBuffer<unsigned long long> num_edges_;
  DeviceBuffer<int32_t> panel_offsets_;
  DeviceBuffer<int32_t> product_offsets_;
  DeviceBuffer<int32_t> product_columns_;
  DeviceBuffer<float> product_values_;
  DeviceBuffer<unsigned char> work1_;
  DeviceBuffer<unsigned char> work2_;
};

}  // namespace

absl::StatusOr<LibraryBaselineResult> SpGemmBaseline(
    const DeviceDocuments& documents, const LibraryBaselineOptions& options) {
  ASSIGN_OR_RETURN(const CuSparse sparse, CuSparse::Open());
  LibraryBaselineResult result;
  if (documents.num_entries == 0) return result;
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  ResetDeviceMemoryPeak();
  SpGemm product(sparse, documents, std::move(stream));
  RETURN_IF_ERROR(product.Prepare());
  const auto beta = static_cast<float>(options.beta);
  // Only the library knows how much memory it needs beside the products: the
  // panels are halved until they fit.
  for (int64_t products = options.panel_products;; products /= 2) {
    product.MakePanels(products);
    absl::StatusOr<double> seconds = product.Run(beta);  // buffers grow
    if (seconds.ok()) seconds = product.Run(beta);
    if (seconds.ok()) {
      result.seconds = *seconds;
      break;
    }
    if (!absl::IsResourceExhausted(seconds.status()) || products < (1 << 22)) {
      return seconds.status();
    }
  }
  ASSIGN_OR_RETURN(result.num_edges, product.NumEdges());
  result.num_panels = product.num_panels();
  result.peak_bytes = DeviceMemoryPeakBytes();
  return result;
}

}  // namespace warpclust
