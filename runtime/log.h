#pragma once

#include <functional>
#include <string_view>

namespace fulgurite {

enum class LogLevel { debug, info, warning, error };

/// Where messages go; the default writes warnings and errors to stderr. An empty sink silences everything.
/// The sink may be called from any thread, one call at a time.
using LogSink = std::function<void(LogLevel, std::string_view)>;
void set_log_sink(LogSink sink);

void log(LogLevel level, std::string_view message);

}  // namespace fulgurite
