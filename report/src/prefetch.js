// SPDX-License-Identifier: BSD-2-Clause
// prefetch.js - what prefetching does to a routine: policy, distance and size,
// as the ratio to the same routine without.
import * as Plot from "@observablehq/plot";

import { details, el, select, table } from "./dom.js";
import { figure, rowLines, rowTitle, sampleStrip, text } from "./figure.js";
import { kindOf, prefetched, unique } from "./model.js";
import { readout } from "./readout.js";
import { digits, sizeText } from "./units.js";

const CELL = { least: 34, most: 48 }; // px; a ratio has to fit into it
const SIDE = 58; // px for the sizes

// The ratio that has the full colour, like its inverse: what is seen, at least.
function strongest(cells) {
	const far = Math.max(...cells.map((d) => Math.abs(Math.log(d.ratio))));

	return [1.25, 1.5, 2].find((full) => Math.log(full) >= far) ?? 3;
}

function fill(ratio, full) {
	const share = Math.min(Math.abs(Math.log(ratio)) / Math.log(full), 1);
	const side = ratio < 1 ? "--faster" : "--slower";

	return `color-mix(in oklab, var(${side}) ${Math.round(share * 100)}%, var(--level))`;
}

const clear = (d) => d.low != null && (d.high < 1 || d.low > 1);

const policyOf = ({ row: { prefetch } }) =>
	prefetch.policy +
	(prefetch.policy === "above" && prefetch.above
		? ` ${prefetch.above} B`
		: "") +
	(prefetch.hint === "nta" ? ", nta" : "");

// In the order in which --prefetch names the policies.
function policies(cells) {
	const order = ["ahead", "bounded", "lead", "above"];

	return unique(cells.map(policyOf)).sort(
		(a, b) =>
			order.indexOf(a.split(/[ ,]/)[0]) - order.indexOf(b.split(/[ ,]/)[0]),
	);
}

function panel(cells, policy, { lines, sizes, run, full }, width) {
	const here = cells.filter((d) => policyOf(d) === policy);
	const left = SIDE - 4;
	const svg = Plot.plot({
		width,
		height: 26 * sizes.length + 60,
		marginLeft: left,
		marginRight: 2,
		marginTop: 24,
		marginBottom: 36,
		padding: 0.04,
		x: { type: "band", domain: lines, tickSize: 0, label: null },
		y: {
			type: "band",
			domain: sizes,
			tickSize: 0,
			label: null,
			tickFormat: sizeText,
		},
		marks: [
			(index, scales, values, dimensions) =>
				text(left, 9, policy, { class: "panel" }),
			(index, scales, values, dimensions) =>
				text(dimensions.width - 2, dimensions.height - 6, "lines ahead", {
					class: "title",
					"text-anchor": "end",
				}),
			Plot.cell(here, {
				x: (d) => d.row.prefetch.lines,
				y: (d) => d.row.size,
				fill: (d) => fill(d.ratio, full),
				className: "cells",
			}),
			Plot.text(here, {
				x: (d) => d.row.prefetch.lines,
				y: (d) => d.row.size,
				text: (d) => d.ratio.toFixed(2),
				fill: "var(--ink)",
				fillOpacity: (d) => (clear(d) ? 1 : 0.5),
			}),
		],
	});
	const x = svg.scale("x"), y = svg.scale("y");
	const nodes = svg.querySelectorAll(".cells rect");
	const points = here
		.map((d, i) => {
			const x1 = x.apply(d.row.prefetch.lines);
			const y1 = y.apply(d.row.size);

			nodes[i]?.classList.add("cell");
			return {
				x: x1 + x.bandwidth / 2,
				y: y1 + y.bandwidth / 2,
				box: {
					x1,
					x2: x1 + x.bandwidth,
					y1,
					y2: y1 + y.bandwidth,
					node: nodes[i],
				},
				series: String(d.row.size),
				column: d.row.prefetch.lines,
				datum: d,
			};
		})
		.sort((a, b) => a.y - b.y || a.x - b.x);

	return readout(svg, `${run.label}: ${policy}`, points, ratioLines, (d) =>
		sampleStrip(d.row),
	);
}

function ratioLines(d) {
	return [
		rowTitle(d.row),
		["ratio", `${digits(d.ratio)} of the time without`],
		...(d.low != null
			? [["between", `${digits(d.low)} and ${digits(d.high)}`]]
			: []),
		...(d.verdict ? [["verdict", String(d.verdict.text)]] : []),
		["without", `${digits(d.plain.ns, 4)} ns`],
		...rowLines(d.row),
	];
}

