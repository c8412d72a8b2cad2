import { setTimeout as wait } from 'node:timers/promises'

/** The calls that this process is answering. */
let answering = 0
/** More than one browser that opens a page: people wait for each other, and for background work. */
const crowd = 8
/** Milliseconds after which a crowd counts as gone. */
const crowdLasts = 1_000
let lastCrowd = -Infinity
/** The length of a pause, as a multiple of the work before it. */
const pausePerWork = 0.5
/** Milliseconds: a job that pauses keeps others from running. */
const maxPause = 1_000

/** Counts a call of the API while it is answered. */
export async function whileAnswering<Result>(answer: () => Promise<Result>): Promise<Result> {
  if (++answering >= crowd) lastCrowd = performance.now()
  try {
    return await answer()
  } finally {
    answering--
  }
}

/** Whether so many calls are answered at the same time that background work should give way. */
export const isCrowded = (): boolean => performance.now() - lastCrowd < crowdLasts

/** How long background work pauses after a part of it that took so long, both in milliseconds. */
export const pauseAfter = (took: number): number => (isCrowded() ? Math.min(maxPause, pausePerWork * took) : 0)

/** Ends when the part that runs and its pause are over. */
let turn: Promise<void> | null = null

/**
 * Runs a part of background work. While many calls are answered, only one part runs at a time in this process, and the next one begins after a
 * pause, so that the calls have processor time. A part must not wait for another part.
 */
export async function givingWay<Result>(part: () => Promise<Result>): Promise<Result> {
  if (!isCrowded()) return part()
  if (turn) {
    await Promise.race([turn, wait(crowdLasts)])
    return givingWay(part)
  }
  const own = Promise.withResolvers<void>()
  turn = own.promise
  const start = performance.now()
  try {
    return await part()
  } finally {
    const pause = pauseAfter(performance.now() - start)
    if (pause > 0) await wait(pause)
    if (turn === own.promise) turn = null
    own.resolve()
  }
}
