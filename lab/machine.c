/* SPDX-License-Identifier: BSD-2-Clause */
/* machine.c - the machine that figures come from. */
#define _GNU_SOURCE /* sched_getcpu() */
#include "machine.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "commit.h"
#include "cpus.h"
#include "csum.h"
#include "plan.h"

#ifdef CSUM_X86_64
#include <cpuid.h>
#endif

/* ------------------------------------------------------------------------
 * The machine
 */

/* First line of a file, or "". */
static void read_line(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "re");

	out[0] = '\0';
	if (!f)
		return;
	if (!fgets(out, (int)size, f))
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
	fclose(f);
}

/* The value of the first "@key : value" in /proc/cpuinfo, or "". */
static void read_cpuinfo(const char *key, char *out, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	size_t n = strlen(key);
	char line[4096];

	out[0] = '\0';
	if (!f)
		return;
	while (!out[0] && fgets(line, sizeof(line), f)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, key, n) == 0 && colon)
			snprintf(out, size, "%.*s",
				 (int)strcspn(colon + 1, "\n"), colon + 1);
	}
	fclose(f);
	/* the blank after the colon */
	memmove(out, out + strspn(out, " "),
		strlen(out + strspn(out, " ")) + 1);
}

#ifdef CSUM_X86_64

/* In a guest, leaf 0x40000000 spells the name in three registers. */
static void get_hypervisor(char out[32])
{
	const uint32_t hypervisor_bit = UINT32_C(1) << 31;
	uint32_t eax, name[3] = { 0 }, ecx = 0, edx;

	if (!__get_cpuid(1, &eax, &name[0], &ecx, &edx) ||
	    !(ecx & hypervisor_bit)) {
		snprintf(out, 32, "none");
		return;
	}
	__cpuid(0x40000000, eax, name[0], name[1], name[2]);
	snprintf(out, 32, "%.*s", (int)sizeof(name), (const char *)name);
	if (!out[0])
		snprintf(out, 32, "unnamed");
}

#else

static void get_hypervisor(char out[32])
{
	out[0] = '\0';
}

#endif

static void get_cpu(char out[96])
{
	char name[60], one[16], two[16];

	read_cpuinfo("model name", name, sizeof(name));
	if (name[0]) {
		/* cloud hosts hide the model: the numbers tell it apart */
		read_cpuinfo("cpu family", one, sizeof(one));
		read_cpuinfo("model\t", two, sizeof(two));
		snprintf(out, 96, "%s (family %.8s, model %.8s)", name, one,
			 two);
		return;
	}
	/* arm64 has numbers only */
	read_cpuinfo("CPU implementer", one, sizeof(one));
	read_cpuinfo("CPU part", two, sizeof(two));
	if (one[0])
		snprintf(out, 96, "implementer %s, part %s", one, two);
}

static void get_caches(struct lab_machine *m)
{
	for (int i = 0; m->ncaches < LAB_CACHES; i++) {
		struct lab_cache *c = &m->caches[m->ncaches];
		char path[96], level[4], type[16];
		const char *dir = "/sys/devices/system/cpu/cpu0/cache/index";

		snprintf(path, sizeof(path), "%s%d/level", dir, i);
		read_line(path, level, sizeof(level));
		if (!level[0])
			break;
		snprintf(path, sizeof(path), "%s%d/type", dir, i);
		read_line(path, type, sizeof(type));
		if (strcmp(type, "Instruction") == 0)
			continue;
		snprintf(path, sizeof(path), "%s%d/size", dir, i);
		read_line(path, c->size, sizeof(c->size));
		snprintf(c->name, sizeof(c->name), "L%s%s", level,
			 strcmp(type, "Data") == 0 ? "d" : "");
		m->ncaches++;
	}
}

/* BYTES from "1024K" or "32M". */
static size_t cache_bytes(const struct lab_cache *c)
{
	char unit = 0;
	size_t n = 0;

	if (sscanf(c->size, "%zu%c", &n, &unit) < 1)
		return 0;
	return unit == 'K' ? n << 10 : unit == 'M' ? n << 20 : n;
}

size_t lab_span(const char *where)
{
	const size_t beyond_any = 256 << 20;
	struct lab_machine m = { 0 };
	size_t last = 0;

	get_caches(&m);
	for (size_t i = 0; i < m.ncaches; i++) {
		last = cache_bytes(&m.caches[i]);
		if (strcmp(m.caches[i].name, where) == 0)
			return last / 2;
	}
	if (strcmp(where, "memory") != 0)
		return 0;
	if (4 * last <= beyond_any)
		return beyond_any;
	return 4 * last < LAB_MAX_SPAN ? 4 * last : LAB_MAX_SPAN;
}

