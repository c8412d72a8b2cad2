/** Ends the process that it runs in (worker-process.ts starts it) once that has more memory than it may, or the process that started it is gone. */
import { workerData } from 'node:worker_threads'

const { maxMemoryMb, parent } = workerData as { maxMemoryMb: number; parent: number }
const everyMs = 20

setInterval(() => {
  const isTooMuch = process.memoryUsage.rss() > maxMemoryMb * 1024 * 1024
  if (isTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, everyMs)
