/** The attachments of generated messages, rendered when first opened. */
import { pick } from '../random.ts'
import { jpeg } from './jpeg.ts'
import type { Attachment } from './message.ts'
import { pdf } from './pdf.ts'

type Source = { id: string; from: string; subject: string }

export function filesOf(names: readonly string[], { id, from, subject }: Source, random: () => number): Attachment[] {
  return Array.from({ length: random() < 0.2 ? 2 : 1 }, (_, index) => {
    const filename = pick(names, random)
    const offset = random() * 20
    const isPhoto = filename.endsWith('.jpg')
    const content = isPhoto
      ? () => jpeg(24, 18, (column, row) => 128 + 90 * Math.sin((column + offset) / 4) * Math.cos((row - offset) / 5))
      : () =>
          pdf([
            subject,
            `From: ${from}`,
            '',
            'This is a sample letter. It does not belong to a real person.',
            '',
            `Reference ${id}-${index + 1}`,
          ])
    return {
      id: `${id}-${index + 1}`,
      filename,
      contentType: isPhoto ? 'image/jpeg' : 'application/pdf',
      ...(!isPhoto && { contentId: `f_${id}-${index + 1}` }),
      content: once(content),
    }
  })
}

/** The logo in a company's signature, which the HTML refers to by content id. */
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