static void get_topology(char out[96])
{
	struct lab_topology *t = lab_topology_get();

	if (t)
		lab_topology_text(t, out, 96);
	lab_topology_free(t);
}

/* The first line of the file @path below @root, or "". */
static void read_setting(const char *root, const char *path, char *out,
			 size_t size)
{
	char file[256];

	snprintf(file, sizeof(file), "%s%s", root, path);
	read_line(file, out, size);
}

/* Intel's own driver says when it is off, all others when it is on. */
static void get_turbo(const char *root, char out[4])
{
	char no_turbo[4], boost[4];

	read_setting(root, "/sys/devices/system/cpu/intel_pstate/no_turbo",
		     no_turbo, sizeof(no_turbo));
	read_setting(root, "/sys/devices/system/cpu/cpufreq/boost", boost,
		     sizeof(boost));
	out[0] = '\0';
	if (no_turbo[0])
		snprintf(out, 4, "%s", no_turbo[0] == '0' ? "on" : "off");
	else if (boost[0])
		snprintf(out, 4, "%s", boost[0] == '0' ? "off" : "on");
}

/* May be "on" though no core has a second thread: what counts is "active". */
static void get_smt(const char *root, char out[16])
{
	char control[20], active[4];

	read_setting(root, "/sys/devices/system/cpu/smt/control", control,
		     sizeof(control));
	read_setting(root, "/sys/devices/system/cpu/smt/active", active,
		     sizeof(active));
	out[0] = '\0';
	if (strcmp(control, "notsupported") == 0)
		snprintf(out, 16, "not supported");
	else if (active[0])
		snprintf(out, 16, "%s", active[0] == '0' ? "off" : "on");
}

/* "always [madvise] never": the one in force has the brackets. */
static void get_huge_pages(const char *root, char out[16])
{
	char line[64], *word, *end;

	read_setting(root, "/sys/kernel/mm/transparent_hugepage/enabled", line,
		     sizeof(line));
	word = strchr(line, '[');
	end = word ? strchr(word, ']') : NULL;
	out[0] = '\0';
	if (end)
		snprintf(out, 16, "%.*s", (int)(end - word - 1), word + 1);
}

void lab_machine_settings(struct lab_machine *m, const char *root)
{
	read_setting(root,
		     "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		     m->governor, sizeof(m->governor));
	get_turbo(root, m->turbo);
	get_smt(root, m->smt);
	get_huge_pages(root, m->huge_pages);
}

static double get_load(void)
{
	char line[64];
	double load;

	read_line("/proc/loadavg", line, sizeof(line));
	return sscanf(line, "%lf", &load) == 1 ? load : -1;
}

void lab_machine_get(struct lab_machine *m)
{
	struct utsname u;

	*m = (struct lab_machine){
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
		.page_size = sysconf(_SC_PAGESIZE),
		.load = get_load(),
#ifdef __clang__
		.compiler = __VERSION__,
#else
		.compiler = "gcc " __VERSION__,
#endif
		.flags = LAB_FLAGS,
		.commit = LAB_COMMIT,
#ifdef __OPTIMIZE__
		.optimised = true,
#endif
		.sanitised = strstr(LAB_FLAGS, "-fsanitize") != NULL,
	};
	if (uname(&u) == 0) {
		snprintf(m->arch, sizeof(m->arch), "%.31s", u.machine);
		snprintf(m->kernel, sizeof(m->kernel), "%.31s %.63s", u.sysname,
			 u.release);
	}
	get_cpu(m->cpu);
	get_caches(m);
	read_cpuinfo("microcode", m->microcode, sizeof(m->microcode));
	get_topology(m->topology);
	get_hypervisor(m->hypervisor);
	lab_machine_settings(m, "");
}

void lab_usage_get(struct lab_usage *u)
{
	/* /proc/stat: user nice system idle iowait irq softirq steal */
	enum { STEAL = 7, FIELDS = 8 };
	double t[FIELDS] = { 0 };
	struct rusage r;
	char line[256];

	*u = (struct lab_usage){ .cpu = sched_getcpu() };
	read_line("/proc/stat", line, sizeof(line));
	sscanf(line, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2],
	       &t[3], &t[4], &t[5], &t[6], &t[7]);
	u->steal = t[STEAL];
	for (int i = 0; i < FIELDS; i++)
		u->ticks += t[i];
	if (getrusage(RUSAGE_SELF, &r) == 0)
		u->preempted = r.ru_nivcsw;
}
