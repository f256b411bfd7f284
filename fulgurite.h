#pragma once

#include <fulgurite/core/version.h>
