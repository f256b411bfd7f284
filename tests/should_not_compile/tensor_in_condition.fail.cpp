// expect: could not convert|cannot convert|no match|not convertible
#include <fulgurite/fulgurite.h>

namespace fg = fulgurite;

bool positive(const fg::Tensor& x) { return x > 0; }
