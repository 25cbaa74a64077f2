// SPDX-License-Identifier: BSD-2-Clause
// tables.js - what was measured, where and how: machine, settings, warnings, and
// every figure as a number.
import { details, el, table } from "./dom.js";
import { groupBy, unique } from "./model.js";
import { digits, exact, grouped, sizeText } from "./units.js";

const yesNo = (v) => (v == null ? null : v ? "yes" : "no");
const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

// {name: value} without what is not known.
function definitions(entries) {
	const known = entries.filter(([, value]) => value != null && value !== "");

	return el(
		"dl.facts",
		known.map(([name, value]) => [el("dt", name), el("dd", String(value))]),
	);
}

function machineFacts(file, files) {
	const { machine: m, doc } = file;
	const loads = files.map((f) => f.machine.load).filter((l) => l != null);
	const caches = Object.entries(file.caches)
		.map(([name, size]) => `${name} ${size}`)
		.join(", ");

	return definitions([
		["processor", m.cpu],
		["architecture", m.arch],
		["processors online", m.cpus],
		["topology", m.topology],
		["caches", caches],
		["microcode", m.microcode],
		["turbo", m.turbo],
		["SMT", m.smt],
		["page size", m.page_size && sizeText(m.page_size)],
		["kernel", m.kernel],
		["hypervisor", m.hypervisor],
		["governor", m.governor],
		["load before", loads.join(", ")],
		["compiler", m.compiler],
		["flags", m.flags],
		["optimised", yesNo(m.optimised)],
		["sanitizers", yesNo(m.sanitised)],
		["csum", doc.version],
		["commit", doc.commit],
		["active routine", doc.active],
		["read loop", doc.read_loop],
	]);
}

const NAMES = {
	seconds: "asked for, s",
	sample_ns: "a sample, ns",
	cpu: "pinned to CPU",
};
const BYTES = ["span", "jitter"];

function settingText(name, value) {
	if (value == null)
		return null;
	if (Array.isArray(value))
		return value.join(", ");
	if (typeof value === "boolean")
		return yesNo(value);
	if (BYTES.includes(name))
		return value ? sizeText(value) : "none";
	return String(value);
}

// What a shell would need to do the same again, as far as the file tells: which
// routines were asked for it does not.
function command(run) {
	if (run.raw.command ?? run.file.doc.command)
		return run.raw.command ?? run.file.doc.command;
	const { experiment } = run.file;
	const { seed, seconds, sizes, offsets, span, mix, order, jitter, flush } =
		run.settings;
	const any = (test) => run.rows.some(test);
	const options = [
		any((r) => r.op === "copy") && "--copy",
		any((r) => r.raw.kind === "study") && "--study",
		any((r) => r.mode === "latency") && "--latency",
		mix && `--mix=${mix}`,
		// of a mix they are means
		...(mix ? [] : (sizes ?? [])).map((n) => `--size=${n}`),
		...(offsets ?? []).map((n) => `--offset=${n}`),
		span && `--span=${span}`,
		span && order && order !== "shuffled" && `--order=${order}`,
		jitter && `--jitter=${jitter}`,
		flush && "--flush",
		seconds && `--time=${seconds}`,
	];

	return [
		"csum bench",
		// an experiment knows its own sizes and spans
		...(experiment === "rows" ? options : [experiment]),
		seed != null && `--seed=${seed}`,
		"--json",
	]
		.filter(Boolean)
		.join(" ");
}

function runFacts(run) {
	const empty = run.empty;

	return el(
		"section",
		el("h4", run.label),
		el("p.command", el("code", command(run))),
		definitions([
			...Object.entries(run.settings).map(([name, value]) => [
				NAMES[name] ?? name.replaceAll("_", " "),
				settingText(name, value),
			]),
			["took, s", run.raw.seconds],
			["reading the clock, ns", run.raw.clock_ns],
			[
				"empty call, ns",
				[empty?.median_ns, empty?.mad_ns]
					.filter((v) => v != null)
					.map(exact)
					.join(" \u00b1 "),
			],
			["core, GHz", run.core.ghz],
			["additions per cycle", run.core.width],
			["all results together", run.raw.consumed],
		]),
	);
}

// One reason: in which runs, and what differs between them.
function warning(of, runs) {
	const texts = unique(of.map((w) => w.text));
	const n = unique(of.map((w) => w.run)).length;

	return [
		texts[0],
		runs > 1 ? ` (${n === runs ? "all" : n} of ${runs} runs)` : "",
		texts.length > 1
			? details(
					`${texts.length - 1} more like this`,
					el("ul", texts.slice(1).map((text) => el("li", text))),
				)
			: null,
	];
}

