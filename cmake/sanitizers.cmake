# FULGURITE_SANITIZE=address,undefined or thread: for the library and everything beside it, without recovery.
if(FULGURITE_SANITIZE)
    set(flags -fsanitize=${FULGURITE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_compile_options(${flags})
    add_link_options(${flags})
endif()
