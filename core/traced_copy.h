#pragma once

#include <string>
#include <vector>

#include <fulgurite/core/number_tensor.h>
#include <fulgurite/core/pytree.h>
#include <fulgurite/core/tracing.h>

namespace fulgurite::detail {

/// The name of an argument in the trace: "p" for the only one would be a guess, so they are numbered.
inline std::string argument_name(std::size_t index) { return "arg" + std::to_string(index); }

/// Copies of arguments in which every tensor and Scalar is an input of a scope, and what was there before.
class TracedInputs {
public:
    explicit TracedInputs(TraceScope& scope) : scope_(scope) {}

    /// A copy of the next argument with fresh inputs for leaves, named by their paths.
    template <class T>
    T copy(const T& value) {
        T traced = value;
        Replacer replacer(*this, leaf_paths(value, argument_name(ends.size())));
        walk(traced, replacer);
        ends.push_back(values.size());
        return traced;
    }

    /// The values of the inputs, and the concrete (or abstract) tensors that they stood for, in order.
    std::vector<ValueId> values;
    std::vector<Tensor> tensors;
    /// Where the leaves of each copy end.
    std::vector<std::size_t> ends;

private:
    class Replacer : public PyTreeVisitor {
    public:
        Replacer(TracedInputs& inputs, std::vector<std::string> paths)
            : inputs_(inputs), paths_(std::move(paths)) {}
        using PyTreeVisitor::tensor;
        void tensor(Tensor& leaf) {
            if (leaf.defined()) leaf = inputs_.add(leaf, paths_[next_++]);
        }
        void operand(Operand& leaf) {
            if (leaf.is_tensor()) leaf = Operand(inputs_.add(leaf.tensor(), paths_[next_++]));
        }
        template <class T>
        void scalar(Scalar<T>& leaf) {
            const T value = leaf.unguarded_value();
            leaf = Scalar<T>(value, inputs_.add(number_tensor(Number(value)), paths_[next_++]));
        }
        using PyTreeVisitor::scalar;

    private:
        TracedInputs& inputs_;
        std::vector<std::string> paths_;
        std::size_t next_ = 0;
    };

    Tensor add(const Tensor& leaf, std::string path) {
        const Tensor input = scope_.add_input(leaf.spec(), std::move(path));
        values.push_back(scope_.value_of(input));
        tensors.push_back(leaf);
        return input;
    }

    TraceScope& scope_;
};

/// What an abstract argument is taken for: a TensorSpec stands for a tensor.
template <class T>
using pytree_of =
    std::conditional_t<std::is_same_v<std::remove_cvref_t<T>, TensorSpec>, Tensor, std::remove_cvref_t<T>>;

}  // namespace fulgurite::detail
