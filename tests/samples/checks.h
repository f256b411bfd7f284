#pragma once

#include <functional>
#include <string>

#include <fulgurite/core/executor.h>
#include <fulgurite/tests/samples/sample.h>

/// What must hold for a sample, for any list of executors (empty: the default). Each returns what is wrong in
/// words, or an empty string.
namespace fulgurite::tests {

using Executors = std::vector<ExecutorRef>;

/// The whole op, its parts one by one, and the jitted op give the same bits, with the metadata that tracing
/// promised; the inputs are as before.
std::string check_jit(const Sample& sample, const Executors& executors = {});

/// The result is that of float64, within the tolerance of its dtype.
std::string check_precision(const Sample& sample, const Executors& executors = {});

/// Inputs that lie otherwise in memory give the same result.
std::string check_layout(const Sample& sample, Layout layout, const Executors& executors = {});
bool has_layout(const Sample& sample, Layout layout);

/// Whether floats go in and floats come out.
bool is_floating(const Sample& sample);
/// The gradient of the weighted sum of the results, in float64, against finite differences.
std::string check_gradient(const Sample& sample);
/// The gradient of a weighted sum of that gradient.
std::string check_second_gradient(const Sample& sample);
/// The gradient in the sample's own dtypes has their dtypes, and is that in float64 within tolerance.
std::string check_gradient_precision(const Sample& sample, const Executors& executors = {});

/// parse(print(trace)) == trace, as traced and as claimed.
std::string check_text(const Sample& sample);

/// The mistake is told as documented, and leaves its inputs as they are.
std::string check_error(const ErrorSample& sample);

/// The results and gradients (empty where there are none) of the weighted sum of the floating results: what
/// golden files hold.
struct Gradients {
    std::vector<Tensor> results;
    std::vector<Tensor> gradients;  ///< of the floating inputs, in order
};
Gradients gradients_of(const Sample& sample);
/// The fixed weights of a result of this shape (float64).
Tensor weights_for(const Shape& shape);

/// The sample with every floating dtype made float64.
Sample in_float64(const Sample& sample);

/// float64 is the default dtype while it lives.
class DefaultDType {
public:
    explicit DefaultDType(DType dtype) : before_(default_dtype()) { set_default_dtype(dtype); }
    ~DefaultDType() { set_default_dtype(before_); }
    DefaultDType(const DefaultDType&) = delete;
    DefaultDType& operator=(const DefaultDType&) = delete;

private:
    DType before_;
};

}  // namespace fulgurite::tests
