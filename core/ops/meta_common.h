#pragma once

#include <fulgurite/core/errors.h>
#include <fulgurite/core/tensor.h>

/// Checks that the metas of several families share. Errors name the op, what it expected and what came.
namespace fulgurite::meta {

/// "float32[2, 3]" of a tensor, "2.5" or "true" of a number.
std::string describe(const Operand& operand);

void require_defined(const char* op, const Tensor& x);
void require_index(const char* op, const Tensor& index);
void require_floating(const char* op, const Tensor& x);
void require_same_dtype(const char* op, const Tensor& a, const Tensor& b);
void require_same_device(const char* op, const Tensor& a, const Tensor& b);
/// 0 <= dim < rank.
void require_dim(const char* op, const Tensor& x, std::int64_t dim);
/// Distinct dimensions, each 0 <= dim < rank.
void require_dims(const char* op, const Tensor& x, const Dims& dims);
/// One entry a dimension of x.
void require_rank(const char* op, const Tensor& x, const Dims& list, const char* what);
/// A C++ number, or a 0-dim tensor.
void require_number(const char* op, const Operand& value);

}  // namespace fulgurite::meta
