// SPDX-License-Identifier: BSD-2-Clause
// captures.js - what `csum verify --json` said: the conclusion, what is wrong,
// who, when, why, and what was not looked at.
import * as Plot from "@observablehq/plot";

import { details, el, table } from "./dom.js";
import { figure } from "./figure.js";
import { groupBy } from "./model.js";
import { grouped } from "./units.js";

const VERDICTS = ["good", "bad", "partial", "absent", "unverifiable"];
const SHOWN = 500; // rows of the table of checksums
const HOSTS = 12;
const CAUSES = 8;
const BINS = 60;

// A source is the objects of a run, in a list.
export const isCapture = ({ data }) => Array.isArray(data);

const plural = (n, one) => `${grouped(n)} ${one}${n === 1 ? "" : "s"}`;

const WIRE = {
	true: "wrong on the wire",
	false: "right on the wire",
	null: "the wire is unknown",
};

function subjectText(s, file) {
	if (!s)
		return "several hosts";
	if (s.host)
		return s.host;
	if (s.interface != null)
		return `interface ${s.interface}` + (file ? ` of ${file}` : "");
	const f = s.flow;
	const end = (address, port) => (port == null ? address : `${address} port ${port}`);

	return f
		? `${end(f.source, f.source_port)} to ${end(f.destination, f.destination_port)}`
		: "?";
}

const section = (title, ...content) =>
	content.some(Boolean) ? el("section", el("h2", title), ...content) : null;

// What explains most is the headline; the rest is a list.
function sentences(text) {
	const all = text.split(/(?<=\.) (?=[A-Z0-9])/);
	const first = all.findIndex((s) => /^(Looks|Too|No)/.test(s));
	const [head, rest] = [all.slice(0, first + 1), all.slice(first + 1)];

	return [
		el("p.head", (head.length ? head : all).join(" ")),
		head.length && rest.length
			? el("ul", rest.map((s) => el("li", s)))
			: null,
	].filter(Boolean);
}

// --- the answer ------------------------------------------------------------------

function answer(name, total, themeButton) {
	const c = total.conclusion ?? { kind: "unknown", text: "", advice: "" };

	document.title = `Checksums: ${c.kind}, ${name}`;
	return [
		el(
			"header",
			themeButton(),
			el("h1", "Checksums"),
			el("p.on", name),
			el(
				"p.build",
				`${plural(total.files, "file")}, ${plural(total.packets, "packet")}, ` +
					`${grouped(total.bad)} bad`,
			),
		),
		el(
			"section.headline",
			{ id: "conclusion" },
			el("p.kind", `${c.kind}: ${WIRE[String(c.wire ?? null)]}`),
			...sentences(c.text),
			el("p.sure", c.advice),
		),
	];
}

const verdictsOf = (total, verdict) =>
	Object.values(total.sites ?? {}).reduce((n, v) => n + (v[verdict] ?? 0), 0);

// How many checksums that are not right have no line in the JSON.
const missing = (total, sites) =>
	verdictsOf(total, "bad") + verdictsOf(total, "partial") - sites.length;

// Nothing is called clean that was not looked at.
function notLooked(total, sites) {
	const passed = total.passed_over ?? {};
	const facts = [
		[total.unreadable, "file", "could not be opened"],
		[total.not_whole, "file", "not whole: counted up to the fault"],
		[total.nothing_verified, "file", "without any checksum to judge by"],
		[passed.not_captures, "file", "no capture"],
		[passed.symbolic_links, "symbolic link", "not followed"],
		[passed.special_files, "special file", "not read"],
		[total.unchecked, "packet", "nothing could be checked"],
		[total.unweighed, "checksum", "not weighed for the conclusion"],
		[
			missing(total, sites),
			"checksum",
			"not right, but without a line here, so not in Senders and When; " +
				"csum verify --json --why --verdict bad,partial has a line for each, " +
				"and a page has room for 20,000",
		],
		...Object.entries(total.unverifiable ?? {}).map(([why, n]) => [
			n, "checksum", `unverifiable: ${why}`,
		]),
		...Object.entries(total.not_looked_into ?? {}).map(([what, n]) => [
			n, "packet", `not looked into: ${what}`,
		]),
	].filter(([n]) => n > 0);

	return section(
		"What was not looked at",
		el(
			"ul",
			facts.length
				? facts.map(([n, one, what]) => el("li", `${plural(n, one)}: ${what}`))
				: el("li", "Nothing: every packet had something to check."),
		),
	);
}

