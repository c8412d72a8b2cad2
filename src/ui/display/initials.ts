/** Spec 2: from first and last name, otherwise the first letter of the email, otherwise U. */
export function initials(firstName?: string | null, lastName?: string | null, email?: string | null): string {
  const letters = [firstName, lastName].map((name) => firstLetter(name)).join('')
  return letters || firstLetter(email) || 'U'
}

const segmenter = new Intl.Segmenter()

/** A first letter in printable ASCII without a combining mark after it. */
const plainLetter = /^[!-~](?=[ -~]|$)/

function firstLetter(text: string | null | undefined): string {
  const trimmed = (text ?? '').trim()
  const plain = plainLetter.exec(trimmed)
  if (plain) return plain[0].toUpperCase()
  const first = segmenter.segment(trimmed)[Symbol.iterator]().next()
  return first.done ? '' : first.value.segment.toLocaleUpperCase('en-CA')
}

/** One of four tints, stable per id across sessions. */
export function tintOf(id: string): 1 | 2 | 3 | 4 {
  let sum = 0
  for (const char of id) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  return ((sum % 4) + 1) as 1 | 2 | 3 | 4
}
