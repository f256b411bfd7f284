#include <fulgurite/core/number_tensor.h>

#include <cstring>

namespace fulgurite {

Tensor number_tensor(const Number& number) {
    TensorSpec spec({}, detail::weak_dtype(number.category()));
    spec.weak = true;
    const auto bytes = static_cast<std::size_t>(size_of(spec.dtype));
    auto storage = StoragePtr::adopt(Storage::allocate(bytes, cpu));
    if (number.category() == Category::floating) {
        const double value = number.as_double();
        std::memcpy(storage->data(), &value, bytes);
    } else if (number.category() == Category::integer) {
        const std::int64_t value = number.as_int();
        std::memcpy(storage->data(), &value, bytes);
    } else {
        const bool value = number.as_bool();
        std::memcpy(storage->data(), &value, bytes);
    }
    return Tensor::concrete(spec, std::move(storage));
}

}  // namespace fulgurite
