const key = 'refyne.bulk-changes'
/** Stands for one whose beginning has not been answered yet. */
const unanswered = 'unanswered'

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

const write = (ids: string[]): void => sessionStorage.setItem(key, JSON.stringify(ids))

/** The changes of which this tab has yet to say what came of them: by their ids, kept over a reload. */
export const isAwaited = (id: string): boolean => read().includes(id)

export const awaitResult = (id: string = unanswered): void => write([id, ...read().filter((other) => other !== id)])

export const stopAwaiting = (id: string = unanswered): void => write(read().filter((other) => other !== id))

let wasLeft = isAwaited(unanswered)
stopAwaiting()

/** The page was loaded again before the beginning of a change was answered: the newest one is awaited, too. True once. */
export function takeLeft(): boolean {
  const taken = wasLeft
  wasLeft = false
  return taken
}
