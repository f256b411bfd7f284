#include "progress.h"

#include <ostream>

#include <fmt/format.h>

namespace language_model {

Progress::Progress(std::ostream& out, bool terminal, std::int64_t steps, std::int64_t bytes_a_step)
    : out_(out), terminal_(terminal), steps_(steps), bytes_a_step_(bytes_a_step) {}

void Progress::update(std::int64_t done, float loss) {
    const std::int64_t tenths_before = done_ * 10 / steps_;
    done_ = done;
    last_update_ = Clock::now();
    if (terminal_) {
        const bool due = last_update_ - last_drawn_ > std::chrono::milliseconds(100);
        if (due || done == steps_) {
            draw_bar(loss);
        }
    } else if (done * 10 / steps_ > tenths_before) {
        write_line(loss);
    }
}

double Progress::bytes_per_second() const {
    const double seconds = std::chrono::duration<double>(last_update_ - start_).count();
    return seconds > 0 ? static_cast<double>(done_ * bytes_a_step_) / seconds : 0;
}

std::string Progress::state(float loss) const {
    return fmt::format("step {} of {}, loss {:.3f}, {:.0f} bytes/s", done_, steps_, loss, bytes_per_second());
}

void Progress::draw_bar(float loss) {
    constexpr std::int64_t width = 30;
    const auto filled = static_cast<std::size_t>(done_ * width / steps_);
    last_drawn_ = last_update_;
    out_ << fmt::format("\r[{:<{}}] {}\x1b[K", std::string(filled, '#'), width, state(loss));
    out_ << (done_ == steps_ ? "\n" : "") << std::flush;
}

void Progress::write_line(float loss) { out_ << state(loss) << std::endl; }

}  // namespace language_model
