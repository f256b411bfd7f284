#include <fulgurite/fulgurite.h>
