// SPDX-License-Identifier: BSD-2-Clause
// dom.js - elements, and the controls and tables made of them.

// el("p.note", {id: "x"}, "text", child...)
export function el(what, ...rest) {
	const [tag, ...classes] = what.split(".");
	const node = document.createElement(tag);
	const attributes =
		rest[0] && Object.getPrototypeOf(rest[0]) === Object.prototype
			? rest.shift()
			: {};

	if (classes.length)
		node.className = classes.join(" ");
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), value);
		else if (value !== false && value != null)
			node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...rest.flat(Infinity).filter((child) => child != null));
	return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function svgEl(tag, attributes, ...children) {
	const node = document.createElementNS(SVG, tag);

	for (const [name, value] of Object.entries(attributes))
		if (value != null)
			node.setAttribute(name, value);
	node.append(...children);
	return node;
}

// Runs @change, which makes anew what is in @node; what had the focus has it again.
export function keepingFocus(node, change) {
	const key = node.contains(document.activeElement)
		? document.activeElement.dataset.key
		: null;

	change();
	if (key != null)
		[...node.querySelectorAll("[data-key]")]
			.find((e) => e.dataset.key === key)
			?.focus();
}

let serial = 0;

// One of a few, as radio buttons: the keyboard and screen readers know them.
// options: [{value, label, disabled}]; one alone is no choice and shows nothing.
export function radios(legend, options, chosen, change) {
	const name = `choice${++serial}`;

	if (options.length < 2)
		return null;
	return el(
		"fieldset.choice",
		el("legend", legend),
		options.map(({ value, label, disabled, title }, i) =>
			el(
				"label",
				{ title },
				el("input", {
					type: "radio",
					name,
					"data-key": `${legend} ${i}`,
					checked: value === chosen,
					disabled,
					onchange: () => change(value),
				}),
				el("span", label),
			),
		),
	);
}

// One of many.
export function select(legend, options, chosen, change) {
	if (options.length < 2)
		return null;
	return el(
		"label.choice",
		el("span", legend),
		el(
			"select",
			{
				"data-key": legend,
				onchange: (e) => change(options[e.target.value].value),
			},
			options.map(({ value, label }, i) =>
				el(
					"option",
					{ value: String(i), selected: value === chosen },
					label,
				),
			),
		),
	);
}

export function checkbox(text, checked, change) {
	return el(
		"label.choice.check",
		el("input", {
			type: "checkbox",
			"data-key": text,
			checked,
			onchange: (e) => change(e.target.checked),
		}),
		el("span", text),
	);
}

// columns: [{head, unit, cell: row => text, text: true if it is no number};
// the first one heads its row.
export function table(caption, columns, rows) {
	const align = (column) => (column.text ? "" : ".number");

	return el(
		"div.scroll",
		{ tabindex: "0", role: "region", "aria-label": caption },
		el(
			"table",
			el("caption", caption),
			el(
				"thead",
				el(
					"tr",
					columns.map((c) =>
						el(`th${align(c)}`, { scope: "col" }, c.head),
					),
				),
			),
			el(
				"tbody",
				rows.map((row) =>
					el(
						"tr",
						columns.map((c, i) =>
							el(
								`${i ? "td" : "th"}${align(c)}`,
								i ? {} : { scope: "row" },
								c.cell(row) ?? "-",
							),
						),
					),
				),
			),
		),
	);
}

export function details(summary, ...content) {
	return el("details", el("summary", summary), ...content);
}
