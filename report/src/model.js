// SPDX-License-Identifier: BSD-2-Clause
// model.js - csum-bench/3 as the figures want it.  Whatever a file leaves out
// is null here; nothing is drawn of a row without a time.

const number = (x) => (typeof x === "number" && isFinite(x) ? x : null);
const list = (x) => (Array.isArray(x) ? x : []);
const object = (x) =>
	x && typeof x === "object" && !Array.isArray(x) ? x : {};

// "32K" -> 32768
export function bytes(text) {
	const match = /^(\d+(?:\.\d+)?)\s*([KMG]?)/i.exec(String(text ?? ""));

	if (!match)
		return null;
	return match[1] * 1024 ** " KMG".indexOf(match[2].toUpperCase() || " ");
}

// 95% of the median, or what the median distance from it says.
function band(raw, ns) {
	const low = number(raw.median_low_ns);
	const high = number(raw.median_high_ns);
	const mad = number(raw.mad_ns);

	if (low != null && high != null)
		return { low, high, bandIs: "95%" };
	if (mad != null)
		return { low: Math.max(ns - mad, 0), high: ns + mad, bandIs: "MAD" };
	return { low: null, high: null, bandIs: null };
}

function readRow(raw, run) {
	const ns = number(raw.median_ns);
	const size = number(raw.size);
	const cycles = number(raw.cycles_per_byte);
	const prefetch = raw.prefetch ? object(raw.prefetch) : null;

	return {
		raw,
		run,
		subject: String(raw.subject ?? "?"),
		// what prefetches is named "routine+policy"
		routine: String(raw.subject ?? "?").split("+")[0],
		limit: raw.kind === "limit",
		op: String(raw.op ?? "sum"),
		mode: String(raw.mode ?? "throughput"),
		size,
		offset: number(raw.offset) ?? 0,
		ns: size > 0 && ns > 0 ? ns : null,
		...band(raw, ns),
		cycles: cycles > 0 ? cycles : null,
		base: raw.base ?? null,
		times: number(raw.x_base),
		prefetch,
		prefetching: prefetch !== null && prefetch.policy !== "none",
		swept: false,
	};
}

// Is the data in the nearest cache that holds it, or in none?
export function warmth(settings, caches) {
	const span = number(settings.span) ?? 0;
	const largest = Math.max(
		...Object.values(caches).map((c) => bytes(c) ?? 0),
		0,
	);

	if (settings.flush || (span && span >= 2 * largest))
		return "cold";
	return span ? "between" : "hot";
}

// As many ways of one routine to prefetch are a map; fewer are routines like others.
const SWEEP = 4;

function markSweeps(rows) {
	for (const ways of groupBy(rows, (row) => row.routine).values())
		if (unique(ways.map((row) => row.subject)).length >= SWEEP)
			ways.forEach((row) => (row.swept = true));
}

function readRun(raw, file, i) {
	const settings = object(raw.settings);
	const run = {
		raw,
		file,
		settings,
		title: String(raw.title || `run ${i + 1}`),
		warmth: warmth(settings, file.caches),
		background: settings.background ?? "none",
		core: object(raw.core),
		empty: raw.empty_call ? object(raw.empty_call) : null,
		verdicts: list(raw.verdicts),
		warnings: list(raw.warnings).map(String),
	};

	run.rows = list(raw.rows).map((row) => readRow(object(row), run));
	run.timed = run.rows.filter((row) => row.ns != null);
	markSweeps(run.timed.filter((row) => row.prefetching));
	return run;
}

function readFile({ name, data }) {
	const doc = object(data);
	const machine = object(doc.machine);
	const file = {
		name: String(name),
		doc,
		machine,
		caches: object(machine.caches),
		experiment: String(doc.experiment ?? "rows"),
		// figures of two machines are not compared
		place: JSON.stringify([machine.cpu, machine.arch, machine.kernel]),
	};

	file.runs = list(doc.runs).map((r, i) => readRun(object(r), file, i));
	return file;
}

export function readFiles(sources) {
	const files = sources.map(readFile);
	const runs = files.flatMap((file) => file.runs);

	for (const run of runs)
		run.label =
			files.length > 1 ? `${run.file.name}: ${run.title}` : run.title;
	return { files, runs };
}

export function unique(items) {
	return [...new Set(items)];
}

