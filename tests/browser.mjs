// SPDX-License-Identifier: BSD-2-Clause
// browser.mjs - a headless Chromium, driven through a pipe by its DevTools
// protocol.
import { spawn } from "node:child_process";
import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LIMIT = 20000; // ms; a busy machine takes a tenth of that

const KEYS = { Tab: 9, Enter: 13, Escape: 27, End: 35, Home: 36, ArrowLeft: 37,
	ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, " ": 32 };

export async function start(program) {
	const profile = mkdtempSync(join(tmpdir(), "csum-page-"));
	const child = spawn(
		program,
		[
			"--headless",
			"--disable-gpu",
			"--hide-scrollbars",
			"--no-first-run",
			"--remote-debugging-pipe",
			`--user-data-dir=${profile}`,
			// root, as in a container, has no sandbox to go into
			...(process.getuid() === 0 ? ["--no-sandbox"] : []),
		],
		{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
	);
	const waiting = new Map();
	const seen = { requests: [], complaints: [] };
	let last = 0, text = "", session;

	function take(message) {
		const { id, method, params } = message;

		if (id) {
			waiting.get(id)?.(message);
			waiting.delete(id);
		} else if (method === "Network.requestWillBeSent") {
			seen.requests.push(params.request.url);
		} else if (method === "Runtime.consoleAPICalled") {
			seen.complaints.push(params.args.map((a) => a.value).join(" "));
		} else if (method === "Runtime.exceptionThrown") {
			const { exception, text } = params.exceptionDetails;

			seen.complaints.push(exception?.description ?? text);
		} else if (method === "Log.entryAdded") {
			seen.complaints.push(params.entry.text);
		}
	}
	child.stdio[4].setEncoding("utf8").on("data", (data) => {
		const messages = (text + data).split("\0");

		text = messages.pop();
		messages.map((m) => JSON.parse(m)).forEach(take);
	});

	function send(method, params = {}) {
		return new Promise((resolve, reject) => {
			const id = ++last;
			const timer = setTimeout(
				() => reject(new Error(`${method}: no answer`)),
				LIMIT,
			);

			waiting.set(id, ({ result, error }) => {
				clearTimeout(timer);
				error
					? reject(new Error(`${method}: ${error.message}`))
					: resolve(result);
			});
			child.stdio[3].write(
				JSON.stringify({ id, method, params, sessionId: session }) + "\0",
			);
		});
	}

	// The value of an expression in the page.
	async function value(expression) {
		const { result, exceptionDetails } = await send("Runtime.evaluate", {
			expression,
			awaitPromise: true,
			returnByValue: true,
		});

		if (exceptionDetails)
			throw new Error(exceptionDetails.exception.description);
		return result.value;
	}

	// Whether an expression comes true before the time is up.
	async function until(expression) {
		for (const end = Date.now() + LIMIT / 4; Date.now() < end; ) {
			if (await value(expression))
				return true;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		return false;
	}

	async function key(name, modifiers = 0) {
		const code = { windowsVirtualKeyCode: KEYS[name], key: name, modifiers };

		await send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...code });
		if (name === " ")
			await send("Input.dispatchKeyEvent", { type: "char", text: " " });
		await send("Input.dispatchKeyEvent", { type: "keyUp", ...code });
	}

	// Puts the pointer on the middle of an element.
	async function point(element) {
		const at = await value(`(() => {
			const e = ${element};
			e.scrollIntoView({ block: "center" });
			const r = e.getBoundingClientRect();
			return [r.x + r.width / 2, r.y + r.height / 2];
		})()`);

		await send("Input.dispatchMouseEvent", {
			type: "mouseMoved", x: at[0], y: at[1],
		});
	}

	async function stop() {
		const ended = new Promise((resolve) => child.once("exit", resolve));

		child.kill();
		await ended;
		rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
	}

	const { targetId } = await send("Target.createTarget", { url: "about:blank" });
	const attached = await send("Target.attachToTarget", {
		targetId,
		flatten: true,
	});

	session = attached.sessionId;
	for (const domain of ["Page", "Runtime", "Log", "Network"])
		await send(`${domain}.enable`);
	return { send, value, until, key, point, stop, seen };
}
