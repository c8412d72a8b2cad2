const shortest = 88
const tallest = 560
const lineHeight = 23
/** Px that a letter takes on average, and what the frame's page keeps free at both sides together. */
const letterWidth = 7.8
const margins = 26
/** Of a line's height, what stands free around a paragraph. */
const gap = 0.75

/** Px of a picture that says nothing of its size, of one that is not shown, and the most that one is given. */
const picture = { usual: 160, hidden: 24, most: 480 }

const lineBreak = /<br\b[^>]*>/g
const block = /<\/?(?:p|div|tr|table|li|ul|ol|h\d|blockquote|pre|hr|center|section)\b[^>]*>/g
const paragraph = /<(?:p|h\d|blockquote|ul|ol|pre|hr)\b/g

/** How many lines a mail has in a frame so many px wide. */
function linesOf(html: string, width: number): number {
  const inLine = Math.max(20, (width - margins) / letterWidth)
  const words = html
    .replace(/\s+/g, ' ')
    .replace(lineBreak, '\v')
    .replace(block, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, '_')
  let lines = 0
  for (const part of words.split('\n')) {
    if (part.trim() === '' && !part.includes('\v')) continue
    for (const line of part.split('\v')) lines += Math.max(1, Math.ceil(line.trim().length / inLine))
  }
  return lines + (html.match(paragraph)?.length ?? 0) * gap
}

/** How high a mail is, in px. What the frame holds cannot be measured: it has no scripts and is not of our origin. So it is judged. */
function judged(html: string, width: number): number {
  let pictures = 0
  for (const [, attributes] of html.matchAll(/<img\b([^<>]*)>/g)) pictures += pictureHeight(attributes!)
  return Math.round(margins + linesOf(html, width) * lineHeight + pictures)
}

function pictureHeight(attributes: string): number {
  if (!/ src="(?:cid|data):/.test(attributes)) return picture.hidden
  const height = / height="(\d+)"/.exec(attributes)?.[1]
  const width = / width="(\d+)"/.exec(attributes)?.[1]
  return Math.min(picture.most, height ? Number(height) : width ? Math.round(Number(width) * 0.75) : picture.usual)
}

/** How high the frame of a mail stands, in px, when it is so many px wide; whatever does not fit scrolls inside. */
export function mailHeight(html: string, { width, isWhole = false }: { width: number; isWhole?: boolean }): number {
  const height = judged(html, width)
  return Math.max(shortest, isWhole ? Math.min(height * 1.5, 20_000) : Math.min(height, tallest))
}

export const isTall = (html: string, width: number): boolean => judged(html, width) >= tallest
