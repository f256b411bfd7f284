#pragma once

#include <exception>
#include <string>

#include <fulgurite/tests/samples/checks.h>
#include <fulgurite/tests/support/catch.h>

namespace fulgurite::tests {

/// Runs a check over samples; each that fails is named, and the others go on.
template <class Samples, class Check>
void for_samples(const Samples& samples, const std::string& (*name)(const typename Samples::value_type&),
                 const Check& check) {
    for (const auto& sample : samples) {
        std::string problem;
        try {
            problem = check(sample);
        } catch (const std::exception& error) {
            problem = std::string("threw ") + error.what();
        }
        if (!problem.empty()) FAIL_CHECK(name(sample) << "\n  " << problem);
    }
    SUCCEED();
}

template <class Check>
void for_all_samples(const Check& check) {
    for_samples(all_samples(), +[](const Sample& sample) -> const std::string& { return sample.key; }, check);
}

}  // namespace fulgurite::tests