// --- what, who, why --------------------------------------------------------------

const tableOf = (caption, sites) =>
	table(
		caption,
		[
			{ head: "protocol", text: true, cell: ([p]) => p },
			...VERDICTS.map((v) => ({ head: v, cell: ([, n]) => grouped(n[v] ?? 0) })),
		],
		Object.entries(sites),
	);

function what(total) {
	const quoted = Object.keys(total.quoted ?? {}).length;

	return section(
		"What is wrong",
		tableOf("Checksums by protocol and verdict", total.sites ?? {}),
		quoted
			? details(
					"Quoted packets, in ICMP errors and samples",
					tableOf("Quoted, by protocol and verdict", total.quoted),
				)
			: null,
	);
}

const wrong = (site) =>
	site.class !== "quoted" && ["bad", "partial"].includes(site.verdict);

// Hosts by what they sent that is not right.
function ranking(sites) {
	const hosts = [...groupBy(sites.filter((s) => s.source), (s) => s.source)]
		.map(([host, of]) => ({
			host,
			bad: of.filter((s) => s.verdict === "bad").length,
			partial: of.filter((s) => s.verdict === "partial").length,
			last: of.at(-1),
			first: of[0],
		}))
		.sort((a, b) => b.bad + b.partial - a.bad - a.partial);

	if (!hosts.length)
		return null;
	const at = (s) => s.time ?? `frame ${s.frame}`;

	return table(
		`Senders of what is not right${hosts.length > HOSTS ? `: the first ${HOSTS} of ${hosts.length}` : ""}`,
		[
			{ head: "host", text: true, cell: (h) => h.host },
			{ head: "bad", cell: (h) => grouped(h.bad) },
			{ head: "partial", cell: (h) => grouped(h.partial) },
			{ head: "first", text: true, cell: (h) => at(h.first) },
			{ head: "last", text: true, cell: (h) => at(h.last) },
		],
		hosts.slice(0, HOSTS),
	);
}

// What tells parts of one kind and subject apart.
const how = (p) =>
	[
		p.cause && p.cause.replaceAll("-", " "),
		p.merged && "merged on arrival",
		p.difference && p.checksums > 1 && `wrong by ${p.difference}`,
		p.kind === "corruption" && p.one_bit && `one bit in ${grouped(p.one_bit)}`,
		p.resent && `${grouped(p.resent)} came again`,
	]
		.filter(Boolean)
		.join(", ") || null;

function who(total, sites) {
	const parts = total.conclusion?.parts ?? [];

	return section(
		"Who",
		parts.length
			? table(
					"Explanations, those of most checksums first",
					[
						{ head: "kind", text: true, cell: (p) => p.kind },
						{ head: "who", text: true, cell: (p) => subjectText(p.subject, p.file) },
						{ head: "how", text: true, cell: how },
						{ head: "checksums", cell: (p) => grouped(p.checksums) },
						{ head: "in packets", cell: (p) => grouped(p.packets) },
						{ head: "files", cell: (p) => grouped(p.files) },
						{
							head: "wire",
							text: true,
							cell: (p) => WIRE[String(p.wire ?? null)],
						},
					],
					parts,
				)
			: null,
		ranking(sites),
	);
}

function why(total, sites) {
	const causes = Object.entries(total.causes ?? {});
	// a line for each only if none is missing
	const told = missing(total, sites) ? [] : [...groupBy(sites.filter((s) => s.why), (s) => s.why)].map(
		([text, of]) => [text, of.length],
	);
	const list = (told.length ? told : causes).sort((a, b) => b[1] - a[1]);

	const causesOf = (some) =>
		table(
			"Causes, as far as arithmetic can tell",
			[
				{ head: "cause", text: true, cell: ([text]) => text },
				{ head: "checksums", cell: ([, n]) => grouped(n) },
			],
			some,
		);

	return section(
		"Why",
		list.length
			? [
					causesOf(list.slice(0, CAUSES)),
					list.length > CAUSES
						? details(`${list.length - CAUSES} more`, causesOf(list.slice(CAUSES)))
						: null,
				]
			: el("p", "Not asked: csum verify --json --why tells causes."),
	);
}

