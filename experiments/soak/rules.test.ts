import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthPerHour, judge, type Sample, type Verdict } from './rules.ts'

const quiet: Sample = {
  minute: 0,
  processes: [{ heapMb: 80, rssMb: 200, workers: 0, workersMb: 0 }],
  connections: 12,
  jobsDue: 0,
  jobsFailed: 0,
  streams: 20,
  reconnects: 0,
  missed: 0,
  errors: 0,
}
/** A sample of each minute, and one after the load. */
const run = (minutes: number, at: (minute: number) => Partial<Sample> = () => ({})): Sample[] =>
  [...Array.from({ length: minutes }, (_, n) => n + 1), minutes].map((minute) => ({
    ...quiet,
    minute,
    reconnects: minute * 20,
    ...at(minute),
  }))
const withHeap = (heapMb: number) => ({ processes: [{ ...quiet.processes[0]!, heapMb }] })
const heapOf = ({ processes }: Sample) => processes[0]!.heapMb

describe('the growth of a value in an hour', () => {
  it('is that of the line, whatever happens in the first ten minutes', () => {
    const size = { min: 0, max: 1_000, noNaN: true }
    fc.assert(
      fc.property(
        fc.double({ min: -100, max: 100, noNaN: true }),
        fc.double(size),
        fc.double(size),
        fc.integer({ min: 30, max: 600 }),
        (growth, begin, warmUp, minutes) => {
          const samples = run(minutes, (minute) => withHeap(minute < 10 ? warmUp : begin + (growth * minute) / 60))
          expect(growthPerHour(samples, heapOf)).toBeCloseTo(growth, 4)
        },
      ),
    )
  })

  it('is not known of fewer than ten samples after the first ten minutes', () => {
    expect(growthPerHour(run(17), heapOf)).toBeNull()
    expect(growthPerHour(run(18), heapOf)).toBe(0)
  })
})

const named = (verdicts: Verdict[], what: string) => verdicts.find((one) => one.what === what)!

describe('judging a run', () => {
  it.each<[string, number, boolean]>([
    ['holds while the heap only moves up and down', 0, true],
    ['holds below 5 MB an hour', 4.9, true],
    ['fails at 5 MB an hour', 5.1, false],
  ])('%s', (_title, growth, holds) => {
    const samples = run(60, (minute) => withHeap(80 + (growth * minute) / 60 + (minute % 2)))
    expect(named(judge(samples, 20), 'process 1: heap after garbage collection').holds).toBe(holds)
  })

  it.each<[string, (minute: number) => Partial<Sample>]>([
    ['database connections', (minute) => ({ connections: 12 + Math.floor(minute / 20) })],
    ['jobs due at the end', () => ({ jobsDue: 1 })],
    ['jobs that failed permanently', () => ({ jobsFailed: 1 })],
    ['event streams open at the end', () => ({ streams: 19 })],
    ['event streams opened again after a cut', (minute) => ({ reconnects: minute * 20 - 1 })],
    ['changes that a stream missed', () => ({ missed: 1 })],
    ['errors', () => ({ errors: 1 })],
  ])('fails only for %s', (what, at) => {
    const failed = judge(run(60, at), 20).filter(({ holds }) => holds === false)
    expect(failed.map((verdict) => verdict.what)).toEqual([what])
  })

  it('says of a short run that memory and connections cannot be judged', () => {
    const open = judge(run(5), 20).filter(({ aim, holds }) => aim && holds === null)
    expect(open.map(({ what }) => what)).toEqual(['process 1: heap after garbage collection', 'database connections'])
  })
})
