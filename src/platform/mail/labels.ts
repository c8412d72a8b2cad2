/**
 * The words of a mail that has none but its HTML; for search and for the line in a list. No tag reaches over the next one's beginning, so that
 * a mail of a million of those is read once, and not once for each.
 */
export const wordsOfHtml = (html: string): string =>
  html
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
