#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace language_model {

/// How far training is: on a terminal a bar that is drawn over itself, elsewhere a line for every tenth of
/// the steps.
class Progress {
public:
    Progress(std::ostream& out, bool terminal, std::int64_t steps, std::int64_t bytes_a_step);

    void update(std::int64_t done, float loss);
    double bytes_per_second() const;

private:
    using Clock = std::chrono::steady_clock;

    void draw_bar(float loss);
    void write_line(float loss);
    std::string state(float loss) const;

    std::ostream& out_;
    bool terminal_;
    std::int64_t steps_, bytes_a_step_;
    std::int64_t done_ = 0;
    Clock::time_point start_ = Clock::now(), last_drawn_ = start_, last_update_ = start_;
};

}  // namespace language_model
