# Run at every build: writes OUT, C that holds PAGE; if there is none, that of a
# release, RELEASED; or nothing.
cmake_minimum_required(VERSION 3.25)
set(sum none)
set(bytes "0, ")
set(len 0)
if(NOT EXISTS ${PAGE})
	set(PAGE ${RELEASED})
endif()
if(EXISTS ${PAGE})
	file(SHA256 ${PAGE} sum)
endif()
set(mark "/* page.c - made of the page whose SHA-256 is ${sum} */")
if(EXISTS ${OUT})
	file(STRINGS ${OUT} was LIMIT_COUNT 1)
	if(was STREQUAL mark)
		return()
	endif()
endif()
if(EXISTS ${PAGE})
	file(SIZE ${PAGE} len)
	file(READ ${PAGE} bytes HEX)
	string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
endif()
file(WRITE ${OUT} "${mark}
#include \"page.h\"
const uint8_t csum_page[] = {${bytes}};
const size_t csum_page_len = ${len};
")
