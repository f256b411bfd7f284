#include <fulgurite/runtime/log.h>

#include <iostream>
#include <mutex>

namespace fulgurite {

namespace {
struct State {
    std::mutex mutex;
    LogSink sink = [](LogLevel level, std::string_view message) {
        if (level >= LogLevel::warning) std::cerr << "fulgurite: " << message << '\n';
    };
};
State& state() {
    static auto* const instance = new State;
    return *instance;
}
}  // namespace

void set_log_sink(LogSink sink) {
    const std::lock_guard lock(state().mutex);
    state().sink = std::move(sink);
}

void log(LogLevel level, std::string_view message) {
    const std::lock_guard lock(state().mutex);
    if (state().sink) state().sink(level, message);
}

}  // namespace fulgurite
