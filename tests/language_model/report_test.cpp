#include <fulgurite/examples/language_model/report.h>

#include <algorithm>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include <fulgurite/examples/language_model/progress.h>
#include <fulgurite/tests/support/catch.h>

using namespace language_model;

namespace {

const Results results{.held_out_loss = 1.625,
                      .bigram_entropy = 2.5,
                      .trigram_entropy = 2.25,
                      .fourgram_entropy = 1.75,
                      .bytes_per_second = 1e5,
                      .seconds = 60.5};

std::string progress_of(bool terminal, std::int64_t steps) {
    std::ostringstream out;
    Progress progress(out, terminal, steps, 256);
    for (std::int64_t done = 1; done <= steps; ++done) {
        progress.update(done, 1.5F);
    }
    return out.str();
}

}  // namespace

TEST_CASE("the report has a line for each number", "[language_model]") {
    std::ostringstream out;
    print_results(out, results);
    CHECK(out.str() ==
          "held-out loss: 1.6250 nats/byte\nbigram entropy: 2.5000 nats/byte\n"
          "trigram entropy: 2.2500 nats/byte\n4-gram entropy: 1.7500 nats/byte\n"
          "trained on 100000 bytes/s; 60.5 s in all\n");
}

TEST_CASE("the JSON report has a key for each number", "[language_model]") {
    const auto json = nlohmann::json::parse(to_json(results));
    CHECK(json.size() == 6);
    CHECK(json.at("held_out_loss") == 1.625);
    CHECK(json.at("bigram_entropy") == 2.5);
    CHECK(json.at("trigram_entropy") == 2.25);
    CHECK(json.at("fourgram_entropy") == 1.75);
    CHECK(json.at("bytes_per_second") == 1e5);
    CHECK(json.at("seconds") == 60.5);
}

TEST_CASE("on a pipe progress is a line for every tenth", "[language_model]") {
    const std::string text = progress_of(false, 400);
    CHECK(std::count(text.begin(), text.end(), '\n') == 10);
    CHECK_THAT(text, StartsWith("step 40 of 400, loss 1.500, "));
    CHECK_THAT(text, ContainsSubstring("step 400 of 400, loss 1.500, ") && EndsWith(" bytes/s\n"));
    const std::string few = progress_of(false, 3);
    CHECK(std::count(few.begin(), few.end(), '\n') == 3);
}

TEST_CASE("on a terminal progress is a bar that ends full", "[language_model]") {
    const std::string text = progress_of(true, 400);
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    CHECK_THAT(text,
               StartsWith("\r[") && ContainsSubstring("[" + std::string(30, '#') + "] step 400 of 400"));
}
