const key = 'refyne.bulk-changes'
/** The placeholder id of a change whose start request is pending. */
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

/** Whether this tab still has to show the result of a change. Ids are kept across a reload. */
export const isAwaited = (id: string): boolean => read().includes(id)

export const awaitResult = (id: string = unanswered): void => write([id, ...read().filter((other) => other !== id)])

export const stopAwaiting = (id: string = unanswered): void => write(read().filter((other) => other !== id))

let wasInterrupted = isAwaited(unanswered)
stopAwaiting()

/** Whether the page was reloaded while a start request was pending, so that the newest change is awaited, too. True only once. */
export function consumeInterrupted(): boolean {
  const taken = wasInterrupted
  wasInterrupted = false
  return taken
}
