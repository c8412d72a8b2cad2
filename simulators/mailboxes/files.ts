/** The files that messages bring. Each is made when somebody opens it. */
import { pick } from '../random.ts'
import { jpeg } from './jpeg.ts'
import type { Attachment } from './message.ts'
import { pdf } from './pdf.ts'

type For = { id: string; from: string; subject: string }

export function filesOf(names: readonly string[], { id, from, subject }: For, random: () => number): Attachment[] {
  return Array.from({ length: random() < 0.2 ? 2 : 1 }, (_, index) => {
    const filename = pick(names, random)
    const tilt = random() * 20
    const isPhoto = filename.endsWith('.jpg')
    const content = isPhoto
      ? () => jpeg(24, 18, (column, row) => 128 + 90 * Math.sin((column + tilt) / 4) * Math.cos((row - tilt) / 5))
      : () => pdf([subject, `From: ${from}`, '', 'This letter is made up. It belongs to no person.', '', `Reference ${id}-${index + 1}`])
    return {
      id: `${id}-${index + 1}`,
      filename,
      contentType: isPhoto ? 'image/jpeg' : 'application/pdf',
      ...(!isPhoto && { contentId: `f_${id}-${index + 1}` }),
      content: once(content),
    }
  })
}

/** The picture in a company's signature, which its HTML shows by its content id. */
export function logoOf(id: string, email: string): Attachment {
  const shade = (email.length * 37) % 160
  const content = once(() => jpeg(12, 4, (column, row) => (row === 0 || row === 3 || column % 3 === 0 ? 235 : shade)))
  const contentId = `logo.${id}@${email.split('@')[1]}`
  return { id: `${id}-logo`, filename: 'logo.jpg', contentType: 'image/jpeg', contentId, isInline: true, content }
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined
  return () => (made ??= make())
}
