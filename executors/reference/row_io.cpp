#include <fulgurite/executors/reference/row_io.h>

#include <array>

#include <fulgurite/executors/reference/dispatch.h>
#include <fulgurite/executors/reference/element.h>

namespace fulgurite::reference {

namespace {

template <class T, class C>
void load(void* row, const void* from, std::int64_t stride, std::int64_t n) {
    C* const out = static_cast<C*>(row);
    const T* const in = static_cast<const T*>(from);
    if (stride == 1) {
        for (std::int64_t i = 0; i < n; ++i) {
            out[i] = element_cast<C>(in[i]);
        }
    } else if (stride == 0) {
        const C value = element_cast<C>(*in);
        for (std::int64_t i = 0; i < n; ++i) {
            out[i] = value;
        }
    } else {
        for (std::int64_t i = 0; i < n; ++i) {
            out[i] = element_cast<C>(in[i * stride]);
        }
    }
}

template <class T, class C>
void store(void* to, std::int64_t stride, const void* row, std::int64_t n) {
    T* const out = static_cast<T*>(to);
    const C* const in = static_cast<const C*>(row);
    if (stride == 1) {
        for (std::int64_t i = 0; i < n; ++i) {
            out[i] = element_cast<T>(in[i]);
        }
    } else {
        for (std::int64_t i = 0; i < n; ++i) {
            out[i * stride] = element_cast<T>(in[i]);
        }
    }
}

template <class F>
decltype(auto) dispatch_compute(Compute compute, F&& f) {
    switch (compute) {
        case Compute::float32:
            return f(Type<float>{});
        case Compute::float64:
            return f(Type<double>{});
        case Compute::int64:
            return f(Type<std::int64_t>{});
    }
    __builtin_unreachable();
}

}  // namespace

LoadRow load_row(DType from, Compute to) {
    return dispatch(from, [to]<class T>(Type<T>) {
        return dispatch_compute(to, []<class C>(Type<C>) -> LoadRow { return &load<T, C>; });
    });
}

StoreRow store_row(Compute from, DType to) {
    return dispatch(to, [from]<class T>(Type<T>) {
        return dispatch_compute(from, []<class C>(Type<C>) -> StoreRow { return &store<T, C>; });
    });
}

}  // namespace fulgurite::reference
