// pdf.js warns on load that it cannot draw. The tests only read, and the install omits the canvas (scripts/trim-install.mjs).
const { warn } = console
console.warn = () => {}
const { getDocument, OPS, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
console.warn = warn

/** The text of each page of a PDF, with spaces between fragments. */
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

type Glyph = { unicode: string; originalCharCode: number }

/**
 * The characters of a PDF's first page that are rendered with a glyph of their font: glyph 0 of an embedded font is .notdef, the empty box.
 */
export async function renderedCharacters(bytes: Uint8Array): Promise<string> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  const pdf = await task.promise
  try {
    const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList()
    const glyphs = fnArray.flatMap((operation, index) => (operation === OPS.showText ? (argsArray[index] as [(Glyph | number)[]])[0] : []))
    return glyphs.map((glyph) => (typeof glyph === 'number' || glyph.originalCharCode === 0 ? '' : glyph.unicode)).join('')
  } finally {
    await task.destroy()
  }
}

type Image = {
  /** In pixels. */
  width: number
  height: number
  /** On the page, in points. */
  shown: { width: number; height: number }
  /** Red, green and blue at its centre. */
  middle: number[]
}

type DecodedImage = { width: number; height: number; data: Uint8ClampedArray }

/** The images on the first page of a PDF, as rendered. */
export async function imagesOfPdf(bytes: Uint8Array): Promise<Image[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS, isOffscreenCanvasSupported: false })
  const pdf = await task.promise
  try {
    const page = await pdf.getPage(1)
    const { fnArray, argsArray } = await page.getOperatorList()
    const images: Image[] = []
    // Size of a rendered image: the product of the current scales.
    let scale = [1, 1]
    const stack: number[][] = []
    for (const [index, operation] of fnArray.entries()) {
      const args = argsArray[index] as [number | string, number, number, number]
      if (operation === OPS.save) stack.push(scale)
      if (operation === OPS.restore) scale = stack.pop() ?? [1, 1]
      if (operation === OPS.transform) scale = [scale[0]! * Math.abs(Number(args[0])), scale[1]! * Math.abs(args[3])]
      if (operation !== OPS.paintImageXObject) continue
      const { width, height, data } = await new Promise<DecodedImage>((resolve) => page.objs.get(String(args[0]), resolve))
      const channels = data.length / (width * height)
      const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * channels
      images.push({ width, height, shown: { width: scale[0]!, height: scale[1]! }, middle: Array.from(data.subarray(at, at + 3)) })
    }
    return images
  } finally {
    await task.destroy()
  }
}

/** The amounts in the text of a PDF, in cents and in order: '$1,234.50' and '1 234,50 $'. */
export const amountsIn = (text: string): number[] =>
  [...text.matchAll(/−?\$[\d,]+\.\d\d|(?<!\d)−?\d{1,3}(?: \d{3})*,\d\d \$/g)].map(([amount]) =>
    Number(amount.replace('−', '-').replaceAll(/[^\d-]/g, '')),
  )
