/** The name of a new tag for the typed text; null if it is empty or a tag with this name exists in any case. */
export function newTagName(typed: string, tags: readonly { name: string }[]): string | null {
  const name = typed.trim().replace(/\s+/g, ' ')
  if (name === '' || tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase())) return null
  return name
}
