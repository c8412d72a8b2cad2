/** What browsers show in a mail. Above all no SVG, which is a document of its own. */
export const pictureKinds: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Whether it may be one by what is said of it. Mail programs that do not know a picture say that it is bytes. */
export function mayBePicture(mimeType: string): boolean {
  const said = mimeType.split(';')[0]!.trim().toLowerCase()
  return pictureKinds.includes(said) || said === 'application/octet-stream'
}

/** Bytes. Together: of everything that is written into one mail; what stands there twice counts twice. */
export const pictureLimits = { each: 5_000_000, together: 15_000_000 }
/** A mail with more is made to be slow. */
const maxPictures = 100

/** A picture that a mail carries itself, as sanitiseMail leaves it: every tag begins with `<`, every value is quoted. */
export const carriedPicture = /(<img (?:[^<>]* )?src=")cid:([^"<>]+)(")/g

/** How a mail names a picture: as the attachment does, but percent-encoded (RFC 2392), and written as an attribute. */
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

/** The pictures that a mail names, in the order of their first place, each with how often. */
export function picturesNamed(html: string): Map<string, number> {
  const named = new Map<string, number>()
  for (const [, , written] of html.matchAll(carriedPicture)) {
    const id = contentIdOf(written!)
    if (named.has(id) || named.size < maxPictures) named.set(id, (named.get(id) ?? 0) + 1)
  }
  return named
}

/** Whether one more picture still fits into a mail; asked once for each, in the order of picturesNamed. */
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
 * Those of a mail's attachments that its HTML shows among its words, by the content id: of several under one id the first. One that nothing
 * names is a file like any other, content id or not.
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
