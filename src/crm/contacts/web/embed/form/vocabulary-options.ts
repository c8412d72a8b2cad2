const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

interface Entry {
  id: string
  name: string
  /** A retired entry is found only by its full name. */
  isActive?: boolean
}

/** The entries that contain the typed text, without case and accents, and the typed text itself if no entry has that name. */
export function vocabularyOptions(entries: readonly Entry[], typed: string): { value: string; label: string }[] {
  const wanted = fold(typed)
  const found = entries
    .filter(({ name, isActive }) => (isActive === false ? fold(name) === wanted : fold(name).includes(wanted)))
    .map(({ id, name }) => ({ value: id, label: name }))
  if (wanted === '' || entries.some(({ name }) => fold(name) === wanted)) return found
  return [...found, { value: typed.trim(), label: `Use “${typed.trim()}”` }]
}
