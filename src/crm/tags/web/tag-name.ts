/** The name of the tag that what was typed would make; null when there is nothing to make, or a tag that is called that in any case. */
export function newTagName(typed: string, tags: readonly { name: string }[]): string | null {
  const name = typed.trim().replace(/\s+/g, ' ')
  if (name === '' || tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase())) return null
  return name
}
