/** Ends its process when that exceeds the memory limit or its parent is gone. Started by worker-process.ts. */
import { workerData } from 'node:worker_threads'

const { maxMemoryMb, parent } = workerData as { maxMemoryMb: number; parent: number }
const everyMs = 20

setInterval(() => {
  const isTooMuch = process.memoryUsage.rss() > maxMemoryMb * 1024 * 1024
  if (isTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, everyMs)
