#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fulgurite/core/tensor.h>

/// Programs drawn at random: the same seed gives the same program, on every machine.
namespace fulgurite::tests {

/// splitmix64: small, and the same everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// From 0 to count - 1.
    std::int64_t below(std::int64_t count) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(count));
    }
    bool one_in(std::int64_t count) { return below(count) == 0; }
    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[static_cast<std::size_t>(below(static_cast<std::int64_t>(from.size())))];
    }

private:
    std::uint64_t state_;
};

struct ProgramOptions {
    bool smooth = false;  ///< float64, and functions with gradients that finite differences can check
};

struct Step {
    std::string text;
    std::function<Tensor(const Tensor&, const Tensor&)> op;
    std::size_t a, b;  ///< values: the inputs, then the results of the steps
};

struct RandomProgram {
    std::vector<Tensor> inputs;
    std::vector<Step> steps;
    std::vector<std::size_t> outputs;

    /// The outputs for other inputs of the same shapes.
    std::vector<Tensor> operator()(const std::vector<Tensor>& given) const;
};

RandomProgram random_program(std::uint64_t seed, ProgramOptions options = {});
std::string to_string(const RandomProgram& program);

}  // namespace fulgurite::tests
