// SPDX-License-Identifier: BSD-2-Clause
// throughput.js - each routine over the sizes, with its noise and the limit.
import * as Plot from "@observablehq/plot";

import { checkbox, el, radios, select, svgEl, table, details } from "./dom.js";
import {
	colour,
	figure,
	fitting,
	rowControls,
	rowLines,
	rowTitle,
	sampleStrip,
	spread,
	text,
} from "./figure.js";
import { bytes, kindOf, leading, seriesOf, unique } from "./model.js";
import { readout } from "./readout.js";
import { digits, measured, sizeText, units } from "./units.js";

const FIRST = 8; // as many are in colour at first: one for each colour
const LABELLED = 560; // px from which on lines have their names at the end

const plainRows = (run) => run.timed.filter((row) => !row.swept);

function sizeLabel(size) {
	return size >= 1024 && size % 1024 === 0 ? `${size / 1024}K` : String(size);
}

// The sizes that were measured, as far as there is room for them.
function sizeAxis(sizes) {
	return (index, scales, values, dimensions) => {
		const y = dimensions.height - dimensions.marginBottom;
		const shown = fitting(
			// round sizes matter more than those one byte further
			sizes.filter((s) => !sizes.includes(s - 1)),
			scales.x,
			(s) => 10 + 7 * sizeLabel(s).length,
		);

		return svgEl("g", { class: "axis" }, ...[
			...sizes.map((s) =>
				svgEl("line", {
					x1: scales.x(s),
					x2: scales.x(s),
					y1: y,
					y2: y + (shown.includes(s) ? 6 : 3),
				}),
			),
			...shown.map((s) =>
				text(scales.x(s), y + 15, sizeLabel(s), {
					"text-anchor": "middle",
				}),
			),
			text(
				dimensions.width - dimensions.marginRight,
				y + 32,
				"bytes in a call",
				{ "text-anchor": "end", class: "title" },
			),
		]);
	};
}

// Where a cache ends, if calls of that size leave it.
function cacheMarks(caches, [least, most]) {
	const marks = Object.entries(caches)
		.map(([name, size]) => ({ name, size: bytes(size) }))
		.filter(({ size }) => size > least && size <= most);

	return (index, scales, values, dimensions) =>
		svgEl(
			"g",
			{ class: "cache" },
			...marks.flatMap(({ name, size }) => [
				svgEl("line", {
					x1: scales.x(size),
					x2: scales.x(size),
					y1: dimensions.marginTop,
					y2: dimensions.height - dimensions.marginBottom,
				}),
				text(scales.x(size) - 4, dimensions.marginTop + 6, name, {
					"text-anchor": "end",
				}),
			]),
		);
}

function nameLabels(series, last) {
	return (index, scales, values, dimensions) => {
		const x = dimensions.width - dimensions.marginRight;
		const labels = series.map((s) => ({
			s,
			x: scales.x(last(s).size),
			y: scales.y(last(s).value),
		}));

		spread(
			labels,
			14,
			dimensions.marginTop,
			dimensions.height - dimensions.marginBottom,
		);
		return svgEl(
			"g",
			{ class: "names" },
			...labels.flatMap(({ s, x: from, y, at }) => [
				svgEl("path", {
					d: `M${from + 5},${y}L${x + 12},${at}`,
					class: "leader",
					"data-series": s.subject,
				}),
				text(x + 15, at, s.subject, {
					fill: s.limit ? "var(--ink)" : s.colour.stroke,
					"data-series": s.subject,
				}),
			]),
		);
	};
}

// The rows as points of a unit; those without it are left out.
function pointsOf(series, unit) {
	return series
		.map((s) => ({
			...s,
			points: s.rows
				.map((row) => ({ row, size: row.size, ...measured(row, unit) }))
				.filter((p) => p.value != null),
		}))
		.filter((s) => s.points.length);
}

// A mark over all points of some series; see named().
function over(mark, series, channels, options) {
	return mark(
		series.flatMap((s) => s.points.map((p) => ({ ...p, s }))),
		{
			x: "size",
			...channels,
			z: (d) => d.s.subject,
			ariaLabel: (d) => d.s.subject,
			...options,
		},
	);
}

