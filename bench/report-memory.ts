/** Loaded into a process (`--import`): prints its peak memory in MB on exit. */
process.once('exit', () => console.error(`memory ${Math.round(process.resourceUsage().maxRSS / 1024)}`))
