#include "options.h"

#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

namespace language_model {

namespace {
void declare(CLI::App& app, Options& options) {
    TrainOptions& training = options.training;
    app.add_option("--text", options.text, "The text to learn; by default what `bible` prints")
        ->type_name("FILE");
    app.add_option("--steps", training.steps, "Training steps")->check(CLI::Range(1, 100'000'000));
    app.add_option("--batch", training.batch, "Bytes predicted in a step")->check(CLI::Range(1, 65536));
    app.add_option("--learning-rate", training.learning_rate, "At its peak")->check(CLI::Range(1e-9, 10.0));
    app.add_option("--seed", training.seed, "Of the weights, the batches and the sample")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--sample", options.sample_length, "Bytes to write after training")
        ->check(CLI::Range(0, 1'000'000));
    app.add_option("--temperature", options.temperature, "Of the sample")->check(CLI::Range(0.01, 100.0));
    app.add_option("--json", options.json, "Write the results to this file")->type_name("FILE");
    for (CLI::Option* option : app.get_options()) {
        option->capture_default_str();
    }
}

std::string one_line(std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    return message;
}
}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv) {
    CLI::App app("Learns to predict the next byte of a text from the 16 before it.", "language_model");
    Options options;
    declare(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help();
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        throw UsageError(one_line(error.what()) + " (see --help)");
    }
    for (const char* name : {"--text", "--json"}) {
        if (app.count(name) != 0 && app[name]->as<std::string>().empty()) {
            throw UsageError(std::string(name) + " needs the name of a file (see --help)");
        }
    }
    return options;
}

}  // namespace language_model