// So that the readout finds what belongs to a series.
function named(svg) {
	for (const node of svg.querySelectorAll("path, circle"))
		if (node.hasAttribute("aria-label"))
			node.dataset.series = node.getAttribute("aria-label");
	return svg;
}

// From one round value to another; marked at all of them, or where they are many
// at powers of ten.
function logAxis(series) {
	const values = series
		.flatMap((s) => s.points.flatMap((p) => [p.value, p.low, p.high]))
		.filter((v) => v > 0);
	const least = Math.min(...values), most = Math.max(...values);
	const round = [];

	for (let e = Math.floor(Math.log10(least)); 10 ** (e - 1) < most; e++)
		for (const m of [1, 2, 5])
			round.push(Number(`${m}e${e}`));
	const domain = [
		round.findLast((t) => t <= least),
		round.find((t) => t >= most),
	];
	const inside = round.filter((t) => t >= domain[0] && t <= domain[1]);
	const tens = inside.filter((t) => Number.isInteger(Math.log10(t)));

	return { domain, ticks: inside.length > 9 ? tens : inside };
}

const valueAxis = (log, series) => {
	const { domain, ticks } = log ? logAxis(series) : { ticks: 6 };

	return {
		ticks,
		scale: log
			? { type: "log", domain, axis: null }
			: { type: "linear", zero: true, nice: true, axis: null },
	};
};

const tick = (v) => v.toLocaleString("en");

function axisTitle({ unit, base }) {
	const of = unit.id === "times" ? ` ${base ?? "the limit"}` : "";

	return `${unit.axis}${of}, ${unit.better} is better`;
}

const lineOf = (s) =>
	s.limit ? { stroke: "var(--ink)", dash: "5 3" } : colour(s.subject);

// Over one size there are no lines: each routine on its own, the best on top.
function drawOne(state, shown, width) {
	const { unit, log } = state;
	const sign = unit.better === "higher" ? -1 : 1;
	const points = shown
		.map((s) => ({ s, ...s.points[0] }))
		.sort((a, b) => sign * (a.value - b.value));
	const { ticks, scale } = valueAxis(log, shown);
	const stroke = (d) =>
		d.s.limit || state.chosen.has(d.s.subject)
			? lineOf(d.s).stroke
			: "var(--quiet)";
	const svg = Plot.plot({
		width,
		height: 64 + 20 * points.length,
		marginLeft: 20 + 7 * Math.max(...points.map((d) => d.s.subject.length)),
		marginRight: 60,
		marginTop: 26,
		marginBottom: 38,
		x: scale,
		y: {
			type: "band",
			domain: points.map((d) => d.s.subject),
			label: null,
			tickSize: 0,
		},
		marks: [
			Plot.gridX({ ticks, stroke: "var(--hair)", strokeOpacity: 1 }),
			Plot.axisX({ ticks, tickFormat: tick, tickSize: 0, label: null }),
			() =>
				text(4, 9, `${axisTitle(state)}; ${sizeText(points[0].size)}`, {
					class: "title",
				}),
			Plot.ruleX(points.filter((d) => d.s.limit), {
				x: "value",
				stroke: "var(--ink)",
				strokeDasharray: "5 3",
			}),
			Plot.ruleY(points.filter((d) => d.low != null), {
				x1: "low",
				x2: "high",
				y: (d) => d.s.subject,
				stroke,
				strokeWidth: 2.2,
			}),
			Plot.dot(points, {
				x: "value",
				y: (d) => d.s.subject,
				fill: stroke,
				r: 3.6,
				ariaLabel: (d) => d.s.subject,
			}),
			Plot.text(points, {
				x: (d) => d.high ?? d.value,
				y: (d) => d.s.subject,
				text: (d) => digits(d.value),
				dx: 9,
				textAnchor: "start",
				fill: "currentColor",
			}),
		],
	});
	const { apply, bandwidth } = svg.scale("y");

	return {
		svg: named(svg),
		points: points.map((d) => ({
			x: svg.scale("x").apply(d.value),
			y: apply(d.s.subject) + bandwidth / 2,
			series: d.s.subject,
			column: d.size,
			datum: d.row,
		})),
	};
}

