/**
 * Carries out work once for all who ask for it while it is under way, and gives them its result. `owner`: the server (its settings), since tests run
 * several in one process; `key`: the work.
 */
export function shareWork<Result>(): (owner: object, key: string, work: () => Promise<Result>) => Promise<Result> {
  const underWay = new WeakMap<object, Map<string, Promise<Result>>>()
  return (owner, key, work) => {
    const mine = underWay.get(owner) ?? new Map<string, Promise<Result>>()
    underWay.set(owner, mine)
    const found = mine.get(key)
    if (found) return found
    const began = work().finally(() => mine.delete(key))
    mine.set(key, began)
    return began
  }
}
