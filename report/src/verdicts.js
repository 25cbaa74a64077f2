// SPDX-License-Identifier: BSD-2-Clause
// verdicts.js - A against B: the ratio of their times with its interval.
import { details, radios, select, table } from "./dom.js";
import { figure } from "./figure.js";
import { groupBy, prefetched, unique } from "./model.js";
import { noisy, podium, ratioPanel, ratioRows, sorted, words } from "./ratios.js";
import { digits, exact, sizeText } from "./units.js";

const where = (v) => sizeText(v.size) + (v.offset ? ` +${v.offset}` : "");

// The place that is nearest to a full packet.
function typical(places, list) {
	const far = (place) =>
		Math.abs(Math.log(list.find((v) => where(v) === place).size / 1500));

	return places.reduce((a, b) => (far(b) < far(a) ? b : a));
}

export function verdicts(model) {
	// those of prefetching are in its figure
	const runs = model.runs
		.map((run) => {
			const drawn = new Set(prefetched(run).map((d) => d.verdict));

			return {
				run,
				verdicts: run.verdicts.filter((v) => v.ratio > 0 && !drawn.has(v)),
			};
		})
		.filter((r) => r.verdicts.length);

	if (!runs.length)
		return null;
	const state = { shown: runs[0] };

	function settle() {
		const list = state.shown.verdicts;

		state.places = unique(list.map(where));
		if (!state.places.includes(state.place))
			state.place = typical(state.places, list);
		// one against another may be asked of several
		state.groups = [
			...groupBy(
				list.filter((v) => where(v) === state.place),
				(v) => `${v.op ?? "sum"}, against ${v.b}`,
			),
		];
	}
	function set(change) {
		Object.assign(state, change);
		settle();
		fig.rebuild();
	}

	settle();
	const fig = figure("verdicts", {
		controls: () => [
			select(
				"run",
				runs.map((r) => ({ value: r, label: r.run.label })),
				state.shown,
				(shown) => set({ shown }),
			),
			radios(
				"size",
				state.places.map((p) => ({ value: p, label: p })),
				state.place,
				(place) => set({ place }),
			),
		],
		draw: (width) => [
			...state.groups.flatMap(([title, list]) => {
				const rows = sorted(list);

				return [
					podium(rows, (v) => String(v.a)),
					ratioPanel(
						`${state.place}, ${title}`,
						rows,
						(v) => String(v.a),
						"time over its time; left of 1 is faster",
						(v) => [`${v.a} against ${v.b}, ${where(v)}`, ...ratioRows(v)],
						width,
					),
				];
			}),
			verdictTable(runs),
		],
		caption: [
			"The ratio of two times, taken round by round, with its interval, the ",
			"fastest on top. Where the interval holds 1 there is no difference that ",
			"this measurement can show; what is too noisy has no mark.",
		],
	});

	return fig.node;
}

function verdictTable(runs) {
	const known = (v, n) => (noisy(v) ? null : digits(n, 4));

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
				{ head: "low", cell: (v) => known(v, v.low) },
				{ head: "ratio", cell: (v) => known(v, v.ratio) },
				{ head: "high", cell: (v) => known(v, v.high) },
				{ head: "verdict", text: true, cell: words },
			],
			runs.flatMap(({ run, verdicts }) =>
				verdicts.map((v) => ({ ...v, run })),
			),
		),
	);
}
