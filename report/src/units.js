// SPDX-License-Identifier: BSD-2-Clause
// units.js - what a time can be said in, and numbers as text.

// So many digits as mean something; the exact ones are in the tables.
export function digits(v, n = 3) {
	if (v == null || !isFinite(v))
		return "-";
	if (v === 0)
		return "0";
	const places = n - 1 - Math.floor(Math.log10(Math.abs(v)));

	return v.toFixed(Math.min(Math.max(places, 0), 6));
}

// As it stands in the file.
export const exact = (v) => (v == null ? null : String(v));

export const grouped = (v) =>
	v == null ? null : v.toLocaleString("en", { maximumFractionDigits: 0 });

export function sizeText(n) {
	return n >= 1024 && n % 1024 === 0
		? n % 1048576 === 0
			? `${n / 1048576} MiB`
			: `${n / 1024} KiB`
		: `${n} B`;
}

// value: of a row at a time, so that the ends of its interval can be put in;
// better: which end of the axis is the good one; perByte: it says nothing of what
// works on no run of bytes
export const units = [
	{
		id: "rate",
		label: "bytes/ns",
		axis: "bytes per ns",
		better: "higher",
		perByte: true,
		value: (row, ns) => row.size / ns,
		text: (v) => `${digits(v)} B/ns`,
	},
	{
		id: "ns",
		label: "ns",
		axis: "ns per call",
		better: "lower",
		log: true,
		value: (row, ns) => ns,
		text: (v) => `${digits(v, 4)} ns`,
	},
	{
		id: "cycles",
		label: "cycles/byte",
		axis: "cycles per byte",
		better: "lower",
		perByte: true,
		log: true,
		value: (row, ns) =>
			row.cycles == null ? null : (row.cycles * ns) / row.ns,
		text: (v) => `${digits(v)} cycles/B`,
	},
	{
		id: "times",
		label: "\u00d7 limit",
		axis: "times the time of",
		better: "lower",
		log: true,
		value: (row, ns) =>
			row.times == null ? null : (row.times * ns) / row.ns,
		text: (v) => `${digits(v)}\u00d7`,
	},
];

export function measured(row, unit) {
	const at = (ns) => (ns > 0 ? unit.value(row, ns) : null);
	const ends = [at(row.low), at(row.high)];

	return {
		value: at(row.ns),
		low: ends.includes(null) ? null : Math.min(...ends),
		high: ends.includes(null) ? null : Math.max(...ends),
	};
}
