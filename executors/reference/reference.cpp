#include <fulgurite/executors/reference/reference.h>

#include <cstring>

#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/element.h>
#include <fulgurite/executors/reference/table.h>

namespace fulgurite {

namespace reference {

Number number_of(const Operand& operand) {
    if (!operand.is_tensor()) return operand.number();
    const Tensor& value = operand.tensor();
    switch (category_of(value.dtype())) {
        case Category::boolean:
            return value.item<bool>();
        case Category::integer:
            return value.item<std::int64_t>();
        default:
            return value.item<double>();
    }
}

namespace {
const Shape no_dims;

void write_element(void* cell, DType dtype, const Number& number) {
    dispatch(dtype, [&]<class T>(Type<T>) {
        const T value = number.category() == Category::floating ? element_cast<T>(number.as_double())
                                                                : element_cast<T>(number.as_int());
        std::memcpy(cell, &value, sizeof value);
    });
}
}  // namespace

Input::Input(const Operand& operand, DType dtype) {
    if (!is_weak(operand)) {
        view_ = view_of(operand.tensor());
        return;
    }
    write_element(&cell_, dtype, number_of(operand));
    view_ = {&cell_, dtype, &no_dims, &no_dims};
}

}  // namespace reference

std::shared_ptr<OperatorExecutor> make_reference_executor() {
    auto executor = std::make_shared<OperatorExecutor>("reference", "1");
    reference::add_pointwise(*executor);
    reference::add_reductions(*executor);
    reference::add_copies(*executor);
    reference::add_indexing(*executor);
    reference::add_matmul(*executor);
    return executor;
}

}  // namespace fulgurite
