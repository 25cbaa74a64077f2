// SPDX-License-Identifier: BSD-2-Clause
// headline.js - the answer in one sentence, and how sure it is.
import { el } from "./dom.js";
import { groupBy, kindOf } from "./model.js";
import { digits, sizeText } from "./units.js";

const TYPICAL = 1500; // bytes of a packet that is full

// The size that is nearest to a full packet, by its ratio.
function typical(rows) {
	const far = (row) => Math.abs(Math.log(row.size / TYPICAL));

	return rows.reduce((a, b) => (far(b) < far(a) ? b : a)).size;
}

// Rows that compete: one size, offset and kind.  What a user calls is one of the
// routines once more, so it competes only where it is alone.
function field(run) {
	const rows = run.timed.filter((row) => !row.limit && !row.prefetching);

	if (!rows.length)
		return [];
	const ofKind = rows.filter((row) => kindOf(row) === kindOf(rows[0]));
	const size = typical(ofKind);
	const offset = ofKind.find((row) => row.size === size).offset;
	const here = ofKind.filter(
		(row) => row.size === size && row.offset === offset,
	);
	const routines = here.filter((row) => row.raw.kind !== "public");

	return (routines.length ? routines : here).sort((a, b) => a.ns - b.ns);
}

const apart = (a, b) => a.high != null && b.low != null && a.high < b.low;

function surety([first, second]) {
	if (!second)
		return "It ran alone.";
	const behind = `${second.subject} takes ${digits(100 * (second.ns / first.ns - 1), 2)}% longer`;

	return first.bandIs !== "95%"
		? `Second: ${behind}; this file does not say how sure that is.`
		: apart(first, second)
			? `That is sure: ${behind}, and their 95% intervals are apart.`
			: `That is not sure: ${behind}, but their 95% intervals overlap.`;
}

function sentence(run, several) {
	const rows = field(run);

	if (!rows.length)
		return null;
	const [first] = rows;
	const limit =
		first.times == null
			? ""
			: `, ${digits(first.times, 2)} times as long as ${first.base ?? "the limit"} takes`;
	const ofKind = kindOf(first) === "sum" ? "" : ` of all in ${kindOf(first)}`;

	return {
		head:
			`${first.subject} is fastest${ofKind} here: ` +
			`${digits(first.size / first.ns)} B/ns at ${sizeText(first.size)}${limit}`,
		sure: surety(rows),
		where: several ? run.label : null,
	};
}

export function headline(model) {
	const several = model.runs.length > 1;
	const all = model.runs.map((run) => sentence(run, several)).filter(Boolean);
	// runs that say the same say it once
	const [first, ...rest] = [...groupBy(all, (s) => s.head).values()].map(
		([s]) => s,
	);

	if (!first)
		return null;
	return el(
		"section.headline",
		{ id: "headline" },
		el("p.head", `${first.head}.`),
		el("p.sure", first.sure),
		rest.length
			? el(
					"ul",
					rest.map((s) => el("li", `${s.where}: ${s.head}. ${s.sure}`)),
				)
			: null,
	);
}
