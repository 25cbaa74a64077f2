/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages.c - memory on pages of a chosen size.
 *
 * With ordinary pages a routine that runs through much memory also pays for
 * address translation; with huge ones it hardly does.  Which a program gets is
 * otherwise up to the system's settings and to how fragmented memory is.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */
#include "pages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAY(pages, ...)                                                        \
	((void)snprintf((pages)->got, sizeof((pages)->got), __VA_ARGS__))

static size_t round_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

#ifdef __linux__

#include <sys/mman.h>

/* The first number in a file in which a line has this format; 0 if none. */
static size_t read_number(const char *path, const char *format)
{
	FILE *f = fopen(path, "re");
	size_t n = 0;
	char line[256];

	while (f && !n && fgets(line, sizeof(line), f))
		if (sscanf(line, format, &n) != 1)
			n = 0;
	if (f)
		fclose(f);
	return n;
}

/*
 * Both are 2 MiB on most systems.  The default of hugetlb can be set by whoever
 * boots the system; transparent ones are what one entry of the next table maps.
 */
static size_t hugetlb_size(void)
{
	return read_number("/proc/meminfo", "Hugepagesize: %zu kB") * 1024;
}

static size_t transparent_size(void)
{
	return read_number("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			   "%zu");
}

static bool get_hugetlb(struct lab_pages *pages, size_t size)
{
	const size_t unit = hugetlb_size();
	void *p;

	if (!unit || size > SIZE_MAX - unit)
		return false;
	size = round_up(size, unit);
	/* all or nothing: there is no ordinary page in such a mapping */
	p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1,
		 0);
	if (p == MAP_FAILED)
		return false;
	pages->p = pages->map = p;
	pages->map_len = size;
	pages->huge = 1;
	SAY(pages, "huge pages (hugetlb)");
	return true;
}

/*
 * @size bytes at a multiple of @unit, with unreadable pages on both sides: so
 * the kernel keeps it apart from its neighbours, and counts it alone.
 */
static bool reserve(struct lab_pages *pages, size_t size, size_t unit)
{
	char *p;

	if (size > SIZE_MAX - 2 * unit)
		return false;
	pages->map_len = size + 2 * unit;
	p = mmap(NULL, pages->map_len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	if (p == MAP_FAILED)
		return false;
	pages->map = p;
	p += unit - (uintptr_t)p % unit;
	pages->p = p;
	return mprotect(p, size, PROT_READ | PROT_WRITE) == 0;
}

/* The share of huge pages in the mapping at @p, as the kernel counts them. */
static double share_of_huge(const void *p)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	size_t start, end, kb, size = 0;
	double share = 0;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%zx-%zx ", &start, &end) == 2)
			size = (uintptr_t)p >= start && (uintptr_t)p < end
				       ? end - start
				       : 0;
		else if (size &&
			 sscanf(line, "AnonHugePages: %zu kB", &kb) == 1)
			share = (double)kb * 1024 / (double)size;
	}
	if (f)
		fclose(f);
	return share;
}

static bool get_pages(struct lab_pages *pages, size_t size,
		      enum lab_page_kind kind)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t huge = kind == LAB_HUGE_PAGES ? transparent_size() : 0;
	const size_t unit = huge ? huge : page;

	if (size > SIZE_MAX - unit)
		return false;
	size = round_up(size, unit);
	if (!reserve(pages, size, unit))
		return false;
	/* both fail on systems without huge pages, which does no harm */
	if (kind == LAB_HUGE_PAGES)
		(void)madvise(pages->p, size, MADV_HUGEPAGE);
	else
		(void)madvise(pages->p, size, MADV_NOHUGEPAGE);
	memset(pages->p, 0, size);
	pages->huge = share_of_huge(pages->p);
	if (kind == LAB_ORDINARY_PAGES)
		SAY(pages, "ordinary pages");
	else if (pages->huge == 0)
		SAY(pages, "ordinary pages: huge ones were not granted");
	else
		SAY(pages, "transparent huge pages, %.0f%% of the buffer",
		    100 * pages->huge);
	return true;
}

bool lab_pages_alloc(struct lab_pages *pages, size_t size,
		     enum lab_page_kind kind)
{
	*pages = (struct lab_pages){ 0 };
	if (kind == LAB_HUGE_PAGES && get_hugetlb(pages, size))
		return true;
	if (get_pages(pages, size, kind))
		return true;
	lab_pages_free(pages);
	return false;
}

static void unmap(struct lab_pages *pages)
{
	if (pages->map)
		munmap(pages->map, pages->map_len);
}

#else

bool lab_pages_alloc(struct lab_pages *pages, size_t size,
		     enum lab_page_kind kind)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*pages = (struct lab_pages){ 0 };
	if (size > SIZE_MAX - page)
		return false;
	size = round_up(size, page);
	pages->p = pages->map = aligned_alloc(page, size);
	if (!pages->p)
		return false;
	memset(pages->p, 0, size);
	SAY(pages, "%s",
	    kind == LAB_ORDINARY_PAGES
		    ? "pages as the system hands them out"
		    : "not available here: huge pages are asked for on Linux");
	return true;
}

static void unmap(struct lab_pages *pages)
{
	free(pages->map);
}

#endif

void lab_pages_free(struct lab_pages *pages)
{
	unmap(pages);
	*pages = (struct lab_pages){ 0 };
}
