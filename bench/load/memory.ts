import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Process } from './processes.ts'

/** Interval between samples. */
const sampleIntervalMs = 100
const run = promisify(execFile)

/** Samples a process's resident memory until stopped. In MB: the peak, and how much more that is than at the start. */
export async function watchMemory({ pid }: Process): Promise<{ stop: () => Promise<{ peak: number; growth: number }> }> {
  const megabytes = async () => Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024
  const before = await megabytes()
  let most = before
  const sample = async () => {
    most = Math.max(most, await megabytes())
  }
  const timer = setInterval(() => void sample(), sampleIntervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await sample()
      return { peak: most, growth: most - before }
    },
  }
}