// A size one byte above another shows what an odd byte costs: a point of its own,
// since a line through both would have a kink at nearly one place.
const isExtra = (p, s) => s.points.some((q) => q.size === p.size - 1);
const onLine = (s) => ({ ...s, points: s.points.filter((p) => !isExtra(p, s)) });
const offLine = (s) => ({ ...s, points: s.points.filter((p) => isExtra(p, s)) });

function drawLines(state, shown, sizes, width) {
	const { unit, log, caches } = state;
	const lit = shown
		.filter((s) => s.limit || state.chosen.has(s.subject))
		.map((s) => ({ ...s, colour: lineOf(s) }));
	const dim = shown.filter((s) => !lit.some((l) => l.subject === s.subject));
	const labelled = width >= LABELLED;
	const longest = Math.max(...lit.map((s) => s.subject.length), 4);
	const domain = [Math.min(...sizes), Math.max(...sizes)];
	const stroke = (d) => d.s.colour.stroke;
	const withBand = lit
		.map((s) => ({ ...s, points: s.points.filter((p) => p.low != null) }))
		.filter((s) => s.points.length);
	const { ticks, scale } = valueAxis(log, shown);
	const svg = Plot.plot({
		width,
		height: Math.round(Math.min(Math.max(width * 0.52, 300), 480)),
		marginLeft: 44,
		marginRight: labelled ? 24 + 7.2 * longest : 12,
		marginBottom: 42,
		marginTop: 26,
		x: { type: "log", domain, axis: null },
		y: scale,
		color: { type: "identity" },
		marks: [
			Plot.gridY({ ticks, stroke: "var(--hair)", strokeOpacity: 1 }),
			Plot.axisY({ ticks, tickFormat: tick, tickSize: 0, label: null }),
			cacheMarks(caches, domain),
			sizeAxis([...sizes].sort((a, b) => a - b)),
			() => text(4, 9, axisTitle(state), { class: "title" }),
			over(Plot.line, dim.map(onLine), { y: "value" }, {
				stroke: "var(--faint)",
				strokeWidth: 1,
			}),
			over(Plot.areaY, withBand.map(onLine), { y1: "low", y2: "high" }, {
				fill: stroke,
				fillOpacity: 0.2,
			}),
			...lit.map((s) =>
				over(Plot.line, [onLine(s)], { y: "value" }, {
					stroke: s.colour.stroke,
					strokeWidth: 1.8,
					strokeDasharray: s.colour.dash,
				}),
			),
			over(Plot.dot, lit.map(onLine), { y: "value" }, { fill: stroke, r: 2.2 }),
			over(Plot.dot, lit.map(offLine), { y: "value" }, { stroke, r: 2.2 }),
			labelled && lit.length ? nameLabels(lit, (s) => onLine(s).points.at(-1)) : null,
		],
	});

	return {
		svg: named(svg),
		points: shown.flatMap((s) =>
			s.points.map((p) => ({
				x: svg.scale("x").apply(p.size),
				y: svg.scale("y").apply(p.value),
				series: s.subject,
				column: p.size,
				datum: p.row,
			})),
		),
	};
}

function draw(state, width) {
	const shown = pointsOf(state.series, state.unit);
	const sizes = unique(shown.flatMap((s) => s.points.map((p) => p.size)));

	return sizes.length > 1
		? drawLines(state, shown, sizes, width)
		: drawOne(state, shown, width);
}

const sizesOf = (state) =>
	unique(state.series.flatMap((s) => s.rows.map((row) => row.size)));

