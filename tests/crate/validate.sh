#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/crate/validate.sh [BUNDLE]
#
# Holds the RO-Crate of a bundle (build/bundle/*.tar.zst of this folder) against the npm package
# ro-crate, which it gets from npm's registry into a temporary folder: its Validator reports no
# error, every file is described and everything described is there. Then against our own rules.
# Needs npm, jq and a network, so it is no part of the test suite.
set -eu
LC_ALL=C.UTF-8
export LC_ALL

root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
bundle=${1-$(find build/bundle -name '*.tar.zst' | sort | head -n 1)}
for need in npm node jq zstd; do
	command -v "$need" >/dev/null || {
		echo "validate.sh: needs $need" >&2
		exit 1
	}
done
[ -f "$bundle" ] || {
	echo "validate.sh: no bundle '$bundle'; 'ninja bundle' makes one" >&2
	exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -C "$folder" -I zstd -xf "$bundle"
data=$(cd "$folder"/*/data && pwd)
npm install --prefix "$folder/npm" --no-audit --no-fund --no-package-lock --silent ro-crate@^3

cat >"$folder/npm/validate.js" <<'END_OF_FILE'
const fs = require("fs"), path = require("path");

// The package carries the context of RO-Crate 1.2 only, and looks others up: where their host is not
// reachable that one stands in. It maps each term of 1.1 that a bundle uses to the same place.
const online = globalThis.fetch, missing = [];
globalThis.fetch = async (url, options) => {
    try {
        return await online(url, options);
    } catch (error) {
        missing.push(url);
        const known = /\/ro\/crate\//.test(url) ? require("ro-crate/lib/context.json") : { "@context": {} };
        return { ok: true, json: async () => known };
    }
};
const { ROCrate, Validator } = require("ro-crate");
const data = process.argv[2];
const text = fs.readFileSync(path.join(data, "ro-crate-metadata.json"), "utf8");
const crate = new ROCrate(JSON.parse(text), { array: true, link: true });

// What lies on the disk, by the ids that the crate has for it.
const ids = new Map(Array.from(crate.entities(), (e) => [decodeURIComponent(e["@id"]), e["@id"]]));
const files = {};
for (const name of fs.readdirSync(data, { recursive: true })) {
    const isDir = fs.lstatSync(path.join(data, name)).isDirectory();
    const id = ids.get(isDir ? name + "/" : name);
    if (!isDir || id !== undefined)
        files[id || name] = { exists: true, inCrate: false, isDir };
}

(async () => {
    const validator = new Validator();
    validator.parseJSON(text);
    await validator.crate.resolveContext();
    await validator.validate();
    validator.checkFiles(files);
    const count = { error: 0, warning: 0, success: 0 };
    for (const one of validator.results) {
        count[one.status]++;
        if (one.status !== "success")
            console.log(`${one.status}: ${one.id}: ${one.entity || ""} ${one.message}`);
    }
    if (missing.length > 0)
        console.log(`not reachable, so with what the package carries: ${Array.from(new Set(missing)).join(" ")}`);
    const undescribed = Object.keys(files).filter((f) => !files[f].inCrate && f !== "ro-crate-metadata.json");
    const version = JSON.parse(fs.readFileSync(path.join(path.dirname(require.resolve("ro-crate")), "package.json"))).version;
    console.log(`ro-crate ${version}: '${crate.rootDataset.name}', ${crate.graphSize} entities, ` +
        `${Object.keys(files).length} files and folders, ${undescribed.length} not described; ` +
        `${count.error} errors, ${count.warning} warnings, ${count.success} rules kept`);
    process.exit(count.error > 0 || undescribed.length > 0 ? 3 : 0);
})();
END_OF_FILE
node "$folder/npm/validate.js" "$data"

breaches=$(jq -r -L "$root/tests/crate" 'include "process_run_crate"; breaches' "$data/ro-crate-metadata.json")
[ -z "$breaches" ] || {
	echo "$breaches"
	exit 3
}
echo 'our own rules: all kept'
