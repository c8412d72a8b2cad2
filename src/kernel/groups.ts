import { isDatabaseUnavailable, isDiskFull } from './errors.ts'

const maxItems = 100

/**
 * Runs `work` on the items of simultaneous callers together: those that come while it runs are the next group. `work` returns a result for
 * each item. If a group fails, each of its items is tried alone, so that a caller gets only its own error; but not if the database is away or full.
 */
export function inGroups<Item, Result>(work: (items: readonly Item[]) => Promise<readonly Result[]>): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  const waiting: Waiting[] = []
  let isRunning = false

  const alone = async ({ item, resolve, reject }: Waiting) => {
    try {
      const [result] = await work([item])
      resolve(result as Result)
    } catch (error) {
      reject(error)
    }
  }

  const together = async (group: readonly Waiting[]) => {
    const [first] = group
    if (group.length === 1) return alone(first!)
    try {
      const results = await work(group.map(({ item }) => item))
      for (const [i, { resolve }] of group.entries()) resolve(results[i]!)
    } catch (error) {
      if (isDatabaseUnavailable(error) || isDiskFull(error)) for (const { reject } of group) reject(error)
      else for (const one of group) await alone(one)
    }
  }

  const runAll = async () => {
    while (waiting.length > 0) await together(waiting.splice(0, maxItems))
    isRunning = false
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      // After all requests that have arrived, and those that are still on other connections.
      setImmediate(() => setImmediate(() => void runAll()))
    })
}
