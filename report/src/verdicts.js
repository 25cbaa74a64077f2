// SPDX-License-Identifier: BSD-2-Clause
// verdicts.js - A against B: the ratio of their times with its interval.
import * as Plot from "@observablehq/plot";

import { details, select, svgEl, table } from "./dom.js";
import { figure, text } from "./figure.js";
import { groupBy, prefetched, unique } from "./model.js";
import { readout } from "./readout.js";
import { digits, exact, sizeText } from "./units.js";

const STROKES = {
	faster: "var(--faster-ink)",
	slower: "var(--slower-ink)",
};
const LEAST = 340; // px that the intervals need beside their text

const FEW = 40;

const words = (v) => String(v.text ?? v.verdict ?? "?");

const where = (v) => sizeText(v.size) + (v.offset ? ` +${v.offset}` : "");

function panel({ title, verdicts, label }, width, { domain, room }) {
	const left = 18 + 7 * Math.max(...verdicts.map((v) => label(v).length));
	const wide = width >= LEAST + room;
	const row = wide ? 20 : 34;
	const right = wide ? room : 8;
	const top = 30;
	const ticks = ratioTicks(domain);
	const svg = Plot.plot({
		width,
		height: top + row * verdicts.length + 34,
		marginLeft: left,
		marginRight: right,
		marginTop: top,
		marginBottom: 34,
		x: { type: "log", domain, axis: null },
		y: { type: "band", domain: verdicts.map((v, i) => i), axis: null, padding: 0 },
		marks: [
			Plot.gridX({ ticks, stroke: "var(--hair)", strokeOpacity: 1 }),
			Plot.axisX({ ticks, tickSize: 0, tickFormat: String, label: null }),
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
					...verdicts.map((v, i) =>
						interval(v, i, label(v), scales, dimensions, wide),
					),
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
		`${v.a} against ${v.b}, ${where(v)}`,
		["verdict", words(v)],
		["ratio", digits(v.ratio, 4)],
		["interval", `${digits(v.low, 4)} to ${digits(v.high, 4)}`],
		...(v.noise != null ? [["noise", `${digits(100 * v.noise, 2)} %`]] : []),
	]);
}

const middle = (y, bandwidth, i, wide) =>
	y(i) + (wide ? bandwidth / 2 : bandwidth - 9);

function interval(v, i, name, scales, dimensions, wide) {
	const y = middle(scales.y, scales.y.bandwidth(), i, wide);
	const left = dimensions.marginLeft;
	const stroke = STROKES[v.verdict] ?? "var(--quiet)";

	return svgEl(
		"g",
		{ class: "verdict" },
		text(left - 8, y, name, { "text-anchor": "end" }),
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
			: text(left, y - 14, words(v), { class: "small" }),
	);
}

// One scale for all panels, with 1 in it, so that they can be compared.
function extent(all) {
	const low = Math.min(...all.map((v) => v.low), 0.99);
	const high = Math.max(...all.map((v) => v.high), 1.01);
	const edge = (high / low) ** 0.03;

	return [low / edge, high * edge];
}

// Round ratios, 1 among them.
function ratioTicks([low, high]) {
	if (high / low > 4)
		return [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20].filter(
			(t) => t >= low && t <= high,
		);
	const step =
		[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].find(
			(s) => (high - low) / s <= 8,
		);
	const ticks = [];

	for (let i = Math.ceil((low - 1) / step); 1 + i * step <= high; i++)
		ticks.push(Number((1 + i * step).toFixed(2)));
	return ticks;
}

const whole = (v) => v.low > 0 && v.ratio > 0 && v.high > 0;

// One panel for each routine over its sizes; over one size, one for all.
function panelsOf({ run, verdicts }, several) {
	const groups = groupBy(
		verdicts,
		(v) =>
			`${v.op ?? "sum"}, against ${v.b}` + (several ? `; ${run.label}` : ""),
	);

	return [...groups].flatMap(([title, list]) =>
		unique(list.map(where)).length === 1
			? [
					{
						title: `${where(list[0])}, ${title}`,
						verdicts: list,
						label: (v) => String(v.a),
					},
				]
			: [...groupBy(list, (v) => v.a)].map(([a, of]) => ({
					title: `${a}, ${title}`,
					verdicts: of,
					label: where,
				})),
	);
}

export function verdicts(model) {
	// those of prefetching are in its figure
	const runs = model.runs
		.map((run) => {
			const drawn = new Set(prefetched(run).map((d) => d.verdict));

			return {
				run,
				verdicts: run.verdicts.filter((v) => whole(v) && !drawn.has(v)),
			};
		})
		.filter((r) => r.verdicts.length);

	if (!runs.length)
		return null;
	const all = runs.flatMap((r) => r.verdicts);
	const scale = {
		domain: extent(all),
		room: 24 + 6.4 * Math.max(...all.map((v) => words(v).length)),
	};
	// a few are seen at once
	const few = all.length <= FEW;
	const state = { shown: runs[0] };
	const fig = figure("verdicts", {
		controls: () => [
			select(
				"run",
				few ? [] : runs.map((r) => ({ value: r, label: r.run.label })),
				state.shown,
				(shown) => {
					state.shown = shown;
					fig.rebuild();
				},
			),
		],
		draw: (width) => [
			...(few ? runs : [state.shown])
				.flatMap((r) => panelsOf(r, few && runs.length > 1))
				.map((p) => panel(p, width, scale)),
			verdictTable(runs),
		],
		caption: [
			"The ratio of two times, taken round by round, with its interval; left ",
			"of 1 the first is faster. Where the interval holds 1 there is no ",
			"difference that this measurement can show.",
		],
	});

	return fig.node;
}

function verdictTable(runs) {
	return details(
		"All runs as a table",
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
			runs.flatMap(({ run, verdicts }) =>
				verdicts.map((v) => ({ ...v, run })),
			),
		),
	);
}