export function groupBy(items, key) {
	const groups = new Map();

	for (const item of items) {
		const k = key(item);

		groups.has(k) ? groups.get(k).push(item) : groups.set(k, [item]);
	}
	return groups;
}

export const kindOf = (row) =>
	row.mode === "throughput" ? row.op : `${row.op}, ${row.mode}`;

// Sizes in the order of a scale, subjects in the order of the file.
export function seriesOf(rows) {
	return [...groupBy(rows, (row) => row.subject)].map(([subject, all]) => ({
		subject,
		limit: all[0].limit,
		kind: all[0].raw.kind,
		rows: [...all].sort((a, b) => a.size - b.size),
	}));
}

// The ones to look at first: what users call and what is best at most sizes.
export function leading(series, most) {
	const best = new Map();
	const mean = (s) =>
		s.rows.reduce(
			(sum, row) => sum + Math.log(row.ns / best.get(row.size)),
			0,
		) / s.rows.length;
	const open = series.filter((s) => !s.limit);

	for (const row of open.flatMap((s) => s.rows))
		best.set(row.size, Math.min(row.ns, best.get(row.size) ?? Infinity));
	return open
		.map((s) => ({ s, first: s.kind === "public" ? 0 : 1, loss: mean(s) }))
		.sort((a, b) => a.first - b.first || a.loss - b.loss)
		.slice(0, most)
		.map(({ s }) => s.subject);
}

// Hot and cold runs of one machine that share rows:
// [{hot, cold, pairs: [{hot, cold}]}].
export function hotAndCold(runs) {
	const key = (row) =>
		[row.subject, row.op, row.mode, row.size, row.offset].join();
	const plain = (run) => run.timed.filter((row) => !row.swept);
	const found = [];

	for (const hot of runs.filter((r) => r.warmth === "hot")) {
		const rows = new Map(plain(hot).map((row) => [key(row), row]));

		for (const cold of runs.filter(
			(r) => r.warmth === "cold" && r.file.place === hot.file.place,
		)) {
			const pairs = plain(cold)
				.filter((row) => rows.has(key(row)))
				.map((row) => ({ hot: rows.get(key(row)), cold: row }));

			// one alone has nobody to pass
			if (unique(pairs.filter((p) => !p.hot.limit).map((p) => p.hot.subject)).length > 1)
				found.push({ hot, cold, pairs });
		}
	}
	return found;
}

// The median distance of a file without intervals shows noise, and no more.
const sure = (row) => row.bandIs === "95%" && row.low > 0;
const apart = (a, b) => sure(a) && sure(b) && a.high < b.low;

// Who overtakes whom, both times by more than the noise: adds .won and .lost,
// the subjects that a pair passed and those that passed it.
export function overtaking(pairs) {
	const open = pairs.filter((p) => !p.hot.limit);
	const passes = (a, b) => apart(b.hot, a.hot) && apart(a.cold, b.cold);

	return open.map((p) => ({
		...p,
		won: open.filter((q) => passes(p, q)).map((q) => q.hot.subject),
		lost: open.filter((q) => passes(q, p)).map((q) => q.hot.subject),
	}));
}

// The ratio of two medians, and how far their intervals let it be.
export function ratioOf(a, b) {
	const known = sure(a) && sure(b);

	return {
		ratio: a.ns / b.ns,
		low: known ? a.low / b.high : null,
		high: known ? a.high / b.low : null,
	};
}

const sameBytes = (a, b) =>
	a.op === b.op && a.size === b.size && (a.offset ?? 0) === b.offset;

// Rows of a sweep, each with .plain, the same routine without, and the ratio
// of their times: the one of a verdict, which is taken round by round, if any.
export function prefetched(run) {
	const key = (row) =>
		[row.routine, row.op, row.mode, row.size, row.offset].join();
	const plain = new Map(
		run.timed
			.filter((row) => !row.prefetching && !row.limit)
			.map((row) => [key(row), row]),
	);
	const verdicts = groupBy(run.verdicts, (v) => v.a);

	return run.timed
		.filter((row) => row.swept && plain.has(key(row)))
		.map((row) => {
			const base = plain.get(key(row));
			const verdict = verdicts
				.get(row.subject)
				?.find((v) => v.b === base.subject && sameBytes(v, row));

			const { ratio, low, high } = verdict ?? ratioOf(row, base);

			return { row, plain: base, verdict, ratio, low, high };
		});
}
