const maxItems = 100

/**
 * Runs `work` on the items of simultaneous callers together: those that come while it runs are the next group. `work` returns a result for
 * each item. If a group fails, each of its items is tried alone, so that a caller gets only its own error.
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
    } catch {
      for (const one of group) await alone(one)
    }
  }

  const runAll = async () => {
    isRunning = true
    while (waiting.length > 0) await together(waiting.splice(0, maxItems))
    isRunning = false
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // From the next turn on, so that requests that arrive together form a group.
      if (!isRunning) {
        isRunning = true
        queueMicrotask(() => void runAll())
      }
    })
}
