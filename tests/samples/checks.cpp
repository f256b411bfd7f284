#include <fulgurite/tests/samples/sample.h>
