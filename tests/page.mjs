// SPDX-License-Identifier: BSD-2-Clause
// page.mjs - the page of `csum report` in a browser: TAP.
//   node page.mjs CHROMIUM FOLDER     FOLDER: what tests/page.sh made
//
// What is expected comes from the JSON of tests/reports/, or was worked out from
// its round numbers by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { start } from "./browser.mjs";

const [program, folder] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;
const rows = JSON.parse(readFileSync(join(here, "reports/rows.json"), "utf8"));
const css = readFileSync(join(here, "../report/style.css"), "utf8");
let count = 0, failed = 0;

function ok(what, passed, ...notes) {
	console.log(`${passed ? "ok" : "not ok"} ${++count} - ${what}`);
	if (!passed) {
		failed++;
		for (const note of notes)
			console.log(`# ${JSON.stringify(note)?.slice(0, 600)}`);
	}
}

function is(what, got, want) {
	const same = JSON.stringify(got) === JSON.stringify(want);

	ok(what, same, { got }, { want });
}

const rowOf = (run, subject, size) =>
	rows.runs[run].rows.find((r) => r.subject === subject && r.size === size);

// ---------------------------------------------------------------------------
// Colours

const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const channels = (hex) =>
	[1, 3, 5].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255));
const times = (m, c) => m.map((r) => r[0] * c[0] + r[1] * c[1] + r[2] * c[2]);
const luminance = (c) => times([[0.2126, 0.7152, 0.0722]], c)[0];

function contrast(a, b) {
	const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);

	return (high + 0.05) / (low + 0.05);
}

// What is left of a colour: Machado, Oliveira and Fernandes (2009), severity 1.
const EYES = {
	"all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	protanopia: [
		[0.152286, 1.052583, -0.204868],
		[0.114503, 0.786281, 0.099216],
		[-0.003882, -0.048116, 1.051998],
	],
	deuteranopia: [
		[0.367322, 0.860646, -0.227968],
		[0.280085, 0.672501, 0.047413],
		[-0.01182, 0.04294, 0.968881],
	],
	tritanopia: [
		[1.255528, -0.076749, -0.178779],
		[-0.078411, 0.930809, 0.147602],
		[0.004733, 0.691367, 0.3039],
	],
};

// Oklab, in which distances are about what is seen.
function oklab(c) {
	const lms = times(
		[
			[0.4122214708, 0.5363325363, 0.0514459929],
			[0.2119034982, 0.6806995451, 0.1073969566],
			[0.0883024619, 0.2817188376, 0.6299787005],
		],
		c.map((v) => Math.min(Math.max(v, 0), 1)),
	).map(Math.cbrt);

	return times(
		[
			[0.2104542553, 0.793617785, -0.0040720468],
			[1.9779984951, -2.428592205, 0.4505937099],
			[0.0259040371, 0.7827717662, -0.808675766],
		],
		lms,
	);
}

function colours() {
	for (const theme of [0, 1]) {
		const named = Object.fromEntries(
			[...css.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(
				([, name, ...both]) => [name, channels(both[theme])],
			),
		);
		const of = theme ? "dark" : "light";
		const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => named[`c${i}`]);
		const least = Math.min(...lines.map((c) => contrast(c, named.paper)));
		const text = Math.min(
			...["ink", "soft"].map((n) => contrast(named[n], named.paper)),
		);

		ok(`${of}: lines have a contrast of 3`, least >= 3, least);
		ok(`${of}: text has a contrast of 4.5`, text >= 4.5, text);
		for (const [eyes, matrix] of Object.entries(EYES)) {
			const seen = lines.map((c) => oklab(times(matrix, c)));
			const nearest = Math.min(
				...seen.flatMap((a, i) =>
					seen.slice(i + 1).map((b) =>
						Math.hypot(...a.map((v, k) => v - b[k])),
					),
				),
			);

			ok(`${of}: lines are apart to ${eyes}`, nearest >= 0.07, nearest);
		}
	}
}

// ---------------------------------------------------------------------------
// The page

const all = (selector, what) =>
	`[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => ${what})`;
