// expect: assignment of read-only location
#include <fulgurite/fulgurite.h>

void change() { fulgurite::version()[0] = '9'; }
