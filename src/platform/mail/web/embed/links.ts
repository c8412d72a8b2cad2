export type TextPart = { text: string } | { href: string; text: string }

/** Words of a mail as plain text, with the web addresses in them: what begins with https:// or http:// and nothing else is a link. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    // What ends a sentence is not part of its address. Looked for from where such signs begin, and not from each of a hundred thousand.
    const address = found.replace(/(?<![.,;:!?)\]}'’”»])[.,;:!?)\]}'’”»]+$/u, '')
    if (!URL.canParse(address)) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ href: address, text: address })
    end = index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
