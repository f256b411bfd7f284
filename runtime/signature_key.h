#pragma once

#include <cstring>
#include <string>

#include <fulgurite/core/pytree.h>

namespace fulgurite {

/// The bytes by which programs are found: structure, statics, and each tensor's dtype, device, shape and
/// strides (those of size-1 dimensions do not count). Scalars and eager numbers add their type only.
class SignatureKey {
public:
    void clear() { bytes_.clear(); }
    const std::string& bytes() const { return bytes_; }

    void add(std::int64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void add(const std::string& text) {
        add(static_cast<std::int64_t>(text.size()));
        bytes_ += text;
    }
    void add(const Atom& atom) {
        bytes_.push_back(static_cast<char>(atom.kind));
        add(atom.bits);
    }
    void add(const Tensor& tensor) {
        if (!tensor.defined()) {
            bytes_.push_back('n');
            return;
        }
        const TensorSpec& spec = tensor.spec();
        char head[6] = {'t',
                        static_cast<char>(spec.dtype),
                        static_cast<char>(spec.device.type),
                        static_cast<char>(spec.device.index),
                        static_cast<char>(spec.shape.size()),
                        static_cast<char>(spec.weak)};
        bytes_.append(head, sizeof head);
        bytes_.append(reinterpret_cast<const char*>(spec.shape.data()),
                      static_cast<std::size_t>(spec.rank()) * 8);
        for (int i = 0; i < spec.rank(); ++i) add(spec.shape[i] == 1 ? std::int64_t{0} : spec.strides[i]);
    }

private:
    std::string bytes_;
};

}  // namespace fulgurite
