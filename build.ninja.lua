-- The repository as a study: how the tool, its tests and the runners are built, and which
-- experiments there are. './bootstrap' reads it first, with a stage-0 of the tool.

study { name = "assay", title = "Assay, measured with itself" }

-- './bootstrap' asks pkg-config once and says the answers here.
local includes = env "ASSAY_CFLAGS" or "-I/usr/include/lua5.4"
local libraries = env "ASSAY_LIBS" or "-llua5.4 -ljansson -lcrypto -lgsl -lgslcblas -lm -lhwloc"
    .. " -lelf -larchive -lmd4c-html -lmd4c -lcsv"
local tool_libraries = env "ASSAY_TOOL_LIBS" or libraries
local flags = "-std=c11 -D_GNU_SOURCE -Isrc -I. " .. includes
    .. " -Wall -Wextra -Wshadow -Wmissing-prototypes -Wwrite-strings -Wstrict-prototypes -Werror"

-- Most of a build's time is the compiler's. What computes for long is optimised, the rest as far as it pays;
-- -O1 is where gcc begins to see what is used before it is set. The sanitizers name functions without debug
-- information, too; -gline-tables-only adds the lines.
local compilers = {
    { folder = "build", cc = "gcc", flags = "-g1 ", tool_libraries = "-no-pie " .. tool_libraries,
        optimise = { { "^tests/unit/", "" }, { "^analysis/[^/]+$", "-O2 " }, { "^src/base/", "-O2 " },
            { "^src/identity/", "-O2 " }, { "^src/s[a-z]+/", "-O2 " }, { "", "-O1 " } } },
    { folder = "build/asan", cc = "clang", flags = "-fno-omit-frame-pointer -fsanitize=address,undefined"
        .. " -fno-sanitize-recover=all ", tool_libraries = libraries,
        optimise = { { "^analysis/[^/]+$", "-O1 " }, { "", "" } } },
}

rule "cc" {
    command = "$cc $flags -MD -MF $out.d -c $in -o $out",
    depfile = "$out.d",
    deps = "gcc",
    description = "compile $out",
}
-- Made anew each time: a member whose source is gone must go, and two may have one name.
rule "archive" { command = "rm -f $out && ar qcs $out $in", description = "archive $out" }
rule "link" { command = "$cc $flags -o $out $in -Wl,--as-needed $libs", description = "link $out" }

local function join(...)
    local all = {}
    for _, list in ipairs { ... } do
        for _, item in ipairs(list) do all[#all + 1] = item end
    end
    return all
end

local function without(list, ...)
    local drop, kept = {}, {}
    for _, item in ipairs { ... } do drop[item] = true end
    for _, item in ipairs(list) do
        if not drop[item] then kept[#kept + 1] = item end
    end
    return kept
end

local function flags_of(source, with)
    for _, rule in ipairs(with.optimise) do
        if source:match(rule[1]) then return rule[2] .. with.flags .. flags end
    end
end

local function name_of(source)
    return source:match "([^/]+)%.c$"
end

local function compile(with, sources, extra)
    local objects = {}
    for i, source in ipairs(sources) do
        objects[i] = with.folder .. "/tool/" .. source .. ".o"
        build {
            outputs = objects[i], rule = "cc", inputs = source,
            variables = { cc = with.cc, flags = flags_of(source, with) .. (extra and extra(source) or "") },
        }
    end
    return objects
end

local function link(with, output, inputs, libs, beside)
    build {
        outputs = output, rule = "link", inputs = inputs, order_only = beside,
        variables = { cc = with.cc, flags = with.flags, libs = libs },
    }
    return output
end

-- Most of the time of making tests is the usual linker's.
local function link_test(with, name, inputs, extra)
    return link(with, with.folder .. "/tests/" .. name, inputs,
        "-fuse-ld=lld " .. (extra or "") .. libraries)
end

-- All unit tests are one program with a name for each: linking it takes as long as linking two of them.
rule "names" {
    command = "for name in $names; do ln -f $in $folder/$$name || exit; done",
    description = "names of $in",
}
local function link_units(with, archive)
    local units, names, tests = glob "tests/unit/test_*.c", {}, {}
    for i, source in ipairs(units) do
        names[i] = name_of(source)
        tests[i] = with.folder .. "/tests/" .. names[i]
    end
    local objects = join(compile(with, without(glob "tests/unit/*.c", table.unpack(units))),
        compile(with, units, function(source)
            return " -include tests/unit/unit.h -DUNIT=" .. name_of(source)
        end))
    build {
        outputs = tests, rule = "names",
        inputs = link_test(with, "units", join(objects, { archive }), "-rdynamic -lcmocka "),
        variables = { names = table.concat(names, " "), folder = with.folder .. "/tests" },
    }
    return tests
end

local mains = { "src/cli/main.c", "src/cli/archive_main.c", "src/cli/stage0.c" }
local library = join(without(glob "src/*/*.c", table.unpack(mains)), glob "analysis/*.c",
    glob "analysis/*/*.c", glob "figures/*.c", glob "provenance/*.c")

-- The tool in one build: its library, itself, its tests.
local function build_tool(with)
    local archive = with.folder .. "/libassay.a"
    build { outputs = archive, rule = "archive", inputs = compile(with, library) }
    local beside = link(with, with.folder .. "/bin/assay-archive",
        join(compile(with, { "src/cli/archive_main.c" }), { archive }), libraries)
    link(with, with.folder .. "/bin/assay",
        join(compile(with, { "src/cli/main.c" }), { archive }), with.tool_libraries, { beside })
    local tests = link_units(with, archive)
    for _, name in ipairs { "golden", "simulation" } do
        tests[#tests + 1] = link_test(with, name,
            join(compile(with, glob("tests/statistics/" .. name:sub(1, 6) .. "*.c")), { archive }))
    end
    return tests
end

local tests = {}
for _, with in ipairs(compilers) do tests = join(tests, build_tool(with)) end
tests = join(tests, glob "tests/e2e/*.sh")

-- Never makes its output, so it runs each time that it is asked for.
rule "test" { command = "tests/run $tests", description = "tests", pool = "console" }
build {
    outputs = "build/tests/ran", rule = "test",
    implicit = join(tests, { "tests/run", "build/bin/assay", "build/runners/vector_lab" }),
    variables = { tests = table.concat(tests, " ") },
}

target "tool" { about = "compile the tool, build/bin/assay", needs = "build/bin/assay" }
target "test" { about = "run all tests with gcc and with clang's sanitizers", needs = "build/tests/ran" }

experiments "experiments/*"
