// SPDX-License-Identifier: BSD-2-Clause
// build.cjs - bundles src/ and style.css into page.html, one file.
//   node build.cjs OUT        NODE_PATH: the folder with the packages
//
// The outcome ends with an open <script> of JSON: `csum report` appends the
// runs and closes it, so the page need not be searched for a place.
"use strict";
const { buildSync } = require("esbuild");
const { readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

// bundle FILE - minified text, in ASCII, and the files it is made of
function bundle(file, options) {
	const result = buildSync({
		entryPoints: [join(__dirname, file)],
		bundle: true,
		minify: true,
		metafile: true,
		nodePaths: [process.env.NODE_PATH],
		write: false,
		legalComments: "none",
		target: ["chrome123", "firefox120", "safari17.5"],
		...options,
	});

	return {
		text: result.outputFiles[0].text.trim(),
		files: Object.entries(Object.values(result.metafile.outputs)[0].inputs)
			.filter(([, input]) => input.bytesInOutput > 0)
			.map(([name]) => name),
	};
}

// What the page carries of others must carry their terms, too.
function licences(files) {
	const packages = new Set(
		files
			.map((file) => /^(.*node_modules\/((@[^/]+\/)?[^/]+))\//.exec(file))
			.filter(Boolean)
			.map(([, folder]) => folder),
	);
	const terms = new Map();

	for (const folder of packages) {
		const { name, version } = JSON.parse(
			readFileSync(join(folder, "package.json"), "utf8"),
		);
		const file = readdirSync(folder).find((f) => /^licen[sc]e/i.test(f));

		if (!file)
			throw new Error(`${name}: no licence in ${folder}`);
		const text = readFileSync(join(folder, file), "utf8").trim();

		terms.set(text, [...(terms.get(text) ?? []), `${name} ${version}`]);
	}
	return [...terms]
		.map(([text, names]) => `${names.join(", ")}\n\n${text}`)
		.join("\n\n\n")
		.replaceAll("--", "- -"); // which ends a comment
}

const style = bundle("style.css", {});
const script = bundle("src/main.js", { format: "iife" });
const parts = {
	style: style.text,
	// an end of script inside a string would end the script
	script: script.text.replace(/<\/(script)/gi, "<\\/$1"),
	licences: licences(script.files),
};
const page = readFileSync(join(__dirname, "page.html"), "utf8").replace(
	/@(style|script|licences)@/g,
	(all, name) => parts[name],
);
writeFileSync(process.argv[2], page.trimEnd());
