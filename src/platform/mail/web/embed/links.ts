export type TextPart = { text: string } | { href: string; text: string }

/** Splits plain text into text and web addresses: only https:// and http:// become links. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    // Trailing punctuation is not part of the address. Searched from where it starts, not from each of a hundred thousand characters.
    const address = found.replace(/(?<![.,;:!?)\]}'’”»])[.,;:!?)\]}'’”»]+$/u, '')
    if (!URL.canParse(address)) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ href: address, text: address })
    end = index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
