import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What a reader finds in a PDF: the words of each page, a space between any two pieces. */
export async function textOfPdf(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  const pdf = await task.promise
  try {
    const pages = await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => pdf.getPage(index + 1)))
    const contents = await Promise.all(pages.map((page) => page.getTextContent()))
    return contents.map(({ items }) =>
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
    )
  } finally {
    await task.destroy()
  }
}
