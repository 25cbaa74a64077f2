// SPDX-License-Identifier: BSD-2-Clause
// beforeafter.js - two runs of one kind: what became of each routine.
//
// Such runs were not interleaved, so the machine itself may have changed between
// them: the limit, which nobody has changed, is in the list to show by how much.
import { details, el, radios, select, table } from "./dom.js";
import { figure } from "./figure.js";
import { kindOf, ratioOf, unique } from "./model.js";
import { noisy, ratioPanel, ratioRows, sorted, words } from "./ratios.js";
import { digits, sizeText } from "./units.js";

// What makes runs be of one kind.
const kindOfRun = ({ file, title, settings: s }) =>
	JSON.stringify([file.place, file.experiment, title, s.span, s.mix, s.order,
		s.flush, s.jitter, s.background]);

const keyOf = (row) =>
	[row.subject, row.op, row.mode, row.size, row.offset].join();

const percent = (x) => `${digits(100 * x, 2)}%`;

function judged(before, after) {
	const { ratio, low, high } = ratioOf(after, before);
	const v = { a: after.subject, before, after, ratio, low, high };

	if (low == null || noisy(v))
		return { ...v, verdict: "unclear", text: "too noisy to say" };
	if (high < 1)
		return { ...v, verdict: "faster", text: `faster by ${percent(1 - ratio)}` };
	if (low > 1)
		return { ...v, verdict: "slower", text: `slower by ${percent(ratio - 1)}` };
	return { ...v, verdict: "same", text: "no difference" };
}

// [{before, after, list}] - pairs of runs of different files
function pairsOf(runs) {
	const found = [];

	for (const [i, before] of runs.entries())
		for (const after of runs.slice(i + 1)) {
			if (before.file === after.file || kindOfRun(before) !== kindOfRun(after))
				continue;
			const old = new Map(before.timed.map((row) => [keyOf(row), row]));
			const list = after.timed
				.filter((row) => old.has(keyOf(row)))
				.map((row) => judged(old.get(keyOf(row)), row));

			if (list.length)
				found.push({ before, after, list });
		}
	return found;
}

const count = (list, verdict) =>
	list.filter((v) => v.verdict === verdict).length;

function verdictOf(list) {
	const open = list.filter((v) => !v.after.limit);
	const [faster, slower, unclear] = ["faster", "slower", "unclear"].map((w) =>
		count(open, w),
	);
	const same = open.length - faster - slower - unclear;
	// one row in twenty is apart by chance
	const few = (n) => n * 20 <= open.length;
	const sentence = few(faster) && few(slower)
		? "No difference that these runs can show"
		: few(faster)
			? "Slower than before"
			: few(slower)
				? "Faster than before"
				: "Some faster, some slower";

	return (
		`${sentence}: of ${open.length} rows ${faster} are faster, ${slower} slower, ` +
		`${same} the same` + (unclear ? `, ${unclear} too noisy to say.` : ".")
	);
}

function drift(list) {
	const limits = list.filter((v) => v.after.limit);

	if (!limits.length)
		return null;
	const logs = limits.map((v) => Math.log(v.ratio)).sort((a, b) => a - b);
	const ratio = Math.exp(logs[Math.floor(logs.length / 2)]);

	return el(
		"p.finding",
		`The machine: ${limits[0].after.subject}, which only reads, takes ` +
			`${digits(ratio, 3)} times as long as before.`,
	);
}

export function beforeAfter(model) {
	const found = pairsOf(model.runs);

	if (!found.length)
		return null;
	const state = { found: found[0] };

	function settle() {
		const { list } = state.found;

		state.kinds = unique(list.map((v) => kindOf(v.after)));
		if (!state.kinds.includes(state.kind))
			state.kind = state.kinds[0];
		const here = list.filter((v) => kindOf(v.after) === state.kind);

		state.sizes = unique(here.map((v) => v.after.size)).sort((a, b) => a - b);
		if (!state.sizes.includes(state.size))
			state.size = state.sizes.reduce((a, b) =>
				Math.abs(Math.log(b / 1500)) < Math.abs(Math.log(a / 1500)) ? b : a,
			);
		const offset = here.find((v) => v.after.size === state.size).after.offset;

		state.list = sorted(
			here.filter(
				(v) => v.after.size === state.size && v.after.offset === offset,
			),
		);
	}
	function set(change) {
		Object.assign(state, change);
		settle();
		fig.rebuild();
	}

	settle();
	const fig = figure("before-after", {
		controls: () => [
			select(
				"runs",
				found.map((f) => ({
					value: f,
					label: `${f.before.label} / ${f.after.label}`,
				})),
				state.found,
				(f) => set({ found: f }),
			),
			select(
				"of",
				state.kinds.map((k) => ({ value: k, label: k })),
				state.kind,
				(kind) => set({ kind }),
			),
			radios(
				"size",
				state.sizes.map((s) => ({ value: s, label: sizeText(s) })),
				state.size,
				(size) => set({ size }),
			),
		],
		draw: (width) => [
			el("p.finding", el("b", verdictOf(state.found.list))),
			drift(state.found.list),
			ratioPanel(
				`${sizeText(state.size)}: ${state.found.after.file.name} against ` +
					state.found.before.file.name,
				state.list,
				(v) => v.a,
				"time after over time before; left of 1 is faster",
				(v) => [
					`${v.a}, ${sizeText(v.after.size)}`,
					["before", `${digits(v.before.ns, 4)} ns`],
					["after", `${digits(v.after.ns, 4)} ns`],
					...ratioRows(v),
				],
				width,
			),
			sideBySide(state.found),
		].filter(Boolean),
		caption: [
			"Two runs of one kind. The interval is that of both medians; the runs ",
			"were not interleaved, so a machine that has changed looks like a ",
			"change of all.",
		],
	});

	return fig.node;
}

function sideBySide({ before, after, list }) {
	return details(
		"Before and after, side by side",
		table(
			`${before.label} and ${after.label}`,
			[
				{ head: "routine", text: true, cell: (v) => v.a },
				{ head: "of", text: true, cell: (v) => kindOf(v.after) },
				{ head: "size", cell: (v) => sizeText(v.after.size) },
				{ head: "before, ns", cell: (v) => digits(v.before.ns, 4) },
				{ head: "after, ns", cell: (v) => digits(v.after.ns, 4) },
				{ head: "ratio", cell: (v) => digits(v.ratio) },
				{ head: "verdict", text: true, cell: words },
			],
			list,
		),
	);
}
