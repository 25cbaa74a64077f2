-- SPDX-License-Identifier: BSD-2-Clause
--
-- csum.lua - what csum says of each checksum, inside Wireshark and tshark.
--
-- A post-dissector: fields csum.protocol, csum.verdict, csum.found,
-- csum.expected, csum.why, csum.note and csum.reason, one of each for each
-- checksum of a frame, for filters and columns.  They come from the JSON that
-- `csum verify --json` wrote about the same file; nothing is computed here.
-- docs/WIRESHARK.md says how to install and use it.

local csum = Proto("csum", "Checksums, as csum verifies them")

local fields = {
	protocol = ProtoField.string("csum.protocol", "Protocol"),
	verdict = ProtoField.string("csum.verdict", "Verdict"),
	found = ProtoField.string("csum.found", "Found"),
	expected = ProtoField.string("csum.expected", "Expected"),
	why = ProtoField.string("csum.why", "Why"),
	note = ProtoField.string("csum.note", "Note"),
	reason = ProtoField.string("csum.reason", "Reason"),
}
-- the order in the tree
local order = { "verdict", "found", "expected", "why", "note", "reason" }

csum.fields = {
	fields.protocol, fields.verdict, fields.found, fields.expected,
	fields.why, fields.note, fields.reason,
}
csum.prefs.json = Pref.string("JSON file", "",
	"What `csum verify --json --all --why` wrote about this capture")
csum.prefs.capture = Pref.string("Capture file", "",
	"Run csum on this file, instead of reading JSON")
csum.prefs.open = Pref.bool("Run csum on the capture that is open", false,
	"Finds the file by way of /proc, so on Linux alone")
csum.prefs.command = Pref.string("csum command", "csum",
	"Where csum is")

-- --- JSON (RFC 8259), one object in a line -----------------------------------

local escapes = {
	b = "\b", f = "\f", n = "\n", r = "\r", t = "\t",
	['"'] = '"', ["\\"] = "\\", ["/"] = "/",
}
local value -- of any type