function scale(full) {
	return el(
		"div.scale",
		{ "aria-hidden": "true" },
		el("span", `faster, ${digits(1 / full, 2)}`),
		el("span.ramp"),
		el("span", `slower, ${digits(full)}`),
	);
}

export function prefetch(model) {
	const all = model.runs
		.map((run) => ({ run, cells: prefetched(run) }))
		.filter(({ cells }) => cells.length);

	if (!all.length)
		return null;
	const choices = unique(
		all.flatMap(({ cells }) =>
			cells.map(
				({ row }) => `${row.routine}, ${kindOf(row)}, offset ${row.offset}`,
			),
		),
	);
	const state = { choice: choices[0], open: new Set() };
	const chosen = (cells) =>
		cells.filter(
			({ row }) =>
				`${row.routine}, ${kindOf(row)}, offset ${row.offset}` ===
				state.choice,
		);
	const fig = figure("prefetch", {
		controls: () => [
			select(
				"of",
				choices.map((choice) => ({ value: choice, label: choice })),
				state.choice,
				(choice) => {
					state.choice = choice;
					fig.rebuild();
				},
			),
		],
		draw: (width) => {
			const full = strongest(all.flatMap(({ cells }) => chosen(cells)));

			return [
				scale(full),
				...all.flatMap(({ run, cells }) =>
					runPanels(run, chosen(cells), full, width, state.open),
				),
				ratioTable(all, chosen),
			];
		},
		caption: [
			"Time with prefetching over time without, of the same routine in the ",
			"same run: below 1 it helps. Pale: the interval of the ratio holds 1, so ",
			"it may be noise.",
		],
	});

	return fig.node;
}

const nameOf = (d) =>
	`${policyOf(d)}, ${d.row.prefetch.lines} lines ahead, at ${sizeText(d.row.size)}`;

// What a reader would see in the maps of a run, in one sentence.
function finding(cells) {
	const sure = cells.filter(clear);
	const helps = sure.filter((d) => d.ratio < 1);
	const hurts = sure.filter((d) => d.ratio > 1);
	const best = helps.reduce((a, b) => (a && a.ratio <= b.ratio ? a : b), null);
	const worst = hurts.reduce((a, b) => (a && a.ratio >= b.ratio ? a : b), null);
	const rest = cells.length - sure.length;

	return (
		(best
			? `Prefetching helps in ${helps.length} of ${cells.length} cases, at most ` +
				`to ${digits(best.ratio)} of the time (${nameOf(best)})`
			: `Prefetching helps in none of ${cells.length} cases`) +
		(worst
			? `; it costs in ${hurts.length}, at most ${digits(worst.ratio)} times ` +
				`the time (${nameOf(worst)})`
			: "") +
		(rest ? `; ${rest} are within the noise.` : ".")
	);
}

function runPanels(run, cells, full, width, open) {
	if (!cells.length)
		return [];
	const lines = unique(cells.map((d) => d.row.prefetch.lines)).sort(
		(a, b) => a - b,
	);
	const sizes = unique(cells.map((d) => d.row.size)).sort((a, b) => a - b);
	const names = policies(cells);
	const least = SIDE + CELL.least * lines.length;
	const most = SIDE + CELL.most * lines.length;
	const columns = Math.max(
		Math.min(Math.floor((width + 20) / (least + 20)), names.length),
		1,
	);
	const each = Math.min((width - 20 * (columns - 1)) / columns, most);

	return [
		el("h4", `${cells[0].row.routine}, ${run.label}`),
		el("p.finding", finding(cells)),
		el(
			"details",
			{
				open: open.has(run),
				ontoggle: (e) => open[e.target.open ? "add" : "delete"](run),
			},
			el("summary", "The map"),
			el(
				"div.panels",
				names.map((name) =>
					panel(cells, name, { lines, sizes, run, full }, Math.floor(each)),
				),
			),
		),
	];
}

function ratioTable(all, chosen) {
	return details(
		"The same as a table",
		table(
			"Time with prefetching over time without",
			[
				{ head: "run", text: true, cell: (d) => d.row.run.label },
				{ head: "policy", text: true, cell: policyOf },
				{ head: "lines", cell: (d) => String(d.row.prefetch.lines) },
				{ head: "size", cell: (d) => sizeText(d.row.size) },
				{ head: "without, ns", cell: (d) => digits(d.plain.ns, 4) },
				{ head: "with, ns", cell: (d) => digits(d.row.ns, 4) },
				{ head: "ratio", cell: (d) => digits(d.ratio) },
				{
					head: "between",
					cell: (d) =>
						d.low == null ? null : `${digits(d.low)} to ${digits(d.high)}`,
				},
			],
			all.flatMap(({ cells }) => chosen(cells)),
		),
	);
}
