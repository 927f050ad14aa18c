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

-- Most of a build's time is the compiler's: only what computes for long is optimised.
local compilers = {
    { folder = "build", cc = "gcc", flags = "-g1 ", optimise = "-O2 ", all_but = "^tests/unit/",
        tool_libraries = "-no-pie " .. tool_libraries },
    { folder = "build/asan", cc = "clang", flags = "-gline-tables-only -fno-omit-frame-pointer"
        .. " -fsanitize=address,undefined -fno-sanitize-recover=all ",
        optimise = "-O1 ", only = "^analysis/", tool_libraries = libraries },
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
    local plain = with.only and not source:match(with.only)
        or with.all_but and source:match(with.all_but)
    return (plain and "" or with.optimise) .. with.flags .. flags
end

local function compile(with, sources)
    local objects = {}
    for i, source in ipairs(sources) do
        objects[i] = with.folder .. "/tool/" .. source .. ".o"
        build {
            outputs = objects[i], rule = "cc", inputs = source,
            variables = { cc = with.cc, flags = flags_of(source, with) },
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

-- There are many tests, and most of the time of making them is the usual linker's.
local function link_test(with, source, inputs, extra)
    local name = source:match "([^/]+)%.c$"
    return link(with, with.folder .. "/tests/" .. name, inputs,
        "-fuse-ld=lld " .. (extra or "") .. libraries)
end

local mains = { "src/cli/main.c", "src/cli/archive_main.c", "src/cli/stage0.c" }
local library = join(without(glob "src/*/*.c", table.unpack(mains)), glob "analysis/*.c",
    glob "analysis/*/*.c", glob "figures/*.c", glob "provenance/*.c")

-- The tool in one build: its library, itself, its tests.
local function build_tool(with)
    local archive = with.folder .. "/libassay.a"
    local tests = {}
    build { outputs = archive, rule = "archive", inputs = compile(with, library) }
    local beside = link(with, with.folder .. "/bin/assay-archive",
        join(compile(with, { "src/cli/archive_main.c" }), { archive }), libraries)
    link(with, with.folder .. "/bin/assay",
        join(compile(with, { "src/cli/main.c" }), { archive }), with.tool_libraries, { beside })
    local units = glob "tests/unit/test_*.c"
    local support = with.folder .. "/tests/support.a" -- what several unit tests share
    build {
        outputs = support, rule = "archive",
        inputs = compile(with, without(glob "tests/unit/*.c", table.unpack(units))),
    }
    for _, source in ipairs(units) do
        tests[#tests + 1] = link_test(with, source,
            join(compile(with, { source }), { support, archive }), "-lcmocka ")
    end
    for _, name in ipairs { "golden", "simulation" } do
        tests[#tests + 1] = link_test(with, name .. ".c",
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
