// Trains a small language model on a text, and compares its loss on the held-out tenth with n-gram models'.

#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>

#include <unistd.h>

#include "ngram.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "sample.h"
#include "text.h"
#include "train.h"

namespace language_model {
namespace {

/// Opened before the training, so that a name that cannot be written costs no time.
std::ofstream open_json(const std::string& path) {
    std::ofstream file;
    if (!path.empty()) {
        file.open(path);
        if (!file) {
            throw UsageError("--json: cannot write '" + path + "'");
        }
    }
    return file;
}

Model train_and_show(Bytes text, const TrainOptions& options, Results& results) {
    Progress progress(std::cout, isatty(STDOUT_FILENO) == 1, options.steps, options.batch);
    Model model = train(text, options, [&](std::int64_t done, float loss) { progress.update(done, loss); });
    results.bytes_per_second = progress.bytes_per_second();
    return model;
}

void measure_ngrams(const Text& text, Results& results) {
    const NgramModel ngrams(text.training());
    results.bigram_entropy = cross_entropy(ngrams, text.held_out(), 2);
    results.trigram_entropy = cross_entropy(ngrams, text.held_out(), 3);
    results.fourgram_entropy = cross_entropy(ngrams, text.held_out(), 4);
}

void show_sample(const Model& model, Bytes context, const Options& options) {
    std::mt19937_64 random(options.training.seed);
    const NextByte next_byte = [&](Bytes bytes) { return next_byte_probabilities(model, bytes); };
    std::cout << "\n"
              << sample(next_byte, context, options.sample_length, options.temperature, random) << "\n\n";
}

void run(const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    const Text text = options.text.empty() ? run_text_program(king_james) : read_text(options.text);
    std::ofstream json = open_json(options.json);
    std::cout << "text: " << text.bytes.size() << " bytes, " << text.held_out().size()
              << " of them held out\n";

    Results results;
    const Model model = train_and_show(text.training(), options.training, results);
    results.held_out_loss = mean_loss(model, text.held_out());
    if (!std::isfinite(results.held_out_loss)) {
        throw std::runtime_error("the training diverged: the held-out loss is not finite");
    }
    measure_ngrams(text, results);
    results.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    show_sample(model, text.training().last(context_length), options);
    print_results(std::cout, results);
    if (json.is_open() && !(json << to_json(results) << std::flush)) {
        throw std::runtime_error("cannot write the results to '" + options.json + "'");
    }
}

int fail(const std::exception& error, int status) {
    std::cerr << "language_model: " << error.what() << "\n";
    return status;
}

}  // namespace
}  // namespace language_model

int main(int argc, char** argv) {
    using namespace language_model;
    try {
        if (const auto options = parse_options(argc, argv)) {
            run(*options);
        }
        return 0;
    } catch (const UsageError& error) {
        return fail(error, 2);
    } catch (const TextError& error) {
        return fail(error, 2);
    } catch (const std::exception& error) {
        return fail(error, 1);
    }
}
