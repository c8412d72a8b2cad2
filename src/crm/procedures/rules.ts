/** 150 minutes: '2 h 30 min'. */
export function formatLength(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

/** `line`: where it begins, which no other block or item has. */
export type TextBlock =
  | { kind: 'paragraph'; line: number; text: string }
  | { kind: 'list'; line: number; items: { line: number; text: string }[] }

const listItem = /^\s*[-*•–]\s+/

/** The paragraphs and lists of a text: an empty line ends a paragraph, and a line that begins with a hyphen or bullet is an item of a list. */
export function blocksOf(written: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let isContinued = false
  for (const [line, whole] of written.split(/\r?\n/).entries()) {
    const last = isContinued ? blocks.at(-1) : undefined
    const text = whole.replace(listItem, '').trim()
    isContinued = text !== ''
    if (!isContinued) continue
    if (listItem.test(whole)) {
      if (last?.kind === 'list') last.items.push({ line, text })
      else blocks.push({ kind: 'list', line, items: [{ line, text }] })
    } else if (last?.kind === 'paragraph') last.text += `\n${text}`
    else blocks.push({ kind: 'paragraph', line, text })
  }
  return blocks
}