const one = (selector, n = 0) =>
	`document.querySelectorAll(${JSON.stringify(selector)})[${n}]`;
const TIP = `(() => {
	const tip = document.querySelector(".tip:not([hidden])");
	return tip && {
		title: tip.querySelector("strong").textContent,
		...Object.fromEntries([...tip.querySelectorAll("dt")].map((dt) =>
			[dt.textContent, dt.nextSibling.textContent])),
	};
})()`;

let browser;

async function open(name) {
	const { send, until } = browser;

	await send("Page.navigate", { url: `file://${folder}/${name}` });
	return until(`document.readyState === "complete" &&
		(document.querySelector(".plot svg") || document.querySelector(".failed"))
		&& true`);
}

async function contents() {
	const { value } = browser;

	ok("the page draws", await open("both.html"));
	is(
		"it has the four figures",
		await value(all("figure", "e.id")),
		["throughput", "hot-cold", "prefetch", "verdicts"],
	);
	is(
		"a line for each routine, and the limit dashed",
		await value(
			all(
				"#throughput g[aria-label=line] path[data-series]",
				"[e.dataset.series, !!e.closest('g').getAttribute('stroke-dasharray')]",
			),
		),
		[["avx2", false], ["adc", false], ["read", true]],
	);
	is(
		"a noise band for each",
		await value(
			all("#throughput g[aria-label=area] path[data-series]", "e.dataset.series"),
		),
		["avx2", "adc", "read"],
	);
	is(
		"slopes at three sizes",
		await value(all("#hot-cold .plot text.panel", "e.textContent")),
		["64 B", "1500 B", "9000 B"],
	);
	// 1500: 20 and 40 in cache, 300 and 250 out of it; 9000 has no interval
	is(
		"what changes places beyond the noise is coloured",
		await value(
			all("#hot-cold g[aria-label=line] path", "e.getAttribute('stroke')"),
		),
		["var(--quiet)", "var(--quiet)", "var(--loss)", "var(--gain)",
			"var(--quiet)", "var(--quiet)"],
	);
	is(
		"and counted in words",
		await value(all("#hot-cold .findings li", "/; (\\S+ pair)/.exec(e.textContent)[1]")),
		["no pair", "1 pair", "no pair"],
	);
	// the last of the third panel is a verdict's, of its medians it would be 0.75
	is(
		"prefetching: ratios to the time without",
		await value(
			all(
				"#prefetch .plot",
				"[...e.querySelectorAll('g[aria-label=text] text')].map((t) => t.textContent).join(' ')",
			),
		),
		["1.25 1.20 1.01 1.00", "1.10 1.10 1.00 1.02",
			"1.00 1.00 0.90 0.76", "1.01 1.00 0.80 0.80"],
	);
	const verdict = () =>
		value(`[...${all("#verdicts svg g.verdict", "e.lastChild.textContent")},
			...${all("#verdicts svg circle:not(.ring)", "e.getAttribute('fill')")}]`);

	is(
		"a full packet first: its verdict, with its interval",
		await verdict(),
		[rows.runs[0].verdicts[1].text, "var(--faster-ink)"],
	);
	is(
		"in words, too",
		await value(all("#verdicts .finding", "e.textContent")),
		[`First: avx2, ${rows.runs[0].verdicts[1].text}.`],
	);
	await value(`${one("#verdicts input[type=radio]", 0)}.click()`);
	is(
		"another size: no colour where there is no difference",
		await verdict(),
		[rows.runs[0].verdicts[0].text, "var(--quiet)"],
	);
	is(
		"the answer first, and how sure it is",
		await value(all("#headline > p", "e.textContent")),
		["avx2 is fastest here: 75.0 B/ns at 1500 B, 2.0 times as long as read takes.",
			"That is sure: adc takes 100% longer, and their 95% intervals are apart."],
	);
	ok(
		"in front of all figures",
		await value(`!!(${one("#headline")}.compareDocumentPosition(${one("figure")}) &
			Node.DOCUMENT_POSITION_FOLLOWING)`),
	);
	is(
		"what is long is folded",
		await value(all("#conditions > details, #prefetch > .body > details, #warnings > details", "e.open")
			+ ".filter(Boolean)"),
		[],
	);
	ok(
		"a sentence for each map",
		await value(all("#prefetch p.finding", "e.textContent") +
			".every((t) => /^Prefetching helps in \\w+ of \\d+ cases/.test(t))"),
	);
	is(
		"every median is in a table, as it stands in the file",
		await value(
			`[...document.querySelectorAll("#numbers table")[0].tBodies[0].rows].map(
				(r) => r.cells[0].textContent + " " + r.cells[4].textContent + " " +
					r.cells[6].textContent)`,
		),
		rows.runs[0].rows.map(
			(r) => `${r.subject} ${r.size} ${r.median_ns ?? "left out"}`,
		),
	);
	is(
		"each figure is there as a table",
		await value(all("figure", "e.querySelectorAll('details table').length")),
		[1, 1, 1, 1],
	);
	is(
		"what looks like HTML is text",
		await value(`[${all("#warnings li", "e.textContent")},
			document.querySelector(".on").textContent,
			document.querySelectorAll("b").length]`),
		[[`${rows.runs[0].warnings[0]} (1 of 4 runs)`], rows.machine.cpu, 5],
	);
}

