# The habits, one word each.  Every one is a script that does its own set-up.

.PHONY: help demo test test-slow cross setup build bench report page format lint mutate install

help:
	@sed -n 's/^## //p' Makefile

## make demo       build, verify a capture of real traffic, measure the routines
demo:
	@scripts/demo

## make test       all tests: gcc and clang, release and sanitizers
test:
	@scripts/test

## make test-slow  the exhaustive ones: 4 GiB, 16-bit changes, failing allocations
test-slow:
	@scripts/test slow

## make cross      the tests on other machines and older x86, emulated
cross:
	@scripts/cross

## make mutate     break the code in known ways; the tests must notice each
mutate:
	@scripts/mutate

## make setup      install every Debian package that any of these needs
setup:
	@scripts/setup

## make build      build/release: library and the csum command
build:
	@scripts/build release

## make bench      measure every routine on this machine
bench:
	@scripts/bench

## make report     measure, and draw it: build/report/report.html
report:
	@scripts/report

## make page       build the page of `csum report` (nodejs, npm)
page:
	@scripts/page

## make format     lay out the code
format:
	@scripts/format

## make lint       clang-tidy, shellcheck, layout, characters
lint:
	@scripts/lint

## make install    build and install (DESTDIR and PREFIX are honoured)
install:
	@scripts/build release
	@cmake --install build/release $(if $(PREFIX),--prefix $(PREFIX))
