// The members of Tensor that are operations: each is the free function of its name.

#include <fulgurite/core/ops/reduction.h>
#include <fulgurite/core/ops/view.h>

namespace fulgurite {

Tensor Tensor::reshape(const Shape& shape, Line here) const {
    return fulgurite::reshape({*this, here}, shape);
}
Tensor Tensor::view(const Shape& shape, Line here) const { return fulgurite::view({*this, here}, shape); }
Tensor Tensor::permute(const Dims& dims, Line here) const { return fulgurite::permute({*this, here}, dims); }
Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1, Line here) const {
    return fulgurite::transpose({*this, here}, dim0, dim1);
}
Tensor Tensor::t(Line here) const { return fulgurite::t({*this, here}); }
Tensor Tensor::contiguous(Line here) const { return fulgurite::contiguous({*this, here}); }
Tensor Tensor::clone(Line here) const { return fulgurite::clone({*this, here}); }
Tensor Tensor::to(DType dtype, Line here) const { return fulgurite::to({*this, here}, dtype); }
Tensor Tensor::to(Device device, Line here) const { return fulgurite::to({*this, here}, device); }
Tensor Tensor::sum(Line here) const { return fulgurite::sum({*this, here}); }
Tensor Tensor::mean(Line here) const { return fulgurite::mean({*this, here}); }

Tensor Tensor::operator[](Subscript index) const {
    const LocationScope location(index.where);
    return select(*this, 0, index.index);
}

}  // namespace fulgurite
