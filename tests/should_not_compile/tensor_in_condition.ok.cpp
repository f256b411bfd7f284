#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

bool positive(const fg::Tensor& x) { return static_cast<bool>(x > 0); }
