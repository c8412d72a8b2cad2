/** A key that was just made, by the id of its source: it is shown until the page is loaded again, and never again. */
const made = new Map<string, string>()

export const keepKey = (sourceId: string, key: string): void => void made.set(sourceId, key)
export const madeKeyOf = (sourceId: string): string | null => made.get(sourceId) ?? null
