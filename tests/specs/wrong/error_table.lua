error({ 1 })
