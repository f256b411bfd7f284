#pragma once

#include <cstdint>
#include <string>

namespace fulgurite {

enum class DeviceType : std::uint8_t { cpu, cuda };

/// Where a tensor's elements live: `cpu`, or `cuda(index)`.
struct Device {
    DeviceType type = DeviceType::cpu;
    std::int16_t index = 0;
    friend constexpr bool operator==(Device, Device) = default;
};

inline constexpr Device cpu{};
constexpr Device cuda(int index = 0) { return {DeviceType::cuda, static_cast<std::int16_t>(index)}; }

/// "cpu", "cuda:0".
std::string to_string(Device device);

}  // namespace fulgurite
