// SPDX-License-Identifier: BSD-2-Clause
// main.js - the page of `csum report`, from the JSON at its end.
//
// Drawn with Observable Plot: it makes plain SVG that the stylesheet colours, so
// light, dark and print are one drawing, and marks are functions where a figure
// needs what no library has, such as names that move apart.  A canvas or a
// library with themes of its own would have to be drawn again for each.
import { el } from "./dom.js";
import { beforeAfter } from "./beforeafter.js";
import { captures, isCapture } from "./captures.js";
import { headline } from "./headline.js";
import { hotCold } from "./hotcold.js";
import { readFiles, unique } from "./model.js";
import { prefetch } from "./prefetch.js";
import { conditions, numbers, warnings } from "./tables.js";
import { throughput } from "./throughput.js";
import { verdicts } from "./verdicts.js";

const THEMES = ["as the system", "light", "dark"];

function themeButton() {
	let chosen = 0;
	const word = el("span", THEMES[0]);

	return el(
		"button.theme",
		{
			type: "button",
			onclick: () => {
				chosen = (chosen + 1) % THEMES.length;
				word.textContent = THEMES[chosen];
				if (chosen)
					document.documentElement.dataset.theme = THEMES[chosen];
				else
					delete document.documentElement.dataset.theme;
			},
		},
		"colours: ",
		word,
	);
}

function heading(model) {
	const machines = unique(
		model.files.map(({ machine: m }) => m.cpu ?? m.arch ?? "unknown machine"),
	);
	const builds = unique(
		model.files.map(({ doc, machine: m }) =>
			[
				`csum ${doc.version ?? "?"}`,
				doc.commit && `commit ${doc.commit}`,
				m.compiler && [m.compiler, m.flags].filter(Boolean).join(" "),
				m.kernel,
			]
				.filter(Boolean)
				.join(" \u00b7 "),
		),
	);

	document.title = `Internet checksum, ${machines.join(" and ")}`;
	return el(
		"header",
		themeButton(),
		el("h1", "Internet checksum"),
		el("p.on", machines.join(" and ")),
		builds.map((b) => el("p.build", b)),
	);
}

// Print shows what is folded away, and folds it again.
function openForPrint() {
	let opened = [];

	addEventListener("beforeprint", () => {
		opened = [...document.querySelectorAll("details:not([open])")];
		opened.forEach((d) => (d.open = true));
	});
	addEventListener("afterprint", () => opened.forEach((d) => (d.open = false)));
}

function section(title, content) {
	return content && el("section", el("h2", title), content);
}

function fill(page) {
	const runs = document.getElementById("runs");
	const sources = JSON.parse(runs.textContent);
	const measured = sources.filter((s) => !isCapture(s));

	page.append(...captures(sources.filter(isCapture), themeButton));
	if (!measured.length)
		return;
	const model = readFiles(measured);
	const parts = [
		heading(model),
		headline(model),
		warnings(model),
		section("Before and after", beforeAfter(model)),
		section("Throughput", throughput(model)),
		section("In cache and out of it", hotCold(model)),
		section("Prefetching", prefetch(model)),
		section("One against another", verdicts(model)),
		numbers(model),
		conditions(model),
	];

	page.append(...parts.filter(Boolean));
}

addEventListener("DOMContentLoaded", () => {
	const page = document.getElementById("page");

	try {
		fill(page);
	} catch (error) {
		page.append(el("p.failed", `This page cannot be drawn: ${error.message}`));
		throw error;
	}
	openForPrint();
});