export function warnings(model) {
	const all = model.runs.flatMap((run) =>
		run.warnings.map((text) => ({ run, text })),
	);
	// what differs in its numbers alone is one reason
	const kinds = [...groupBy(all, (w) => w.text.replace(/\d[\d.]*/g, "#")).values()];

	if (!kinds.length)
		return null;
	return el(
		"section.warnings",
		{ id: "warnings" },
		details(
			`${plural(kinds.length, "reason")} to doubt these figures`,
			el("ul", kinds.map((of) => el("li", ...warning(of, model.runs.length)))),
		),
	);
}

const COUNTERS = {
	instructions: "instr.",
	cycles: "cycles",
	branches: "branches",
	"branch-misses": "branch misses",
	"L1-dcache-loads": "L1 loads",
	"L1-dcache-load-misses": "L1 misses",
	"LLC-loads": "LLC loads",
	"LLC-load-misses": "LLC misses",
	"dTLB-load-misses": "dTLB misses",
};

function counterColumns(rows) {
	return Object.entries(COUNTERS)
		.filter(([name]) => rows.some((r) => r.raw.counters?.[name]))
		.map(([name, head]) => ({
			head,
			cell: (r) => {
				const c = r.raw.counters?.[name];

				return c?.per_call == null ? null : digits(c.per_call);
			},
		}));
}

// Fields that this page does not know are worth a column all the same.
const KNOWN = new Set(
	("subject kind op mode prefetch size offset left_out result calls median_ns " +
		"min_ns median_low_ns median_high_ns mad_ns mean_ns sd_ns bytes_per_ns " +
		"cycles_per_byte counters base x_base samples_ns").split(" "),
);

function otherColumns(rows) {
	const names = unique(
		rows.flatMap((r) =>
			Object.keys(r.raw).filter(
				(name) => !KNOWN.has(name) && typeof r.raw[name] === "number",
			),
		),
	);

	return names.map((name) => ({
		head: name.replaceAll("_", " "),
		cell: (r) => exact(r.raw[name]),
	}));
}

function figuresOf(run) {
	const { rows } = run;

	return details(
		`${run.label}: ${plural(rows.length, "row")}`,
		table(
			`${run.label}: ns are per call`,
			[
				{ head: "routine", text: true, cell: (r) => r.subject },
				{ head: "kind", text: true, cell: (r) => r.raw.kind },
				{ head: "op", text: true, cell: (r) => r.op },
				{ head: "mode", text: true, cell: (r) => r.mode },
				{ head: "size", cell: (r) => exact(r.size) },
				{ head: "offset", cell: (r) => exact(r.offset) },
				{
					head: "median ns",
					cell: (r) => (r.raw.left_out ? "left out" : exact(r.ns)),
				},
				{ head: "low", cell: (r) => exact(r.raw.median_low_ns) },
				{ head: "high", cell: (r) => exact(r.raw.median_high_ns) },
				{ head: "MAD", cell: (r) => exact(r.raw.mad_ns) },
				{ head: "min", cell: (r) => exact(r.raw.min_ns) },
				{ head: "mean", cell: (r) => exact(r.raw.mean_ns) },
				{ head: "sd", cell: (r) => exact(r.raw.sd_ns) },
				{ head: "B/ns", cell: (r) => exact(r.raw.bytes_per_ns) },
				{ head: "cycles/B", cell: (r) => exact(r.cycles) },
				{ head: "\u00d7 base", cell: (r) => exact(r.times) },
				{ head: "base", text: true, cell: (r) => r.base },
				{
					head: "samples",
					cell: (r) => exact(r.raw.samples_ns?.length),
				},
				{ head: "calls each", cell: (r) => grouped(r.raw.calls) },
				{ head: "result", text: true, cell: (r) => r.raw.result },
				...counterColumns(rows),
				...otherColumns(rows),
			],
			rows,
		),
	);
}

export function numbers(model) {
	return el(
		"section",
		{ id: "numbers" },
		el("h2", "All numbers"),
		model.runs.map(figuresOf),
	);
}

// Files of one build on one machine, whatever its load was.
const placeOf = ({ doc, machine }) =>
	JSON.stringify([
		{ ...machine, load: null },
		doc.version,
		doc.commit,
		doc.active,
		doc.read_loop,
	]);

export function conditions(model) {
	const places = [...groupBy(model.files, placeOf).values()];

	return el(
		"section",
		{ id: "conditions" },
		el("h2", "How it was measured"),
		details("Machine, settings, and the commands that do it again", places.map((files) => [
			el(
				"h3",
				places.length > 1
					? files.map((file) => file.name).join(", ")
					: "Machine",
			),
			machineFacts(files[0], files),
			files.flatMap((file) => file.runs).map(runFacts),
		])),
	);
}
