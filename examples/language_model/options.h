#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "train.h"

namespace language_model {

/// The command line is wrong; the message is one line for the user.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::string text;  ///< a file; empty for the King James text
    std::string json;  ///< the file for the results; empty for none
    TrainOptions training;
    std::size_t sample_length = 400;
    double temperature = 0.7;
};

/// Nothing after --help, which is printed. Throws UsageError.
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace language_model
