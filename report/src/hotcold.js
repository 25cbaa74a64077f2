// SPDX-License-Identifier: BSD-2-Clause
// hotcold.js - the same calls in cache and out of it, as slopes: what is ahead
// where, and by how much.
import * as Plot from "@observablehq/plot";

import { details, el, select, svgEl, table } from "./dom.js";
import {
	figure,
	rowControls,
	rowLines,
	rowTitle,
	sampleStrip,
	spread,
	text,
} from "./figure.js";
import { hotAndCold, kindOf, overtaking, unique } from "./model.js";
import { readout } from "./readout.js";
import { digits, sizeText } from "./units.js";

const PANELS = 4;

// A few sizes from all over, typical packets before others.
function choose(sizes) {
	const typical = [64, 576, 1500, 9000, 65536, 20, 256, 4096];
	const some = typical.filter((s) => sizes.includes(s)).slice(0, PANELS);

	for (const size of sizes)
		if (some.length < PANELS && !some.includes(size))
			some.push(size);
	return some.sort((a, b) => a - b);
}

function stroke(pair) {
	if (pair.won.length && !pair.lost.length)
		return "var(--gain)";
	if (pair.lost.length && !pair.won.length)
		return "var(--loss)";
	return pair.won.length ? "var(--ink)" : "var(--quiet)";
}

// Times the fastest of its side: both ends then have one scale.
function placed(pairs) {
	const open = pairs.filter((p) => !p.hot.limit);
	const best = {
		hot: Math.min(...open.map((p) => p.hot.ns)),
		cold: Math.min(...open.map((p) => p.cold.ns)),
	};

	return overtaking(open).map((p) => ({
		...p,
		name: p.hot.subject,
		at: { hot: p.hot.ns / best.hot, cold: p.cold.ns / best.cold },
	}));
}

function sideLabels(pairs, side, x, anchor) {
	return (index, scales, values, dimensions) => {
		const labels = pairs.map((p) => ({ p, y: scales.y(p.at[side]) }));
		const out = anchor === "end" ? -1 : 1;
		const at = scales.x(x);

		spread(
			labels,
			13,
			dimensions.marginTop,
			dimensions.height - dimensions.marginBottom,
		);
		return svgEl(
			"g",
			{ class: "names" },
			...labels.flatMap(({ p, y, at: to }) => [
				svgEl("path", {
					d: `M${at + out * 4},${y}L${at + out * 11},${to}`,
					class: "leader",
				}),
				text(
					at + out * 14,
					to,
					side === "hot"
						? `${p.name}  ${digits(p.hot.ns)}`
						: `${digits(p.cold.ns)}  ${p.name}`,
					{
						"text-anchor": anchor,
						"data-series": p.name,
						fill: stroke(p) === "var(--quiet)" ? "var(--ink)" : stroke(p),
					},
				),
			]),
		);
	};
}

function panel(pairs, size, width, found) {
	const ends = pairs.flatMap((p) => [
		{ p, x: 0, y: p.at.hot },
		{ p, x: 1, y: p.at.cold },
	]);
	const longest = Math.max(...pairs.map((p) => p.name.length));
	const margin = 22 + 6.4 * (longest + 6);
	const svg = Plot.plot({
		width,
		height: Math.max(13 * pairs.length + 66, 206),
		marginLeft: margin,
		marginRight: margin,
		marginTop: 46,
		marginBottom: 12,
		x: { domain: [0, 1], axis: null },
		// the fastest on top
		y: { type: "log", reverse: true, axis: null },
		marks: [
			(index, scales, values, dimensions) =>
				svgEl(
					"g",
					{},
					text(dimensions.width / 2, 9, sizeText(size), {
						"text-anchor": "middle",
						class: "panel",
					}),
					text(scales.x(0), 28, "in cache, ns", {
						"text-anchor": "end",
						class: "title",
					}),
					text(scales.x(1), 28, "out of it, ns", {
						class: "title",
					}),
				),
			Plot.ruleX([0, 1], { stroke: "var(--hair)" }),
			Plot.line(ends, {
				x: "x",
				y: "y",
				z: (d) => d.p.name,
				stroke: (d) => stroke(d.p),
				strokeWidth: 1.6,
				ariaLabel: (d) => d.p.name,
			}),
			Plot.dot(ends, {
				x: "x",
				y: "y",
				r: 2.4,
				fill: (d) => stroke(d.p),
				ariaLabel: (d) => d.p.name,
			}),
			sideLabels(pairs, "hot", 0, "end"),
			sideLabels(pairs, "cold", 1, "start"),
		],
	});
	const points = ends.map(({ p, x, y }) => ({
		x: svg.scale("x").apply(x),
		y: svg.scale("y").apply(y),
		series: p.name,
		column: x,
		datum: { p, row: x ? p.cold : p.hot },
	}));

	for (const node of svg.querySelectorAll("[aria-label]"))
		if (node.tagName !== "g")
			node.dataset.series = node.getAttribute("aria-label");
	return readout(
		svg,
		`${sizeText(size)}: ${found.hot.label} and ${found.cold.label}`,
		points,
		({ p, row }) => [
			`${rowTitle(row)}, ${row === p.cold ? "out of cache" : "in cache"}`,
			...rowLines(row),
			...(p.won.length ? [["overtakes", p.won.join(", ")]] : []),
			...(p.lost.length ? [["overtaken by", p.lost.join(", ")]] : []),
		],
		({ row }) => sampleStrip(row),
	);
}

