#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fulgurite/fulgurite.h>
#include <fulgurite/tests/support/catch.h>

namespace fulgurite::tests {

/// The elements of a tensor of any dtype and layout, row by row.
inline std::vector<double> values(const Tensor& tensor) {
    const Tensor wide = tensor.to(float64).contiguous();
    const auto elements = wide.span<double>();
    return {elements.begin(), elements.end()};
}

using List = std::vector<double>;

/// Calls of a symbol that a trace makes itself; the parts of composites do not count.
inline int count_calls(const Trace& trace, std::string_view symbol) {
    return static_cast<int>(
        std::count_if(trace.body.begin(), trace.body.end(),
                      [&](const BoundSymbolPtr& call) { return call->symbol->name == symbol; }));
}

/// The text of the E that `f` throws; fails the test where it throws nothing or something else.
template <class E, class F>
std::string thrown(F&& f) {
    try {
        f();
    } catch (const E& error) {
        return error.what();
    }
    FAIL("expected an exception, got none");
    return {};
}

/// Whether two tensors have one storage.
inline bool share_storage(const Tensor& a, const Tensor& b) {
    return a.node().storage.get() == b.node().storage.get();
}

}  // namespace fulgurite::tests
