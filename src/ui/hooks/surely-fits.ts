/** Of the list's text (13 px) the widest that letters of a kind are, in px. */
const [wide, capital, other] = [13, 9.5, 8]

/**
 * Whether a text certainly needs no more than so many px, judged by its letters alone: a list need not cut off what fits, and each box that does
 * costs a browser time in every frame of a scroll.
 */
export function surelyFits(text: string, room: number): boolean {
  if (text.length * other > room) return false
  let width = 0
  for (const char of text) width += /[^ -~]|[@%MWmw]/.test(char) ? wide : /[A-Z&]/.test(char) ? capital : other
  return width <= room
}
