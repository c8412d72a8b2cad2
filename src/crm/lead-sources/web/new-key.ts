/** Newly created webhook keys by source id. They are shown until the page is reloaded, then never again. */
const newKeys = new Map<string, string>()

export const rememberNewKey = (sourceId: string, key: string): void => void newKeys.set(sourceId, key)
export const newKeyOf = (sourceId: string): string | null => newKeys.get(sourceId) ?? null
