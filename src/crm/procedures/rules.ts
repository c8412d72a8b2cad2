import { inLanguage, type Language } from '../../shared/translations.ts'

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

/** A procedure that has a French name. */
export interface FrenchProcedure {
  id: string
  name: string
  nameFr: string
}

/** Names of procedures for a patient, in French where the practice gave one. */
export const procedureNames = (procedures: readonly { name: string; nameFr: string | null }[], language: Language): string =>
  procedures.map(({ name, nameFr }) => inLanguage(language, name, nameFr)).join(', ')

/** The French for a title that names procedures, such as 'Rhinoplasty, Chin implant'; null if it says anything else. */
export function frenchTitle(title: string, procedures: readonly FrenchProcedure[]): string | null {
  const find = (name: string) => procedures.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())?.nameFr
  const whole = find(title)
  if (whole !== undefined) return whole
  const parts = title.split(', ').map(find)
  return parts.every((part) => part !== undefined) ? parts.join(', ') : null
}
