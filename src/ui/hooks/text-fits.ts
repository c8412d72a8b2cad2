/** Maximum width in px per kind of letter, in the list's text (13 px). */
const [wide, capital, other] = [13, 9.5, 8]

/**
 * Whether a text certainly fits into this many px, judged by its letters alone: a list need not truncate what fits, and each truncating
 * box costs time in every frame of a scroll.
 */
export function surelyFits(text: string, room: number): boolean {
  if (text.length * other > room) return false
  let width = 0
  for (const char of text) width += /[^ -~]|[@%MWmw]/.test(char) ? wide : /[A-Z&]/.test(char) ? capital : other
  return width <= room
}