async function pointer() {
	const { value, point } = browser;
	const row = rowOf(0, "avx2", 1500);

	await point(one("#throughput circle[data-series=avx2]", 1));
	const tip = await value(TIP);

	is(
		"pointing at a value names it, with units",
		[tip?.title, tip?.median, tip?.["95% interval"], tip?.throughput],
		["avx2, 1500 B", `${row.median_ns} ns`,
			`${row.median_low_ns} to ${row.median_high_ns} ns`, "75.00 B/ns"],
	);
	is(
		"and its counters, with the share of time they were live",
		[tip?.instructions, tip?.["branch-misses"]],
		["180 a call, live 50 %", undefined],
	);
	is(
		"and each sample, as a dot",
		await value(`${one(".tip .samples")}.querySelectorAll("circle").length`),
		row.samples_ns.length,
	);
	ok(
		"its line stands out",
		await value(`${one("#throughput path.lit")}?.dataset.series === "avx2"`),
	);
	await point(one("h1"));
	is("and is forgotten", await value(TIP), null);
	await value(`${one("#prefetch .body > details")}.open = true`);
	await point(one("#prefetch rect.cell", 3));
	is("a cell, too", (await value(TIP))?.title, "adc4_64+ahead4, 1500 B");
}

async function keyboard() {
	const { value, key, until } = browser;
	const median = async () => {
		const tip = await value(TIP);

		return [tip?.title, tip?.median];
	};
	const expected = (subject, size) => [
		`${subject}, ${size} B`,
		`${rowOf(0, subject, size).median_ns} ns`,
	];

	await value(`${one("h1")}.scrollIntoView(), document.activeElement.blur()`);
	for (let i = 0; i < 30; i++) {
		if (await value(`document.activeElement.matches("#throughput .plot")`))
			break;
		await key("Tab");
	}
	is("the tab key reaches a figure", await median(), expected("avx2", 64));
	await key("ArrowRight");
	is("right: the next size", await median(), expected("avx2", 1500));
	await key("ArrowUp");
	is("up: the next line", await median(), expected("adc", 1500));
	await key("End");
	is("end: the last size", await median(), expected("adc", 9000));
	ok(
		"it is said aloud",
		await value(`${one("#throughput [aria-live]")}.textContent.includes(
			"adc, 9000 B, median 200 ns")`),
	);
	await key("Escape");
	is("escape: nothing", await value(TIP), null);

	await key("Tab");
	await key(" ");
	is(
		"a routine is taken out of colour by its name",
		await value(`[document.activeElement.textContent,
			document.activeElement.getAttribute("aria-pressed"),
			${all("#throughput g[aria-label=area] path", "e.dataset.series")}]`),
		["avx2", "false", ["adc", "read"]],
	);
	await key(" ");

	await value(`${one("#throughput input[type=radio]:checked")}.focus()`);
	await key("ArrowRight");
	ok(
		"arrow keys change the unit",
		await until(`${one("#throughput svg text.title", 1)}.textContent ===
			"bytes per ns, higher is better"`),
	);
	ok(
		"and stay where they are",
		await value(`document.activeElement.type === "radio"`),
	);
}

