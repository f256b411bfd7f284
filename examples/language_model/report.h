#pragma once

#include <iosfwd>
#include <string>

namespace language_model {

/// What a run found out; losses and entropies in nats a byte on the held-out text.
struct Results {
    double held_out_loss = 0;
    double bigram_entropy = 0, trigram_entropy = 0, fourgram_entropy = 0;
    double bytes_per_second = 0;  ///< while training
    double seconds = 0;           ///< of the whole run
};

void print_results(std::ostream& out, const Results& results);

/// One object whose keys are the names of the fields.
std::string to_json(const Results& results);

}  // namespace language_model
