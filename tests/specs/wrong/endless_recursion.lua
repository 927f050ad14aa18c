local function f(n)
    return 1 + f(n)
end
f(1)
