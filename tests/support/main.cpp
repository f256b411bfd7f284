// The main of every test binary. Its last line is for scripts/test, which adds the numbers up:
// [summary] 12 passed, 0 failed, 1 skipped

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#define FULGURITE_CATCH 3
#else
#define CATCH_CONFIG_RUNNER
#define FULGURITE_CATCH 2
#endif

#include <cstddef>
#include <iostream>
#include <string>

#include <fulgurite/tests/support/catch.h>

#if FULGURITE_CATCH == 2

namespace {
bool skipped_this_case = false;
}

void fulgurite::tests::skip(const char* file, int line, const std::string& reason) {
    skipped_this_case = true;
    std::cout << file << ":" << line << ": skipped: " << reason << "\n";
    throw Catch::TestFailureException();
}

namespace {
using ListenerBase = Catch::TestEventListenerBase;
}

#else

namespace {
using ListenerBase = Catch::EventListenerBase;
}

#endif

namespace {

class Summary : public ListenerBase {
public:
    using ListenerBase::ListenerBase;

#if FULGURITE_CATCH == 2
    void testCaseStarting(const Catch::TestCaseInfo& info) override {
        ListenerBase::testCaseStarting(info);
        skipped_this_case = false;
    }

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        ListenerBase::testCaseEnded(stats);
        if (skipped_this_case && stats.totals.testCases.allPassed()) {
            ++skipped_;
        }
    }
#endif

    void testRunEnded(const Catch::TestRunStats& stats) override {
        const auto& cases = stats.totals.testCases;
#if FULGURITE_CATCH == 2
        const std::size_t passed = cases.passed - skipped_;
        const std::size_t skipped = skipped_;
#else
        const auto passed = cases.passed;
        const auto skipped = cases.skipped;
#endif
        std::cout << "[summary] " << passed + cases.failedButOk << " passed, " << cases.failed << " failed, "
                  << skipped << " skipped" << std::endl;
        ListenerBase::testRunEnded(stats);
    }

#if FULGURITE_CATCH == 2
private:
    std::size_t skipped_ = 0;
#endif
};

CATCH_REGISTER_LISTENER(Summary)

}  // namespace

int main(int argc, char** argv) {
    Catch::Session session;
#if FULGURITE_CATCH == 3
    session.configData().allowZeroTests = true;  // as version 2: who adds up the summaries decides
#endif
    return session.run(argc, argv);
}
