// SPDX-License-Identifier: BSD-2-Clause
// build.cjs - bundles src/ and style.css into page.html, one file.
//   node build.cjs OUT        NODE_PATH: the folder with the packages
//
// The outcome ends with an open <script> of JSON: `csum report` appends the
// runs and closes it, so the page need not be searched for a place.
"use strict";
const { buildSync } = require("esbuild");
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

// bundle FILE - minified text, in ASCII
function bundle(file, options) {
	const result = buildSync({
		entryPoints: [join(__dirname, file)],
		bundle: true,
		minify: true,
		nodePaths: [process.env.NODE_PATH],
		write: false,
		legalComments: "none",
		target: ["chrome123", "firefox120", "safari17.5"],
		...options,
	});
	return result.outputFiles[0].text.trim();
}

const parts = {
	style: bundle("style.css", {}),
	// an end of script inside a string would end the script
	script: bundle("src/main.js", { format: "iife" }).replace(
		/<\/(script)/gi,
		"<\\/$1",
	),
};
const page = readFileSync(join(__dirname, "page.html"), "ascii").replace(
	/@(style|script)@/g,
	(all, name) => parts[name],
);
writeFileSync(process.argv[2], page.trimEnd());
