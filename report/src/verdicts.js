// SPDX-License-Identifier: BSD-2-Clause
// verdicts.js - A against B: the ratio of their times with its interval.
import * as Plot from "@observablehq/plot";

import { details, el, svgEl, table } from "./dom.js";
import { figure, text } from "./figure.js";
import { groupBy } from "./model.js";
import { readout } from "./readout.js";
import { digits, exact, sizeText } from "./units.js";

const STROKES = {
	faster: "var(--faster-ink)",
	slower: "var(--slower-ink)",
};
const LEAST = 340; // px that the intervals need beside their text

const words = (v) => String(v.text ?? v.verdict ?? "?");

const label = (v) =>
	`${sizeText(v.size)}` + (v.offset ? ` +${v.offset}` : "");

function panel({ title, verdicts }, width, { domain, room }) {
	const wide = width >= LEAST + room;
	const row = wide ? 20 : 34;
	const right = wide ? room : 8;
	const top = 30;
	const ticks = ratioTicks(domain);
	const svg = Plot.plot({
		width,
		height: top + row * verdicts.length + 34,
		marginLeft: 84,
		marginRight: right,
		marginTop: top,
		marginBottom: 34,
		x: { type: "log", domain, axis: null },
		y: { type: "band", domain: verdicts.map((v, i) => i), axis: null, padding: 0 },
		marks: [
			Plot.gridX({ ticks, stroke: "var(--hair)", strokeOpacity: 1 }),
			Plot.axisX({ ticks, tickSize: 0, tickFormat: String, label: null }),
			Plot.rect(
				verdicts.filter((v) => v.noise > 0),
				{
					x1: (v) => Math.max(1 / (1 + v.noise), domain[0]),
					x2: (v) => Math.min(1 + v.noise, domain[1]),
					y: (v) => verdicts.indexOf(v),
					fill: "var(--hair)",
					fillOpacity: 0.7,
					insetTop: wide ? 4 : 16,
					insetBottom: 4,
				},
			),
			Plot.ruleX([1], { stroke: "var(--ink)", strokeWidth: 1.2 }),
			(index, scales, values, dimensions) =>
				svgEl(
					"g",
					{},
					text(4, 9, title, { class: "panel" }),
					text(
						dimensions.width - right,
						dimensions.height - 4,
						"time of the first over time of the second",
						{ class: "title", "text-anchor": "end" },
					),
					...verdicts.map((v, i) => interval(v, i, scales, dimensions, wide)),
				),
		],
	});
	const points = verdicts.map((v, i) => ({
		x: svg.scale("x").apply(v.ratio),
		y: middle(svg.scale("y").apply, svg.scale("y").bandwidth, i, wide),
		series: String(i),
		column: 0,
		datum: v,
	}));

	return readout(svg, `${title}: ratios of time`, points, (v) => [
		`${v.a} against ${v.b}, ${label(v)}`,
		["verdict", words(v)],
		["ratio", digits(v.ratio, 4)],
		["95% interval", `${digits(v.low, 4)} to ${digits(v.high, 4)}`],
		...(v.noise != null ? [["noise", `${digits(100 * v.noise, 2)} %`]] : []),
	]);
}

const middle = (y, bandwidth, i, wide) =>
	y(i) + (wide ? bandwidth / 2 : bandwidth - 9);

function interval(v, i, scales, dimensions, wide) {
	const y = middle(scales.y, scales.y.bandwidth(), i, wide);
	const stroke = STROKES[v.verdict] ?? "var(--quiet)";

	return svgEl(
		"g",
		{ class: "verdict" },
		text(76, y, label(v), { "text-anchor": "end" }),
		svgEl("line", {
			x1: scales.x(v.low),
			x2: scales.x(v.high),
			y1: y,
			y2: y,
			stroke,
			"stroke-width": 2.2,
		}),
		svgEl("circle", { cx: scales.x(v.ratio), cy: y, r: 3.6, fill: stroke }),
		wide
			? text(dimensions.width - dimensions.marginRight + 14, y, words(v), {})
			: text(84, y - 14, words(v), { class: "small" }),
	);
}

// One scale for all panels, around 1, so that they can be compared.
function extent(all) {
	const far = Math.max(
		...all.flatMap((v) => [v.low, v.high].map((x) => Math.abs(Math.log(x)))),
		0.02,
	);

	return [Math.exp(-far * 1.04), Math.exp(far * 1.04)];
}

// Round ratios, 1 among them.
function ratioTicks([low, high]) {
	const step =
		[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2].find(
			(s) => (high - low) / s <= 8,
		) ?? 5;
	const ticks = [];

	for (let i = Math.ceil((low - 1) / step); 1 + i * step <= high; i++)
		ticks.push(Number((1 + i * step).toFixed(2)));
	return ticks;
}

const whole = (v) => v.low > 0 && v.ratio > 0 && v.high > 0;

export function verdicts(model) {
	const all = model.runs.flatMap((run) =>
		run.verdicts.map((v) => ({ ...v, run })),
	);

	if (!all.length)
		return null;
	const groups = [
		...groupBy(
			all.filter(whole),
			(v) => `${v.a} against ${v.b}, ${v.op ?? "sum"}; ${v.run.label}`,
		),
	].map(([title, list]) => ({ title, verdicts: list }));
	const scale = {
		domain: extent(all.filter(whole)),
		room: 24 + 6.4 * Math.max(...all.map((v) => words(v).length)),
	};
	const fig = figure("verdicts", {
		controls: () => [],
		draw: (width) => [
			...groups.map((g) => panel(g, width, scale)),
			verdictTable(all),
		],
		caption: [
			"The ratio of two times, measured in turn, with its 95% interval; left ",
			"of 1 the first is faster. Where the interval holds 1 there is no ",
			"difference that this measurement can show. Shaded: the noise of the run.",
		],
	});

	return fig.node;
}

function verdictTable(all) {
	return details(
		"The same as a table",
		table(
			"A against B",
			[
				{ head: "a", text: true, cell: (v) => v.a },
				{ head: "b", text: true, cell: (v) => v.b },
				{ head: "run", text: true, cell: (v) => v.run.label },
				{ head: "op", text: true, cell: (v) => v.op },
				{ head: "size", cell: (v) => sizeText(v.size) },
				{ head: "offset", cell: (v) => exact(v.offset) },
				{ head: "low", cell: (v) => digits(v.low, 4) },
				{ head: "ratio", cell: (v) => digits(v.ratio, 4) },
				{ head: "high", cell: (v) => digits(v.high, 4) },
				{ head: "verdict", text: true, cell: words },
			],
			all,
		),
	);
}
