#include <fulgurite/fulgurite.h>

char look() { return fulgurite::version()[0]; }
