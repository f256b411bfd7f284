#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fulgurite/core/trace.h>

namespace fulgurite {

/// The traces after every pass, in order, each named and timed. They share their bound symbols, and nothing
/// is printed until somebody asks.
class PassLog {
public:
    void add(Trace trace) { traces_.push_back(std::move(trace)); }
    void add_all(const PassLog& other) {
        traces_.insert(traces_.end(), other.traces_.begin(), other.traces_.end());
    }
    /// Runs one pass, and keeps what it gives.
    template <class F>
    Trace run(std::string name, const Trace& trace, F&& pass) {
        const auto start = std::chrono::steady_clock::now();
        Trace out = pass(trace);
        out.pass = std::move(name);
        out.unchanged = out.body == trace.body && out.outputs == trace.outputs;
        out.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        traces_.push_back(out);
        return out;
    }
    const std::vector<Trace>& traces() const { return traces_; }

private:
    std::vector<Trace> traces_;
};

}  // namespace fulgurite
