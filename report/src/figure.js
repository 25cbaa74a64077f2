// SPDX-License-Identifier: BSD-2-Clause
// figure.js - a numbered figure with its controls, redrawn when they or the
// width change; and the parts that several figures have.
import { el, keepingFocus, radios, select, svgEl } from "./dom.js";
import { digits, exact, grouped, sizeText } from "./units.js";

let figures = 0;
const redraw = new Map();
const watcher = new ResizeObserver((entries) =>
	// not at once: what it draws changes sizes again
	requestAnimationFrame(() => {
		for (const { target, contentRect } of entries)
			redraw.get(target)?.(Math.floor(contentRect.width));
	}),
);

// controls(): elements; draw(width): elements.  Both run again on update().
export function figure(name, { controls, draw, caption }) {
	const bar = el("div.controls");
	const body = el("div.body");
	const node = el(
		"figure",
		{ id: name },
		bar,
		body,
		el("figcaption", el("b", `Figure ${++figures}. `), caption),
	);
	let width = 0;

	function update() {
		if (width)
			keepingFocus(body, () => body.replaceChildren(...draw(width)));
	}
	function rebuild() {
		keepingFocus(bar, () => {
			bar.replaceChildren(...controls().filter(Boolean));
			bar.hidden = !bar.childNodes.length;
		});
		update();
	}
	redraw.set(body, (now) => {
		// a scroll bar that comes and goes must not redraw for ever
		if (Math.abs(now - width) > 1) {
			width = now;
			update();
		}
	});
	watcher.observe(body);
	rebuild();
	return { node, rebuild };
}

// Which rows of a run a figure shows: what they do, and from which offset on.
export const rowControls = (state, set) => [
	select(
		"of",
		state.kinds.map((kind) => ({ value: kind, label: kind })),
		state.kind,
		(kind) => set({ kind }),
	),
	radios(
		"offset",
		state.offsets.map((o) => ({ value: o, label: String(o) })),
		state.offset,
		(offset) => set({ offset }),
	),
];

// Colours of subjects, the same in all figures.  A ninth takes the first colour
// again, dashed.
const COLOURS = 8;
const given = new Map();

export function colour(subject) {
	if (!given.has(subject))
		given.set(subject, given.size);
	const n = given.get(subject);

	return {
		stroke: `var(--c${(n % COLOURS) + 1})`,
		dash: n < COLOURS ? null : n < 2 * COLOURS ? "6 2" : "2 2",
	};
}

// Moves texts apart: sorted by .y, each at least @gap below the one above, as
// close to where they belong as that lets them, between @top and @bottom.
export function spread(labels, gap, top, bottom) {
	const sorted = [...labels].sort((a, b) => a.y - b.y);
	let blocks = [];

	for (const label of sorted) {
		let block = { members: [label], y: label.y };

		// blocks that touch become one, around the middle of its members
		for (;;) {
			const above = blocks.at(-1);

			if (
				!above ||
				above.y + gap * above.members.length <= block.y
			)
				break;
			blocks.pop();
			const members = [...above.members, ...block.members];
			const middle =
				members.reduce((sum, m, i) => sum + m.y - i * gap, 0) /
				members.length;

			block = { members, y: Math.max(middle, top) };
		}
		blocks.push(block);
	}
	for (const { members, y } of blocks)
		members.forEach((m, i) => (m.at = y + i * gap));
	// and back up from the bottom
	let limit = bottom;

	for (const label of sorted.reverse()) {
		label.at = Math.min(label.at, limit);
		limit = label.at - gap;
	}
	return labels;
}

// Of positions, those that leave room for a text of @width around each.
export function fitting(items, at, width) {
	let last = -Infinity;

	return items.filter((item) => {
		const fits = at(item) - last >= width(item);

		if (fits)
			last = at(item);
		return fits;
	});
}

export const text = (x, y, content, attributes) =>
	svgEl(
		"text",
		{ x, y, dy: "0.32em", "text-anchor": "start", ...attributes },
		content,
	);

// What a tip says about a row.
export function rowLines(row) {
	const { raw } = row;
	const counters = Object.entries(raw.counters ?? {})
		.filter(([, c]) => c?.per_call != null)
		.map(([name, c]) => [
			name,
			`${digits(c.per_call)} a call` +
				(c.live < 1 ? `, live ${digits(100 * c.live, 2)} %` : ""),
		]);

	return [
		["median", `${exact(row.ns)} ns`],
		row.bandIs === "95%" && [
			"95% interval",
			`${exact(row.low)} to ${exact(row.high)} ns`,
		],
		raw.mad_ns != null && ["MAD", `${exact(raw.mad_ns)} ns`],
		["throughput", `${digits(row.size / row.ns, 4)} B/ns`],
		row.cycles != null && ["cycles", `${digits(row.cycles)} per byte`],
		row.times != null && [
			`times ${row.base ?? "base"}`,
			digits(row.times),
		],
		raw.samples_ns?.length && [
			"samples",
			`${raw.samples_ns.length} of ${grouped(raw.calls) ?? "?"} calls`,
		],
		...counters,
	].filter(Boolean);
}

const STRIP = { width: 240, height: 30 };

// Every sample as a dot, the median as a line in its interval: where there are two
// heaps, one number says little.
export function sampleStrip(row) {
	const samples = row.raw.samples_ns;

	if (!samples?.length || !(Math.min(...samples) > 0))
		return null;
	const low = Math.min(...samples), high = Math.max(...samples);
	// disturbances can take many times as long
	const x = (ns) =>
		5 + ((STRIP.width - 10) * Math.log(ns / low)) / (Math.log(high / low) || 1);
	const known = row.bandIs === "95%" && row.low > 0;

	return svgEl(
		"svg",
		{ ...STRIP, class: "samples", "aria-hidden": "true" },
		...(known
			? [
					svgEl("rect", {
						x: x(row.low),
						y: 0,
						width: x(row.high) - x(row.low),
						height: 17,
					}),
				]
			: []),
		svgEl("line", { x1: x(row.ns), x2: x(row.ns), y1: 0, y2: 17 }),
		...samples.map((ns, i) =>
			svgEl("circle", {
				cx: x(ns),
				// in the order in which they were taken
				cy: 2 + (13 * i) / samples.length,
				r: 1.3,
				"fill-opacity": 0.7,
			}),
		),
		text(0, 25, `${digits(low)} ns`, { "font-size": 10 }),
		text(STRIP.width, 25, `${digits(high)} ns`, {
			"font-size": 10,
			"text-anchor": "end",
		}),
	);
}

export const rowTitle = (row) =>
	`${row.subject}, ${sizeText(row.size)}` +
	(row.offset ? `, offset ${row.offset}` : "");