-- csum writes \u for control characters alone
local function string_at(text, at)
	local parts = {}

	while true do
		local from, to, plain, stop = text:find('^([^"\\]*)(["\\])', at)

		if not from then
			error("a string has no end")
		end
		parts[#parts + 1] = plain
		if stop == '"' then
			return table.concat(parts), to + 1
		end
		local escape = text:sub(to + 1, to + 1)

		if escape == "u" then
			local code = tonumber(text:sub(to + 2, to + 5), 16)

			parts[#parts + 1] = code and code < 128 and
				string.char(code) or "?"
			at = to + 6
		else
			parts[#parts + 1] = escapes[escape] or "?"
			at = to + 2
		end
	end
end

-- Members of an object, or items of an array, up to @stop.
local function members_at(text, at, stop)
	local result, n = {}, 0

	at = text:find("%S", at)
	if text:sub(at, at) == stop then
		return result, at + 1
	end
	while true do
		local key

		n = n + 1
		if stop == "}" then
			at = text:find('"', at, true)
			key, at = string_at(text, at + 1)
			at = text:find(":", at, true) + 1
		end
		result[key or n], at = value(text, at)
		at = text:find("[,%]}]", at)
		if text:sub(at, at) == stop then
			return result, at + 1
		end
		at = at + 1
	end
end

local words = { ["true"] = true, ["false"] = false }

value = function(text, at)
	at = text:find("%S", at)
	local first = text:sub(at, at)

	if first == '"' then
		return string_at(text, at + 1)
	elseif first == "{" then
		return members_at(text, at + 1, "}")
	elseif first == "[" then
		return members_at(text, at + 1, "]")
	end
	local word = text:match("^[%w+.-]+", at)

	return tonumber(word) or words[word], at + #word
end

-- --- what csum said ------------------------------------------------------------

local sites = {} -- by frame: a list

local function complain(text)
	text = "csum.lua: " .. text
	if gui_enabled() then
		report_failure(text)
	else
		io.stderr:write(text .. "\n")
	end
end

local function take(line)
	local object = value(line, 1)

	if object.type ~= "site" then
		return object.type
	end
	sites[object.frame] = sites[object.frame] or {}
	table.insert(sites[object.frame], object)
	return object.type
end

-- @from: for messages.  A run that broke off is no answer.
local function read(handle, from)
	local n, kind, first = 0, nil, nil

	sites = {}
	for line in handle:lines() do
		local ok, what = pcall(take, line)

		n = n + 1
		kind = ok and what or nil
		first = first or kind
		if not kind or first ~= "schema" then
			sites = {}
			complain(from .. ": line " .. n ..
				": not of `csum verify --json`")
			return
		end
	end
	if kind ~= "total" then
		sites = {}
		complain(from .. ": has no total: csum did not come to its end")
	end
end

local function quoted(word)
	return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function run(capture)
	local handle = io.popen(quoted(csum.prefs.command) ..
		" verify --json --all --why -- " .. quoted(capture))

	if not handle then
		complain("cannot run " .. csum.prefs.command)
		return
	end
	read(handle, csum.prefs.command)
	handle:close()
end

local magics = {
	"^\xd4\xc3\xb2\xa1", "^\xa1\xb2\xc3\xd4", -- pcap
	"^\x4d\x3c\xb2\xa1", "^\xa1\xb2\x3c\x4d", -- with nanoseconds
	"^\x0a\x0d\x0d\x0a", "^snoop", -- pcapng, snoop
	"^\x1f\x8b", "^\x28\xb5\x2f\xfd", "^\x04\x22\x4d\x18", -- packed
}

local function is_capture(name)
	local handle = io.open(name, "rb")
	local start = handle and handle:read(8) or ""

	if handle then
		handle:close()
	end
	for _, magic in ipairs(magics) do
		if start:find(magic) then
			return true
		end
	end
	return false
end

-- The capture that this process has open, if there is just one.
local function open_capture()
	local handle = io.popen("readlink /proc/$PPID/fd/* 2>/dev/null")
	local found

	for name in handle and handle:lines() or function() end do
		if name:sub(1, 1) == "/" and name ~= found and is_capture(name) then
			if found then
				return nil
			end
			found = name
		end
	end
	return found
end

-- What was chosen in the menu, until Wireshark ends: a file by its name, or
-- whichever is open.
local chosen, follow

local function load_verdicts()
	local prefs = csum.prefs
	local json = prefs.json ~= "" and prefs.json or os.getenv("CSUM_JSON")
	local capture = chosen or prefs.capture

	sites = {}
	if capture ~= "" and not follow then
		run(capture)
	elseif json and not follow then
		local handle, why = io.open(json, "r")

		if not handle then
			complain(why)
			return
		end
		read(handle, json)
		handle:close()
	elseif prefs.open or follow then
		local name = open_capture()

		if name then
			run(name)
		end
	end
end

-- Before each reading of a file.
function csum.init()
	load_verdicts()
end

-- --- in the tree ---------------------------------------------------------------

function csum.dissector(_, pinfo, root)
	for _, site in ipairs(sites[pinfo.number] or {}) do
		local tree = root:add(csum, site.protocol .. " " .. site.verdict)

		tree:add(fields.protocol, site.protocol):set_generated()
		for _, name in ipairs(order) do
			if site[name] then
				tree:add(fields[name], site[name]):set_generated()
			end
		end
	end
end

register_postdissector(csum)

-- --- in the menu ---------------------------------------------------------------

local function verify(name)
	chosen = name
	reload_packets()
end

local function ask()
	follow = open_capture() ~= nil
	if follow then
		reload_packets()
	else
		new_dialog("Verify with csum", verify, "Name of the capture file")
	end
end

if gui_enabled() then
	register_menu("csum/Verify this capture", ask, MENU_TOOLS_UNSORTED)
end
