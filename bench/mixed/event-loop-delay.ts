/**
 * Loaded into a server (`node --import`): on SIGUSR2, prints how late its event loop ran since the last signal, in milliseconds, and starts again.
 * A timer is due every 10 ms; the delay is how much later it ran.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** `at` tells one reading from the next. */
export type LoopDelay = { at: number; p50: number; p99: number; max: number }

const resolution = 10
const delays = monitorEventLoopDelay({ resolution })
delays.enable()

process.on('SIGUSR2', () => {
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  const delay: LoopDelay = {
    at: performance.now(),
    p50: late(delays.percentile(50)),
    p99: late(delays.percentile(99)),
    max: late(delays.max),
  }
  delays.reset()
  console.log(`event loop delay ${JSON.stringify(delay)}`)
})
