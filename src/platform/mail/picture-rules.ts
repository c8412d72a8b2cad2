/** Image types that browsers show in emails. No SVG, which is a document of its own. */
export const pictureKinds: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Whether the declared type may be an image. Email programs that don't know an image type declare it as bytes. */
export function mayBePicture(mimeType: string): boolean {
  const declared = mimeType.split(';')[0]!.trim().toLowerCase()
  return pictureKinds.includes(declared) || declared === 'application/octet-stream'
}

/** Bytes. Total of the images embedded in one email; repeated images count each time. */
export const pictureLimits = { each: 5_000_000, together: 15_000_000 }
/** More than this indicates an email built to be slow. */
const maxPictures = 100

/** An embedded image as sanitiseMail leaves it: every tag starts with `<`, every value is quoted. */
export const embeddedPicture = /(<img (?:[^<>]* )?src=")cid:([^"<>]+)(")/g

/** How an email refers to an image: by its attachment's content id, percent-encoded (RFC 2392) and HTML-escaped. */
export function contentIdOf(written: string): string {
  const plain = written
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** Content ids an email refers to, by first occurrence, with their counts. */
export function picturesNamed(html: string): Map<string, number> {
  const named = new Map<string, number>()
  for (const [, , written] of html.matchAll(embeddedPicture)) {
    const id = contentIdOf(written!)
    if (named.has(id) || named.size < maxPictures) named.set(id, (named.get(id) ?? 0) + 1)
  }
  return named
}

/** Whether another image still fits into an email; called once for each, in the order of picturesNamed. */
export function pictureBudget(): (size: number, times: number) => boolean {
  let left = pictureLimits.together
  return (size, times) => {
    if (size > pictureLimits.each || size * times > left) return false
    left -= size * times
    return true
  }
}

type Carried = { contentId: string | null; mimeType: string; size: number }

/**
 * The attachments an email shows inline, by content id; the first of several with one id. Attachments that are not referred to are
 * ordinary files, even with a content id.
 */
export function picturesShown<Attachment extends Carried>(
  html: string | null,
  attachments: readonly Attachment[],
  isShowable: (attachment: Attachment) => boolean = () => true,
): Map<string, Attachment> {
  const shown = new Map<string, Attachment>()
  if (html === null || attachments.every(({ contentId }) => contentId === null)) return shown
  const fits = pictureBudget()
  for (const [id, times] of picturesNamed(html)) {
    const picture = attachments.find(({ contentId }) => contentId === id)
    if (picture && mayBePicture(picture.mimeType) && isShowable(picture) && fits(picture.size, times)) shown.set(id, picture)
  }
  return shown
}