export function throughput(model) {
	const runs = model.runs.filter((run) => plainRows(run).length);

	if (!runs.length)
		return null;
	const state = { run: runs[0], unit: units.find((u) => u.id === "times") };
	const chosen = new Map(); // of a kind of row: the subjects in colour

	function settle() {
		const rows = plainRows(state.run);
		const kinds = unique(rows.map(kindOf));

		if (!kinds.includes(state.kind))
			state.kind = kinds[0];
		const ofKind = rows.filter((row) => kindOf(row) === state.kind);
		const offsets = unique(ofKind.map((row) => row.offset));

		if (!offsets.includes(state.offset))
			state.offset = offsets[0];
		const here = ofKind.filter((row) => row.offset === state.offset);

		state.kinds = kinds;
		state.offsets = offsets;
		state.caches = state.run.warmth === "hot" ? state.run.file.caches : {};
		state.series = seriesOf(here);
		state.base = here.find((row) => row.base)?.base;
		const key = `${state.kind} ${state.series.map((s) => s.subject)}`;

		if (!chosen.has(key)) {
			const first = leading(state.series, FIRST);

			// colours in the order of the file, which is that of the table
			for (const s of state.series)
				if (first.includes(s.subject))
					colour(s.subject);
			chosen.set(key, new Set(first));
		}
		state.chosen = chosen.get(key);
		// of a change of two bytes there is no throughput
		const perByte = ["sum", "copy"].includes(here[0].op);

		state.able = units.filter(
			(u) => pointsOf(state.series, u).length && (perByte || !u.perByte),
		);
		if (!state.able.includes(state.unit))
			state.unit = state.able[0];
		if (state.unit !== state.scaledFor)
			state.log = Boolean(state.unit.log) && sizesOf(state).length > 1;
		state.scaledFor = state.unit;
	}

	function set(change) {
		Object.assign(state, change);
		settle();
		fig.rebuild();
	}

	function toggle(subject) {
		state.chosen.has(subject)
			? state.chosen.delete(subject)
			: state.chosen.add(subject);
		fig.rebuild();
	}

	const chip = (s) => {
		const on = s.limit || state.chosen.has(s.subject);
		const { stroke, dash } = on ? lineOf(s) : { stroke: "var(--faint)" };
		const line = svgEl("svg", { width: 22, height: 10, "aria-hidden": "true" });

		line.append(
			svgEl("line", {
				x1: 1, x2: 21, y1: 5, y2: 5,
				stroke, "stroke-dasharray": dash, "stroke-width": 2,
			}),
		);
		return s.limit
			? el("span.chip", line, s.subject)
			: el(
					"button.chip",
					{
						type: "button",
						"aria-pressed": String(on),
						"data-key": s.subject,
						onclick: () => toggle(s.subject),
					},
					line,
					s.subject,
				);
	};

	settle();
	const fig = figure("throughput", {
		controls: () => [
			select(
				"run",
				runs.map((run) => ({ value: run, label: run.label })),
				state.run,
				(run) => set({ run }),
			),
			...rowControls(state, set),
			radios(
				"in",
				units.map((u) => ({
					value: u,
					label: u.id === "times" && state.base ? `\u00d7 ${state.base}` : u.label,
					disabled: !state.able.includes(u),
					title: state.able.includes(u) ? null : "not in this file",
				})),
				state.unit,
				(unit) => set({ unit }),
			),
			checkbox("log scale", state.log, (log) => set({ log })),
		],
		draw: (width) => {
			const { svg, points } = draw(state, width);

			return [
				readout(
					svg,
					`${axisTitle(state)}; against bytes in a call, ${state.kind}, ` +
						`offset ${state.offset}, ${state.run.label}`,
					points,
					(row) => [rowTitle(row), ...rowLines(row)],
					sampleStrip,
				),
				el("div.legend", state.series.map(chip)),
				shownTable(state),
			];
		},
		caption: [
			"Medians over the size of a call, with their 95% intervals as bands (the ",
			"median distance where a file has none). Dashed: the limit, which ",
			"only touches the same bytes. What is grey is named where it is ",
			"pointed at. Open circles: lengths that are one byte above another one.",
		],
	});

	return fig.node;
}

function shownTable(state) {
	const sizes = sizesOf(state).sort((a, b) => a - b);
	const at = (s, size) => {
		const row = s.rows.find((r) => r.size === size);
		const value = row ? measured(row, state.unit).value : null;

		return value == null ? null : digits(value);
	};

	return details(
		"The same as a table",
		table(
			`${axisTitle(state)}, ${state.kind}, offset ${state.offset}, ${state.run.label}`,
			[
				{ head: "routine", text: true, cell: (s) => s.subject },
				...sizes.map((size) => ({
					head: sizeText(size),
					cell: (s) => at(s, size),
				})),
			],
			state.series,
		),
	);
}
