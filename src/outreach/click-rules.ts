/** The links of an email whose clicks are counted: pure. Campaigns and sequences use them with `clicks.ts`. */

const escapes: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>' }
const unescape = (value: string): string => value.replace(/&(?:amp|quot|#39|lt|gt);/g, (name) => escapes[name]!)
const hrefs = /(<a\b[^<>]*?\bhref=)(?:"([^"<>]*)"|'([^'<>]*)')/gi

/** Whether an address is opened through the redirect: one of the web without variables, since what is inserted may be a patient's. */
const isTracked = (url: string): boolean => /^https?:\/\//i.test(url) && !url.includes('{{') && URL.canParse(url)

/** The addresses that the links of a message open, each once. */
export function linksIn(html: string): string[] {
  const all = [...html.matchAll(hrefs)].map(([, , double, single]) => unescape(double ?? single ?? ''))
  return [...new Set(all)]
}

/** Of those, the ones whose clicks are counted. */
export const trackedLinks = (html: string): string[] => linksIn(html).filter(isTracked)

/** Sends each of these links through the redirect. `addressOf` gives its address there, by its place in `links`. */
export const withRedirects = (html: string, links: readonly string[], addressOf: (link: number) => string): string =>
  html.replace(hrefs, (whole, before: string, double: string | undefined, single: string | undefined) => {
    const link = links.indexOf(unescape(double ?? single ?? ''))
    return link < 0 ? whole : `${before}"${addressOf(link)}"`
  })

/** Only `&amp;` belongs to an address: every other entity is a character that ends it, such as a quotation mark. */
const bareUrls = /https?:\/\/(?:&amp;|[^\s<>"'”»{}&])*(?:&amp;|[^\s<>"'”»{}&.,;:!?)\]])/gi

/** Of tags, HTML that was made of plain text has paragraphs and line breaks only (`htmlFromText`). */
const isOfText = (html: string): boolean => !/<(?!\/?p>|br>)/i.test(html)

/** Makes the bare addresses of HTML that was made of plain text into links, as mail programs do. Other HTML has the links it was given. */
export const withLinks = (html: string): string => (isOfText(html) ? html.replace(bareUrls, (url) => `<a href="${url}">${url}</a>`) : html)
