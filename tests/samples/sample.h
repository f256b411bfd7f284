#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fulgurite/core/op.h>
#include <fulgurite/tests/samples/values.h>

/// The one table of op samples: what every test of operations, of executors and of gradients runs over.
namespace fulgurite::tests {

/// An operation with arguments.
struct Sample {
    const Symbol* op = nullptr;
    Flat arguments;
    std::string key;          ///< names it: the op, the arguments and a hash of their elements
    Tolerance slack{1, 1};    ///< factors on the tolerance of its dtypes
    std::string no_gradient;  ///< why finite differences cannot check it; empty where they can
    std::string
        no_low_precision;   ///< why a result in low precision has nothing to do with the one in float64
    std::string no_second;  ///< why its gradient is not differentiated
    std::string
        own_eager;  ///< why eager calls are other programs than traced ones: equal within tolerance only
    std::string no_layouts;  ///< why it is not run on other layouts of its tensors

    /// Its gradient is not looked at.
    Sample& not_smooth(std::string why = "at a kink, a step or infinity") {
        no_gradient = std::move(why);
        return *this;
    }
    Sample& only_exact(std::string why) {
        no_low_precision = std::move(why);
        return *this;
    }
    Sample& once(std::string why) {
        no_second = std::move(why);
        return *this;
    }
    Sample& differs_eagerly(std::string why) {
        own_eager = std::move(why);
        return *this;
    }
    Sample& one_layout(std::string why) {
        no_layouts = std::move(why);
        return *this;
    }
    /// Errors of so many single operations add up.
    Sample& within(double factor) {
        slack = {factor, factor};
        return *this;
    }
};

/// A mistake, and what must be said about it.
struct ErrorSample {
    std::string name;  ///< what the message begins with: "[name]"
    std::function<void()> call;
    std::vector<Tensor> inputs;  ///< they are as before after the call
    std::string error;           ///< the expected type's name
    std::function<bool(const std::exception&)> is_expected;
    std::string text;  ///< what the message contains
};

/// Runs an op as users do: records it while a trace is active, evaluates it otherwise.
inline Flat run(const Sample& sample) { return detail::dispatch(*sample.op, sample.arguments); }
/// The same with other tensors in the place of the sample's.
Flat run_with(const Sample& sample, const std::vector<Tensor>& tensors);

/// The table while it is filled; each family's file adds to it.
class SampleTable {
public:
    template <class R, class... A>
    Sample& add(const Op<R(A...)>& op, const std::type_identity_t<A>&... arguments) {
        return add_flat(op.symbol(), tree_flatten(arguments...));
    }
    template <class E, class R, class... A>
    void error(const Op<R(A...)>& op, std::string text, const std::type_identity_t<A>&... arguments) {
        const Symbol* const symbol = &op.symbol();
        const Flat flat = tree_flatten(arguments...);
        add_error<E>(
            symbol->name, std::move(text), [symbol, flat] { detail::dispatch(*symbol, flat); }, flat.tensors);
    }
    /// For functions that are not ops themselves.
    template <class E>
    void add_error(std::string name, std::string text, std::function<void()> call,
                   std::vector<Tensor> inputs = {}) {
        errors_.push_back({std::move(name), std::move(call), std::move(inputs), type_name<E>(),
                           [](const std::exception& error) { return typeid(error) == typeid(E); },
                           std::move(text)});
    }

    std::vector<Sample> take_samples() { return std::move(samples_); }
    std::vector<ErrorSample> take_errors() { return std::move(errors_); }

private:
    template <class E>
    static std::string type_name() {
        return std::string(detail::type_name<E>());
    }
    Sample& add_flat(const Symbol& op, Flat arguments);

    std::vector<Sample> samples_;
    std::vector<ErrorSample> errors_;
};

void add_pointwise_samples(SampleTable& table);
void add_unary_samples(SampleTable& table);
void add_reduction_samples(SampleTable& table);
void add_view_samples(SampleTable& table);
void add_index_samples(SampleTable& table);
void add_matmul_samples(SampleTable& table);
void add_nn_samples(SampleTable& table);
void add_create_samples(SampleTable& table);

/// The whole table, or the samples whose key contains FULGURITE_SAMPLE, where that is set. Made once.
const std::vector<Sample>& all_samples();
const std::vector<ErrorSample>& all_error_samples();

/// Arguments as JSON, by their schema: `[{"tensor": 0}, {"dim": [1], "keepdim": true}]`. Fields with their
/// defaults are left out; infinities and NaN are strings. `tensor(i)` writes the tensor number i.
std::string arguments_json(const Schema& schema, const Flat& flat,
                           const std::function<std::string(std::size_t)>& tensor);

inline constexpr DType floating_dtypes[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16};
inline constexpr DType integer_dtypes[] = {DType::int64, DType::int32, DType::uint8};

}  // namespace fulgurite::tests
