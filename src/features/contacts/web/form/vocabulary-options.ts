const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** The entries that contain what is typed, in any case and without accents; and what is typed itself when nothing is called that. */
export function vocabularyOptions(entries: readonly { id: string; name: string }[], typed: string): { value: string; label: string }[] {
  const wanted = fold(typed)
  const found = entries.filter(({ name }) => fold(name).includes(wanted)).map(({ id, name }) => ({ value: id, label: name }))
  if (wanted === '' || entries.some(({ name }) => fold(name) === wanted)) return found
  return [...found, { value: typed.trim(), label: `Use “${typed.trim()}”` }]
}