async function looks() {
	const { send, value, until, key } = browser;
	const paper = `getComputedStyle(document.documentElement).backgroundColor`;
	const scheme = (dark, media = "") =>
		send("Emulation.setEmulatedMedia", {
			media,
			features: [
				{ name: "prefers-color-scheme", value: dark ? "dark" : "light" },
			],
		});
	const [light, dark] = ["rgb(255, 255, 252)", "rgb(22, 24, 27)"];

	await scheme(false);
	is("light where the system is", await value(paper), light);
	await scheme(true);
	is("dark where the system is", await value(paper), dark);
	await value(`${one("button.theme")}.focus()`);
	await key("Enter");
	await value(`${one("button.theme")}.click()`);
	is("light when asked for", await value(paper), light);
	await value(`${one("button.theme")}.click()`);
	await scheme(true, "print");
	is("light on paper", await value(paper), light);
	is(
		"no controls on paper",
		await value(
			all(
				".controls, .theme, select, input",
				"e.getClientRects().length",
			) + ".filter(Boolean)",
		),
		[],
	);
	await scheme(false);
	await value(`window.unfolded = null; addEventListener("beforeprint", () =>
		unfolded = [document.querySelectorAll("details").length,
			document.querySelectorAll("details[open]").length])`);
	const { data } = await send("Page.printToPDF", {});
	const pdf = Buffer.from(data, "base64").toString("latin1");
	const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;

	ok("it prints", pdf.startsWith("%PDF-") && pages >= 3, pages);
	ok(
		"unfolded",
		await value(`unfolded && unfolded[0] > 5 && unfolded[0] === unfolded[1]`),
	);
	is("and folds again", await value(all("details[open] > summary", "e.textContent")),
		["The map"]);

	for (const width of [320, 700, 1400]) {
		await send("Emulation.setDeviceMetricsOverride", {
			width, height: 800, deviceScaleFactor: 1, mobile: false,
		});
		ok(
			`${width} px: as wide as the window, and no wider`,
			await until(`(() => {
				const root = document.documentElement;
				const widths = ${all(".plot svg", "e.getBoundingClientRect().right")};
				return root.clientWidth === ${width} &&
					root.scrollWidth === ${width} &&
					widths.every((right) => right > 0 && right <= ${width});
			})()`),
		);
	}
}

async function others() {
	const { value } = browser;

	await open("prefetch.html");
	is(
		"figures only for what was measured",
		await value(all("figure", "e.id")),
		["throughput", "prefetch"],
	);
	await open("bare.html");
	is(
		"rows without anything but a time",
		await value(all("#throughput g[aria-label=dot] circle", "e.dataset.series")),
		["only", "only+ahead5"],
	);
	ok(
		"units that a file does not have are not offered",
		await value(all("#throughput input[type=radio]", "e.disabled").concat(
			".join() === 'false,false,true,true'",
		)),
	);
	await open("empty.html");
	is("no rows: no figures", await value(all("figure", "e.id")), []);
	is(
		"but its conditions",
		await value(all("#conditions h4", "e.textContent")),
		["run 1"],
	);
}

// Nothing is wider than the window at any of these widths, and no text of a figure
// is over another one.
async function widths(page) {
	const { send, value, until } = browser;

	for (const width of [390, 800, 1400]) {
		await send("Emulation.setDeviceMetricsOverride", {
			width, height: 900, deviceScaleFactor: 1, mobile: false,
		});
		await open(page);
		ok(
			`${page} at ${width} px: nothing is clipped`,
			await until(`document.documentElement.scrollWidth === ${width}`),
		);
		is(
			`${page} at ${width} px: no text over another`,
			await value(OVERPRINTED),
			[],
		);
	}
}

