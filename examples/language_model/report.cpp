#include "report.h"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace language_model {

void print_results(std::ostream& out, const Results& results) {
    const auto line = [&](const char* name, double value) {
        out << fmt::format("{}: {:.4f} nats/byte\n", name, value);
    };
    line("held-out loss", results.held_out_loss);
    line("bigram entropy", results.bigram_entropy);
    line("trigram entropy", results.trigram_entropy);
    line("4-gram entropy", results.fourgram_entropy);
    out << fmt::format("trained on {:.0f} bytes/s; {:.1f} s in all\n", results.bytes_per_second,
                       results.seconds);
}

std::string to_json(const Results& results) {
    const nlohmann::ordered_json json = {
        {"held_out_loss", results.held_out_loss},       {"bigram_entropy", results.bigram_entropy},
        {"trigram_entropy", results.trigram_entropy},   {"fourgram_entropy", results.fourgram_entropy},
        {"bytes_per_second", results.bytes_per_second}, {"seconds", results.seconds},
    };
    return json.dump(4) + "\n";
}

}  // namespace language_model
