const shortest = 88
const tallest = 560
const lineHeight = 23
/** Average px per letter, and the horizontal padding of the frame's page. */
const letterWidth = 7.8
const margins = 26
/** Paragraph spacing as a fraction of the line height. */
const gap = 0.75

/** Px of an image without a size, of a hidden image, and the maximum per image. */
const picture = { usual: 160, hidden: 24, most: 480 }

const lineBreak = /<br\b[^>]*>/g
const block = /<\/?(?:p|div|tr|table|li|ul|ol|h\d|blockquote|pre|hr|center|section)\b[^>]*>/g
const paragraph = /<(?:p|h\d|blockquote|ul|ol|pre|hr)\b/g

/** Number of lines of an email in a frame of this width in px. */
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

/** Estimated height of an email in px. The frame's content cannot be measured: it has no scripts and is not of our origin. */
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

/** Height of an email's frame in px at this width; what does not fit scrolls inside. */
export function mailHeight(html: string, { width, isWhole = false }: { width: number; isWhole?: boolean }): number {
  const height = judged(html, width)
  return Math.max(shortest, isWhole ? Math.min(height * 1.5, 20_000) : Math.min(height, tallest))
}

export const isTall = (html: string, width: number): boolean => judged(html, width) >= tallest
