# Run at every build: writes OUT with the commit of the sources in DIR.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${DIR} describe --always --dirty --abbrev=12
	OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
	ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
	set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define LAB_COMMIT \"@commit@\"\n" @ONLY)
