const shortest = 88
const tallest = 560
const lineHeight = 23
const lettersInLine = 80

/**
 * How high the frame of a mail stands, in px. What the frame holds cannot be measured: it has no scripts and is not of our origin. So it is
 * judged by the words, the lines and the pictures; whatever does not fit scrolls inside.
 */
export function mailHeight(html: string, isWhole = false): number {
  let blocks = 0
  let pictures = 0
  for (const [, name] of html.matchAll(/<(img|br|p|div|tr|li|h\d|blockquote|hr)\b/g)) {
    if (name === 'img') pictures++
    else blocks++
  }
  const letters = html.replace(/<[^>]*>/g, '').length
  const lines = Math.max(blocks * 0.9, letters / lettersInLine + blocks * 0.5)
  const height = Math.round(32 + lines * lineHeight + pictures * 60)
  return Math.max(shortest, isWhole ? Math.min(height * 1.5, 20_000) : Math.min(height, tallest))
}

export const isTall = (html: string): boolean => mailHeight(html) >= tallest
