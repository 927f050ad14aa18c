local m = require "m"
