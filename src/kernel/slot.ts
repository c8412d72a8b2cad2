/**
 * A function that one domain calls and a later domain provides; src/app/wiring.ts fills it. This allows calls against the order of domains.
 * Throws if called before it is filled.
 */
export function slot<Work extends (...args: never[]) => unknown>(name: string): Work & { fill: (work: Work) => void } {
  let filled: Work | null = null
  const call = (...args: Parameters<Work>) => {
    if (!filled) throw new Error(`Nothing provides ${name}: src/app/wiring.ts fills it`)
    return filled(...args)
  }
  return Object.assign(call as Work, { fill: (work: Work) => void (filled = work) })
}
