/**
 * A function that one domain calls and a later one provides: src/app/wiring.ts fills it. This is how a call goes against the order of domains.
 * Throws when it is called before it is filled.
 */
export function slot<Work extends (...args: never[]) => unknown>(name: string): Work & { fill: (work: Work) => void } {
  let filled: Work | null = null
  const call = (...args: Parameters<Work>) => {
    if (!filled) throw new Error(`Nothing provides ${name}: src/app/wiring.ts fills it`)
    return filled(...args)
  }
  return Object.assign(call as Work, { fill: (work: Work) => void (filled = work) })
}