// --- when ------------------------------------------------------------------------

const COLOURS = { bad: "var(--slower-ink)", partial: "var(--faster-ink)" };

// By time where all have one, else by frame.
function when(sites) {
	if (!sites.length)
		return null;
	const timed = sites.every((s) => !isNaN(Date.parse(s.time)));
	const at = (s) => (timed ? new Date(s.time) : s.frame);
	const fig = figure("timeline", {
		controls: () => [],
		draw: (width) => [
			Plot.plot({
				width,
				height: 220,
				marginLeft: 44,
				marginRight: 12,
				x: timed
					? { type: "utc", label: null }
					: { label: null },
				y: {
					label: "checksums",
					labelArrow: "none",
					tickSize: 0,
					grid: true,
					tickFormat: (n) => (Number.isInteger(n) ? grouped(n) : ""),
				},
				color: {
					domain: Object.keys(COLOURS),
					range: Object.values(COLOURS),
				},
				marks: [
					Plot.rectY(
						sites,
						Plot.binX(
							{ y: "count" },
							{
								x: at,
								fill: "verdict",
								thresholds: Math.min(BINS, Math.floor(width / 12)),
								insetLeft: 0.5,
								insetRight: 0.5,
							},
						),
					),
					Plot.ruleY([0], { stroke: "var(--quiet)" }),
				],
				className: "timeline",
			}),
			el(
				"div.legend",
				Object.entries(COLOURS).map(([verdict, stroke]) =>
					el("span.chip", { style: `color:${stroke}` }, "\u25a0 ", verdict),
				),
			),
		],
		caption: ["Checksums that are not right, over ", timed ? "time (UTC)." : "the frames."],
	});

	return section("When", fig.node);
}

// --- all -------------------------------------------------------------------------

function files(objects) {
	const summaries = objects.filter((o) => o.type === "summary");
	const kinds = new Map(
		objects
			.filter((o) => o.type === "conclusion")
			.map((o) => [o.file, o.conclusion.kind]),
	);

	if (summaries.length < 2)
		return null;
	return details(
		`${summaries.length} files`,
		table(
			"Files",
			[
				{ head: "file", text: true, cell: (s) => s.file },
				{ head: "packets", cell: (s) => grouped(s.packets) },
				{ head: "bad", cell: (s) => grouped(s.bad) },
				{ head: "unchecked", cell: (s) => grouped(s.unchecked) },
				{ head: "whole", text: true, cell: (s) => (s.whole ? "yes" : "no") },
				{ head: "conclusion", text: true, cell: (s) => kinds.get(s.file) },
			],
			summaries,
		),
	);
}

function checksums(sites) {
	if (!sites.length)
		return null;
	const end = (address, port) =>
		address && (port == null ? address : `${address} port ${port}`);

	return details(
		`${plural(sites.length, "checksum")}` +
			(sites.length > SHOWN ? `, the first ${SHOWN}` : ""),
		table(
			"Checksums that are not right",
			[
				{ head: "frame", cell: (s) => String(s.frame) },
				{ head: "file", text: true, cell: (s) => s.file },
				{ head: "time", text: true, cell: (s) => s.time },
				{ head: "protocol", text: true, cell: (s) => s.protocol },
				{ head: "verdict", text: true, cell: (s) => s.verdict },
				{ head: "found", text: true, cell: (s) => s.found },
				{ head: "expected", text: true, cell: (s) => s.expected },
				{
					head: "from",
					text: true,
					cell: (s) => end(s.source, s.source_port),
				},
				{
					head: "to",
					text: true,
					cell: (s) => end(s.destination, s.destination_port),
				},
				{ head: "why", text: true, cell: (s) => s.why ?? s.note },
			],
			sites.slice(0, SHOWN),
		),
	);
}

function capture({ name, data }, themeButton) {
	const total = data.findLast((o) => o.type === "total");
	const sites = data.filter((o) => o.type === "site" && wrong(o));

	return [
		...answer(name, total, themeButton),
		what(total),
		who(total, sites),
		when(sites),
		why(total, sites),
		notLooked(total, sites),
		section("All of it", files(data), checksums(sites)),
	].filter(Boolean);
}

export const captures = (sources, themeButton) =>
	sources.flatMap((source) => capture(source, themeButton));
