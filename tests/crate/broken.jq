# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each rule of process_run_crate.jq broken once, in a crate that keeps them all: a line a rule, "ok"
# where that rule and no other is found broken. The crate has a session that went well first.
#
#	jq -r -L tests/crate 'include "broken"; trials' data/ro-crate-metadata.json
include "process_run_crate";

def entity(condition; change): .["@graph"] |= map(if condition then change else . end);
def with_id($id; change): entity(.["@id"] == $id; change);
def root(change): with_id("./"; change);
# What is under test where several are alike.
def first_id(condition): first(.["@graph"][] | select(condition) | .["@id"]);
def first_action: first_id(is_a("CreateAction") and .error == null);
def action(change): first_action as $id | with_id($id; change);
def measurer: first_action as $action
	| first(.["@graph"][] | select(.["@id"] == $action) | .instrument | ids);
def tool(change): measurer as $id | with_id($id; change);
def a_file: first_id(is_a("File") and (.["@id"] | endswith(".c")));
def a_program: first_id(is_a("SoftwareApplication") and (.["@id"] | startswith("#program")));
def rename($from; $to): walk(if type == "object" and .["@id"] == $from then .["@id"] = $to else . end);
def add(entity): .["@graph"] += [entity];

# Without most of the tool's sources: the trials are many.
def few:
	def kept: .["@id"] | startswith("tool/") | not;
	root(.hasPart |= map(select(kept or .["@id"] == "tool/README.md")))
	| .["@graph"] |= map(select(kept or .["@id"] == "tool/README.md"));

def broken:
	["context", (.["@context"] |= .[:1])],
	["descriptor", with_id("ro-crate-metadata.json"; del(.about))],
	["descriptor", with_id("ro-crate-metadata.json"; .conformsTo["@id"] = "https://w3id.org/ro/crate/1.0")],
	["root", root(.["@type"] = "CreativeWork")],
	["root-name", root(.name = "")],
	["root-description", root(del(.description))],
	["root-date", root(.datePublished = "1 December 2026")],
	["root-license", root(del(.license))],
	["flat", action(.agent = {"@id": .agent["@id"], "name": "nested"})],
	["unique", a_file as $id | add({"@id": $id, "@type": "File"})],
	["described", a_file as $id | del(.["@graph"][] | select(.["@id"] == $id))],
	["part", a_file as $id | entity(.hasPart != null; .hasPart |= map(select(.["@id"] != $id)))],
	["path", a_file as $id | rename($id; "study/with space.c")],
	["path", a_file as $id | rename($id; "/study/absolute.c")],
	["path", a_file as $id | rename($id; "study/../../outside.c")],
	["path", a_file as $id | rename($id; "study/100%.c")],
	["folder", first_id(is_a("Dataset") and .["@id"] != "./") as $id | rename($id; $id[:-1])],
	["profile", root(del(.conformsTo)), "profile-version"],
	["profile", del(.["@graph"][] | select(.["@id"] | startswith("https://w3id.org/ro/wfrun/")))],
	["profile-version", rename("https://w3id.org/ro/wfrun/process/0.5"; "https://w3id.org/ro/wfrun/process/0.1")],
	["action", (del(.["@graph"][] | select(is_an_action)) | root(del(.mentions)))],
	["instrument", action(del(.instrument)), "tool-url"],
	["instrument", action(.instrument = .agent)],
	["mentions", first_action as $id | root(.mentions |= map(select(.["@id"] != $id)))],
	["action-name", action(del(.name))],
	["action-description", action(del(.description))],
	["agent", action(del(.agent))],
	["agent", action(.agent = .instrument)],
	["result", action(del(.result))],
	["data", action(.object += [.agent])],
	["status", action(.actionStatus = {"@id": "http://schema.org/Done"})],
	["error", action(.error = "none at all")],
	["start", action(.startTime |= sub("\\+00:00$"; "Z"))],
	["end", action(.endTime = "yesterday")],
	["end", action(del(.endTime))],
	["order", action([.startTime, .endTime] as [$from, $to] | .startTime = "9" + $to[1:] | .endTime = $from)],
	["tool-name", tool(del(.name))],
	["tool-version", tool(del(.softwareVersion))],
	["tool-version", tool(.version = .softwareVersion)],
	["tool-version", a_program as $id | with_id($id; del(.softwareVersion))],
	["tool-url", tool(del(.url))];

# A trial: the rule, the broken crate, and a rule that cannot but be broken with it.
def trials:
	foreach (few | broken) as [$rule, $crate, $also] (null; null;
		[$crate | breaches | split(":")[0]] | unique as $found
		| if $found - [$also] == [$rule] then "ok \($rule)"
		  else "not ok \($rule): found \($found | join(", "))" end);

# Rules that no trial breaks; `names` are all that the rules' text holds.
def untried($text): [$text | scan("rule\\(\"([a-z-]+)\"")[0]] - [few | broken | .[0]] | .[];
