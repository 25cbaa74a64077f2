// SPDX-License-Identifier: BSD-2-Clause
// readout.js - the values of a figure, by pointer and by keyboard.
import { el, svgEl } from "./dom.js";

const REACH = 48; // px from the pointer to the point it means
const GAP = 16; // px from a point to its tip
const WIDE = 600; // px of a figure from which on a tip may cover its middle

let serial = 0;

// Left and right follow a series, up and down go through a column.
function step(points, from, key) {
	const along = points.filter((p) => p.series === from.series);
	const across = points
		.filter((p) => p.column === from.column)
		.sort((a, b) => a.y - b.y || a.x - b.x);
	const [line, by] = {
		ArrowLeft: [along, -1],
		ArrowRight: [along, 1],
		ArrowUp: [across, -1],
		ArrowDown: [across, 1],
		Home: [along, -Infinity],
		End: [along, Infinity],
	}[key];
	const to = line.indexOf(from) + by;

	return line[Math.min(Math.max(to, 0), line.length - 1)];
}

function nearest(points, x, y) {
	let best = null, least = REACH;

	for (const p of points) {
		const d = p.box
			? x >= p.box.x1 && x < p.box.x2 && y >= p.box.y1 && y < p.box.y2
				? 0
				: Infinity
			: Math.hypot(p.x - x, p.y - y);

		if (d < least)
			[best, least] = [p, d];
	}
	return best;
}

// Beside its point where there is room to spare, or else below or above it: never
// on it, nor past the sides of the figure.
function place(tip, plot, point, scale) {
	const x = point.x * scale, y = point.y * scale;
	const room = plot.clientWidth - tip.offsetWidth;
	const tall = tip.offsetHeight;
	const beside = !point.box && plot.clientWidth >= WIDE;
	const below = plot.getBoundingClientRect().top + y + GAP + tall < innerHeight;
	let left = x - tip.offsetWidth / 2, top = y + (below ? GAP : -GAP - tall);

	if (beside) {
		left = x + GAP <= room ? x + GAP : x - GAP - tip.offsetWidth;
		top = Math.min(y - tall / 2, plot.clientHeight - tall);
	}
	tip.style.left = `${Math.max(Math.min(left, room), 0)}px`;
	tip.style.top = `${top}px`;
}

// Wraps @svg.  points: [{x, y, series, column, datum, box}] in px of @svg, in
// the order of their series; describe(datum): [title, [name, value]...];
// picture(datum): an element below that, if any.
export function readout(svg, label, points, describe, picture = () => null) {
	const id = `hint${++serial}`;
	const tip = el("div.tip", { hidden: true });
	const live = el("div.aside", { "aria-live": "polite" });
	const ring = svgEl("circle", { class: "ring", r: 5, visibility: "hidden" });
	const hint = el(
		"div.aside",
		{ id },
		"Arrow keys go from value to value, Escape leaves.",
	);
	const plot = el(
		"div.plot",
		{
			tabindex: "0",
			"data-key": label,
			role: "application",
			"aria-roledescription": "figure",
			"aria-label": label,
			"aria-describedby": id,
		},
		svg,
		tip,
		live,
		hint,
	);
	let current = null;

	svg.setAttribute("aria-hidden", "true");
	svg.append(ring);

	function show(point, aloud) {
		current = point;
		tip.hidden = !point;
		ring.setAttribute("visibility", point && !point.box ? "visible" : "hidden");
		svg.classList.toggle("picked", !!point);
		for (const part of svg.querySelectorAll("[data-series]"))
			part.classList.toggle(
				"lit",
				part.dataset.series === point?.series,
			);
		for (const part of svg.querySelectorAll(".cell.lit"))
			part.classList.remove("lit");
		if (!point)
			return;
		const scale = svg.clientWidth / svg.viewBox.baseVal.width || 1;
		const [title, ...lines] = describe(point.datum);

		point.box?.node?.classList.add("lit");
		ring.setAttribute("cx", point.x);
		ring.setAttribute("cy", point.y);
		tip.replaceChildren(
			el("strong", title),
			el(
				"dl",
				lines.map(([name, value]) => [el("dt", name), el("dd", value)]),
			),
			...[picture(point.datum)].filter(Boolean),
		);
		place(tip, plot, point, scale);
		if (aloud)
			live.textContent = [
				title,
				...lines.map(([name, value]) => `${name} ${value}`),
			].join(", ");
	}

	plot.addEventListener("pointermove", (e) => {
		const at = svg.getBoundingClientRect();
		const scale = at.width / svg.viewBox.baseVal.width || 1;
		const point = nearest(
			points,
			(e.clientX - at.left) / scale,
			(e.clientY - at.top) / scale,
		);

		if (point !== current)
			show(point, false);
	});
	plot.addEventListener("pointerleave", () => show(null));
	plot.addEventListener("blur", () => show(null));
	plot.addEventListener("focus", () => {
		if (plot.matches(":focus-visible") && points.length)
			show(points[0], true);
	});
	plot.addEventListener("keydown", (e) => {
		if (e.key === "Escape" && current) {
			show(null);
		} else if (/^(Arrow|Home|End)/.test(e.key) && points.length) {
			show(current ? step(points, current, e.key) : points[0], true);
			e.preventDefault();
		}
	});
	return plot;
}