// Pairs of texts of one figure that share more than a corner.
const OVERPRINTED = `[...document.querySelectorAll("figure svg")].flatMap((svg) => {
	const texts = [...svg.querySelectorAll("text")].filter((t) => t.textContent)
		.map((t) => ({ t: t.textContent, r: t.getBoundingClientRect() }));
	return texts.flatMap((a, i) => texts.slice(i + 1)
		.filter((b) => Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left) > 3 &&
			Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top) > 6)
		.map((b) => a.t + " | " + b.t));
})`;

async function beforeAfter() {
	const { value } = browser;

	await open("before.html");
	is(
		"two runs of one kind: a verdict, and what the machine did",
		await value(all("#before-after .finding", "e.textContent")),
		["Slower than before: of 6 rows 0 are faster, 1 slower, 5 the same.",
			"The machine: read, which only reads, takes 1.00 times as long as before."],
	);
	is(
		"the worst last, and in colour",
		await value(all("#before-after svg g.verdict",
			"[e.firstChild.textContent, e.lastChild.textContent]") + ".at(-1)"),
		["avx2", "slower by 50%"],
	);
	is(
		"side by side",
		await value(`[...${one("#before-after details table")}.tBodies[0].rows]
			.map((r) => [...r.cells].map((c) => c.textContent))
			.find((r) => r[0] === "avx2" && r[2] === "1500 B")`),
		["avx2", "sum", "1500 B", "20.00", "30.00", "1.50", "slower by 50%"],
	);
}

async function capture() {
	const { value } = browser;
	const total = JSON.parse(
		readFileSync(join(folder, "capture.json"), "utf8").trim().split("\n").at(-1),
	);
	const { kind, text, advice, parts } = total.conclusion;

	await open("capture.html");
	is(
		"a capture: its conclusion first",
		await value(`[${one("#conclusion .kind")}.textContent,
			${all("#conclusion .head, #conclusion li", "e.textContent")}.join(" "),
			${one("#conclusion .sure")}.textContent]`),
		[`${kind}: wrong on the wire`, text, advice],
	);
	is(
		"what, who, when, why, and what was not looked at",
		await value(all("h2", "e.textContent")),
		["What is wrong", "Who", "When", "Why", "What was not looked at", "All of it"],
	);
	is(
		"verdicts by protocol",
		await value(`[...${one("table")}.tBodies[0].rows].map((r) =>
			[...r.cells].map((c) => c.textContent).join())`),
		Object.entries(total.sites).map(([p, n]) => [p, ...Object.values(n)].join()),
	);
	is(
		"an explanation for each part",
		await value(`[...${one("table", 1)}.tBodies[0].rows].map((r) =>
			r.cells[0].textContent + " " + r.cells[1].textContent + " " +
				r.cells[3].textContent)`),
		parts.map((p) => `${p.kind} ${p.subject.host} ${p.checksums}`),
	);
	is(
		"senders of what is not right",
		await value(`[...${one("table", 2)}.tBodies[0].rows].map((r) =>
			[...r.cells].slice(0, 3).map((c) => c.textContent).join(" "))`),
		["198.51.100.1 0 7", "2001:db8:100::1 0 6", "192.0.2.1 1 0",
			"2001:db8:2::1 1 0"],
	);
	ok(
		"bars over time",
		await value(`${all("#timeline svg rect", "1")}.length > 1`),
	);
	ok(
		"nothing is called clean that was not looked at",
		await value(`${one("#page")}.textContent.includes(
			"2 packets: nothing could be checked")`),
	);
	await open("captures.html");
	is(
		"what has no line is said",
		await value(`/(\\d+) checksums?: not right, but without a line/.exec(
			${one("#page")}.textContent)?.[1]`),
		"13",
	);
}

colours();
browser = await start(program);
try {
	await contents();
	await pointer();
	await keyboard();
	await looks();
	await others();
	await beforeAfter();
	await capture();
	await widths("both.html");
	await widths("before.html");
	await widths("capture.html");
	is("nothing was complained of", browser.seen.complaints, []);
	is(
		"nothing was asked of a network",
		browser.seen.requests.filter((url) => !/^(file|data):/.test(url)),
		[],
	);
	ok("requests are seen at all", browser.seen.requests.length >= 4);
} finally {
	await browser.stop();
}
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
