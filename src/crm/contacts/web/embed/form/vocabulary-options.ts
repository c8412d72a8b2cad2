const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

interface Entry {
  id: string
  name: string
  /** One that is no longer offered is found by its whole name alone. */
  isActive?: boolean
}

/** The entries that contain what is typed, in any case and without accents; and what is typed itself when nothing is called that. */
export function vocabularyOptions(entries: readonly Entry[], typed: string): { value: string; label: string }[] {
  const wanted = fold(typed)
  const found = entries
    .filter(({ name, isActive }) => (isActive === false ? fold(name) === wanted : fold(name).includes(wanted)))
    .map(({ id, name }) => ({ value: id, label: name }))
  if (wanted === '' || entries.some(({ name }) => fold(name) === wanted)) return found
  return [...found, { value: typed.trim(), label: `Use “${typed.trim()}”` }]
}
