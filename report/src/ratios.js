// SPDX-License-Identifier: BSD-2-Clause
// ratios.js - a list of ratios with their intervals, the smallest on top, and the
// first two of it in words.
import * as Plot from "@observablehq/plot";

import { el, svgEl } from "./dom.js";
import { text } from "./figure.js";
import { readout } from "./readout.js";
import { digits } from "./units.js";

const STROKES = {
	faster: "var(--faster-ink)",
	slower: "var(--slower-ink)",
};
const LEAST = 300; // px that the intervals need beside their text
const LETTER = 6.4; // px, about

// An interval from half to twice says nothing.
export const noisy = (v) =>
	/too noisy/.test(v.text ?? "") || !(v.low > 0) || v.high / v.low > 4;

export const words = (v) =>
	noisy(v) ? "too noisy to say" : String(v.text ?? v.verdict ?? "?");

// What is in the text of a row, without the reasons.
const short = (v) => words(v).replace(/ that this measurement can show.*/, "");

export const sorted = (list) =>
	[...list].sort((a, b) => noisy(a) - noisy(b) || a.ratio - b.ratio);

// From what can be said alone, with 1 in it.
function extent(list) {
	const all = list.filter((v) => !noisy(v));
	const low = Math.min(...all.map((v) => v.low), 0.99);
	const high = Math.max(...all.map((v) => v.high), 1.01);
	const edge = (high / low) ** 0.04;

	return [low / edge, high * edge];
}

// Round ratios, 1 among them, as far as there is room.
function ratioTicks([low, high], width) {
	const most = Math.max(Math.floor(width / 46), 2);

	if (high / low > 3) {
		const all = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
		const inside = all.filter((t) => t >= low && t <= high);

		return inside.length > most
			? inside.filter((t) => Number.isInteger(Math.log10(t)))
			: inside;
	}
	const step =
		[0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find(
			(s) => (high - low) / s <= most,
		) ?? 1;
	const ticks = [];

	for (let i = Math.ceil((low - 1) / step); 1 + i * step <= high; i++)
		ticks.push(Number((1 + i * step).toFixed(3)));
	return ticks;
}

function interval(v, y, name, scales, { left, wide, textAt }) {
	const stroke = STROKES[v.verdict] ?? "var(--quiet)";
	const marks = noisy(v)
		? []
		: [
				svgEl("line", {
					x1: scales.x(v.low),
					x2: scales.x(v.high),
					y1: y,
					y2: y,
					stroke,
					"stroke-width": 2.2,
				}),
				svgEl("circle", { cx: scales.x(v.ratio), cy: y, r: 3.6, fill: stroke }),
			];

	return svgEl(
		"g",
		{ class: "verdict" },
		wide
			? text(left - 8, y, name, { "text-anchor": "end" })
			: text(4, y - 13, `${name}: ${short(v)}`, { class: "small" }),
		...marks,
		wide ? text(textAt, y, short(v), {}) : "",
	);
}

// list: sorted {a, b, ratio, low, high, verdict, text}; name(v): of its row.
export function ratioPanel(title, list, name, axis, lines, width) {
	const left = 14 + 7 * Math.max(...list.map((v) => name(v).length));
	const room = 24 + LETTER * Math.max(...list.map((v) => short(v).length));
	const wide = width >= LEAST + left + room;
	const row = wide ? 20 : 34;
	const size = { left: wide ? left : 8, right: wide ? room : 8, top: 34 };
	const domain = extent(list);
	const ticks = ratioTicks(domain, width - size.left - size.right);
	const middle = (i) => size.top + row * i + (wide ? row / 2 : row - 8);
	const svg = Plot.plot({
		width,
		height: size.top + row * list.length + 40,
		marginLeft: size.left,
		marginRight: size.right,
		marginTop: size.top,
		marginBottom: 40,
		x: { type: "log", domain, axis: null },
		y: { type: "linear", domain: [0, 1], axis: null },
		marks: [
			Plot.gridX({ ticks, stroke: "var(--hair)", strokeOpacity: 1 }),
			Plot.axisX({ ticks, tickSize: 0, tickFormat: String, label: null }),
			Plot.ruleX([1], { stroke: "var(--ink)", strokeWidth: 1.2 }),
			(index, scales, values, dimensions) =>
				svgEl(
					"g",
					{},
					text(4, 9, title, { class: "panel" }),
					text(size.left, dimensions.height - 4, axis, { class: "title" }),
					...list.map((v, i) =>
						interval(v, middle(i), name(v), scales, {
							...size,
							wide,
							textAt: width - room + 14,
						}),
					),
				),
		],
	});
	const points = list.map((v, i) => ({
		x: noisy(v) ? svg.scale("x").apply(1) : svg.scale("x").apply(v.ratio),
		y: middle(i),
		series: String(i),
		column: 0,
		datum: v,
	}));

	return readout(svg, `${title}: ratios of time`, points, lines);
}

// What a reader would see, in words.
export function podium(list, name) {
	const clear = list.filter((v) => !noisy(v));
	const lost = list.length - clear.length;
	const rest = lost
		? ` ${lost} of ${list.length} are too noisy to say.`
		: "";

	if (!clear.length)
		return el("p.finding", "Too noisy to say of any.");
	const [first, second] = clear;

	return el(
		"p.finding",
		"First: ",
		el("b", name(first)),
		`, ${short(first)}`,
		...(second ? ["; second: ", el("b", name(second)), `, ${short(second)}`] : []),
		`.${rest}`,
	);
}

// Of a tip.
export const ratioRows = (v) => [
	["verdict", words(v)],
	...(noisy(v)
		? []
		: [
				["ratio", digits(v.ratio, 4)],
				["interval", `${digits(v.low, 4)} to ${digits(v.high, 4)}`],
				...(v.noise != null ? [["noise", `${digits(100 * v.noise, 2)} %`]] : []),
			]),
];
