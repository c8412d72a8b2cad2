/** Loaded into a process (`--import`), it says at the end how much memory the process had at the most, in MB. */
process.once('exit', () => console.error(`memory ${Math.round(process.resourceUsage().maxRSS / 1024)}`))