// What a reader would see at a size, in words.
function summary(pairs, size) {
	const best = (side) =>
		pairs.reduce((a, b) => (a.at[side] <= b.at[side] ? a : b));
	const span = (side) => Math.max(...pairs.map((p) => p.at[side]));
	const swaps = pairs.reduce((n, p) => n + p.won.length, 0);

	const [hot, cold] = [best("hot").name, best("cold").name];

	return (
		`${sizeText(size)}: ${hot} is the fastest in cache` +
		(hot === cold ? " and out of it" : `, ${cold} out of it`) +
		`; the slowest takes ${digits(span("hot"))} times as long in cache, ` +
		`${digits(span("cold"))} times out of it; ` +
		(swaps
			? `${swaps} ${swaps === 1 ? "pair changes" : "pairs change"} places beyond the noise.`
			: "no pair changes places beyond the noise.")
	);
}

export function hotCold(model) {
	const found = hotAndCold(model.runs);

	if (!found.length)
		return null;
	const state = { found: found[0] };

	function settle() {
		const { pairs } = state.found;

		state.kinds = unique(pairs.map((p) => kindOf(p.hot)));
		if (!state.kinds.includes(state.kind))
			state.kind = state.kinds[0];
		const ofKind = pairs.filter((p) => kindOf(p.hot) === state.kind);

		state.offsets = unique(ofKind.map((p) => p.hot.offset));
		if (!state.offsets.includes(state.offset))
			state.offset = state.offsets[0];
		state.pairs = ofKind.filter((p) => p.hot.offset === state.offset);
		state.sizes = unique(
			state.pairs.filter((p) => !p.hot.limit).map((p) => p.hot.size),
		).sort((a, b) => a - b);
	}
	function set(change) {
		Object.assign(state, change);
		settle();
		fig.rebuild();
	}
	const at = (size) =>
		placed(state.pairs.filter((p) => p.hot.size === size));

	settle();
	const fig = figure("hot-cold", {
		controls: () => [
			select(
				"runs",
				found.map((f) => ({
					value: f,
					label: `${f.hot.label} / ${f.cold.label}`,
				})),
				state.found,
				(f) => set({ found: f }),
			),
			...rowControls(state, set),
		],
		draw: (width) => {
			const shown = choose(state.sizes);
			const columns = width >= 760 ? 2 : 1;
			const each = Math.floor((width - 24 * (columns - 1)) / columns);

			return [
				el(
					"div.panels",
					shown.map((size) => panel(at(size), size, each, state.found)),
				),
				el(
					"ul.findings",
					shown.map((size) => el("li", summary(at(size), size))),
				),
				pairTable(state),
			];
		},
		caption: [
			"Each side is scaled to its fastest routine, which is on top; the ",
			"further down, the slower. In colour: what passes another ",
			el("span.gain", "(up)"),
			" or is passed ",
			el("span.loss", "(down)"),
			" with both intervals apart on both sides. Grey lines only cross ",
			"within the noise.",
		],
	});

	return fig.node;
}

function pairTable(state) {
	const rows = state.sizes.flatMap((size) =>
		placed(state.pairs.filter((p) => p.hot.size === size)),
	);

	return details(
		"All sizes as a table",
		table(
			`${state.found.hot.label} and ${state.found.cold.label}, ${state.kind}, offset ${state.offset}`,
			[
				{ head: "routine", text: true, cell: (p) => p.name },
				{ head: "size", cell: (p) => sizeText(p.hot.size) },
				{ head: "in cache, ns", cell: (p) => digits(p.hot.ns, 4) },
				{ head: "\u00d7 fastest", cell: (p) => digits(p.at.hot) },
				{ head: "out of it, ns", cell: (p) => digits(p.cold.ns, 4) },
				{ head: "\u00d7 fastest", cell: (p) => digits(p.at.cold) },
				{
					head: "overtakes",
					text: true,
					cell: (p) => p.won.join(", ") || null,
				},
			],
			rows,
		),
	);
}
