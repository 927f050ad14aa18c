# SPDX-License-Identifier: GPL-3.0-or-later
#
# The rules of RO-Crate 1.1 and of its profile Process Run Crate 0.5, as far as they concern a bundle
# of Assay's: MUST and SHOULD alike. Of the metadata document as input, a line for each breach, the
# rule's name first:
#
#	jq -r -L tests/crate 'include "process_run_crate"; breaches' data/ro-crate-metadata.json

def list: if type == "array" then .[] elif . == null then empty else . end;
def is_a($type): [.["@type"] | list] | any(. == $type);
def is_a_tool: is_a("SoftwareApplication") or is_a("SoftwareSourceCode") or is_a("ComputationalWorkflow");
def is_an_action: is_a("CreateAction") or is_a("ActivateAction") or is_a("UpdateAction");
def refers($id): [list | objects | .["@id"]] | any(. == $id);
def ids: list | objects | .["@id"];
def is_text: type == "string" and . != "";
def is_absolute: test("^[a-z][a-z0-9+.-]*:");

# RO-Crate asks for ISO 8601; that the offset is a number is a wish of ours, and of validators.
def is_time: type == "string" and test("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?[+-]\\d\\d:\\d\\d$");

# $broken is a condition, the input the name of an entity.
def rule($name; $broken): if $broken then "\($name): \(.)" else empty end;

# ---- RO-Crate 1.1 ----

def document_rules($at):
	"the document"
	| rule("descriptor"; $at["ro-crate-metadata.json"] | . == null or
		(is_a("CreativeWork") and (.about | refers("./")) and
			(.conformsTo | refers("https://w3id.org/ro/crate/1.1")) | not)),
	  rule("root"; $at["./"] | . == null or (is_a("Dataset") | not));

def root_rules($root; $at):
	"./"
	| rule("root-name"; $root.name | is_text | not),
	  rule("root-description"; $root.description | is_text | not),
	  rule("root-date"; $root.datePublished | type != "string" or (test("^\\d{4}-\\d\\d-\\d\\d") | not)),
	  rule("root-license"; $root.license | . == null or . == "");

# All entities lie side by side: a value is a text, a number, or a reference and nothing more.
def flat_rule: .["@id"] as $id | [.[] | list | objects | select(keys != ["@id"])] as $nested
	| $id | rule("flat"; $nested | length > 0);

# What is referred to and not on the web is described; what is described is there once.
def reference_rules($graph; $at):
	($graph | group_by(.["@id"])[] | select(length > 1) | .[0]["@id"] | rule("unique"; true)),
	([$graph[] | .[] | ids] | unique[] | select(is_absolute | not) | rule("described"; $at[.] == null));

# Every file and folder is a part of the root, or of a folder that is.
def reached($at): {seen: {}, next: ["./"]}
	| until(.next == []; .seen as $seen
		| [.next[] | select($seen[.] | not)] as $new
		| {seen: (reduce $new[] as $id ($seen; .[$id] = true)),
		   next: [$new[] | $at[.] // {} | .hasPart | ids]})
	| .seen;

def data_rules($graph; $at):
	reached($at) as $reached
	| $graph[] | select(is_a("File") or is_a("Dataset"))
	| is_a("Dataset") as $folder | .["@id"]
	| rule("part"; $reached[.] | not),
	  rule("path"; . != "./" and
		(is_absolute or test("^/|(^|/)\\.\\.?(/|$)|[ \"<>\\\\^`{|}#?\\[\\]]|%(?![0-9A-F]{2})"))),
	  rule("folder"; $folder and (endswith("/") | not));

# ---- Process Run Crate 0.5 ----

def profile_rules($root; $at):
	([$root.conformsTo | ids | select(test("^https://w3id\\.org/ro/wfrun/process/"))][0] // "none")
	| rule("profile"; $at[.] | . == null or (is_a("CreativeWork") and (.name | is_text) and
		(.version | is_text) | not)),
	  rule("profile-version"; . != "https://w3id.org/ro/wfrun/process/0.5");

def action_rules($root; $at):
	. as $action | .["@id"]
	| rule("instrument"; [$action.instrument | ids | $at[.] // {} | is_a_tool] | . == [] or (all | not)),
	  rule("mentions"; . as $id | $root.mentions | refers($id) | not),
	  rule("action-name"; $action.name | is_text | not),
	  rule("action-description"; $action.description | is_text | not),
	  rule("agent"; [$action.agent | ids | $at[.] // {} | is_a("Person") or is_a("Organization")]
		| . == [] or (all | not)),
	  rule("result"; [$action.result | ids] == []),
	  rule("data"; [$action.object, $action.result | ids | $at[.] // {} | is_a("File") or is_a("Dataset") or
		is_a("Collection") or is_a("CreativeWork") or is_a("PropertyValue")] | all | not),
	  rule("status"; $action.actionStatus | . != null and
		(refers("http://schema.org/CompletedActionStatus") or
			refers("http://schema.org/FailedActionStatus") | not)),
	  rule("error"; $action.error != null and
		($action.actionStatus | refers("http://schema.org/FailedActionStatus") | not)),
	  rule("start"; $action.startTime | . != null and (is_time | not)),
	  rule("end"; $action.endTime | if . == null then
			$action.actionStatus | refers("http://schema.org/FailedActionStatus") | not
		else is_time | not end),
	  rule("order"; [$action.startTime, $action.endTime] | all(is_time) and .[0][-6:] == .[1][-6:] and .[0] > .[1]);

def tool_rules($tools_used):
	. as $tool | .["@id"]
	| rule("tool-name"; $tool.name | is_text | not),
	  rule("tool-version"; [$tool.version, $tool.softwareVersion | select(is_text)] | length != 1),
	  rule("tool-url"; . as $id | any($tools_used[]; . == $id) and ($tool.url | . == null or . == ""));

def breaches:
	.["@context"] as $context | .["@graph"] as $graph
	| ($graph | INDEX(.["@id"])) as $at | ($at["./"] // {}) as $root
	| [$graph[] | select(is_an_action)] as $actions
	| ("the document" | rule("context"; ["https://w3id.org/ro/crate/1.1/context",
		"https://w3id.org/ro/terms/workflow-run/context"] - [$context | list] != [])),
	  document_rules($at), root_rules($root; $at), ($graph[] | flat_rule),
	  reference_rules($graph; $at), data_rules($graph; $at), profile_rules($root; $at),
	  ("the document" | rule("action"; $actions == [])),
	  ($actions[] | action_rules($root; $at)),
	  ($graph[] | select(is_a_tool) | tool_rules([$actions[].instrument | ids]));
