#include <iostream>

#include <fulgurite/fulgurite.h>

int main() { std::cout << "fulgurite " << fulgurite::version() << "\n"; }
