#include <fulgurite/core/device.h>

namespace fulgurite {

std::string to_string(Device device) {
    if (device.type == DeviceType::cpu) {
        return "cpu";
    }
    return "cuda:" + std::to_string(device.index);
}

}  // namespace fulgurite
