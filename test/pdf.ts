// While it loads, pdf.js warns that it cannot draw. The tests only read, and an install leaves the canvas out (scripts/trim-install.mjs).
const { warn } = console
console.warn = () => {}
const { getDocument, OPS, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
console.warn = warn

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

type Glyph = { unicode: string; originalCharCode: number }

/** The letters of a PDF that are drawn with a glyph of their font: glyph 0 of an embedded font is .notdef, the empty box. */
export async function drawnLetters(bytes: Uint8Array): Promise<string> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  const pdf = await task.promise
  try {
    const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList()
    const shown = fnArray.flatMap((operation, index) => (operation === OPS.showText ? (argsArray[index] as [(Glyph | number)[]])[0] : []))
    return shown.map((glyph) => (typeof glyph === 'number' || glyph.originalCharCode === 0 ? '' : glyph.unicode)).join('')
  } finally {
    await task.destroy()
  }
}

type Picture = {
  /** In pixels. */
  width: number
  height: number
  /** On the paper, in points. */
  shown: { width: number; height: number }
  /** Red, green and blue in its middle. */
  middle: number[]
}

type Drawn = { width: number; height: number; data: Uint8ClampedArray }

/** The pictures on the first page of a PDF, as a reader draws them. */
export async function picturesOfPdf(bytes: Uint8Array): Promise<Picture[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS, isOffscreenCanvasSupported: false })
  const pdf = await task.promise
  try {
    const page = await pdf.getPage(1)
    const { fnArray, argsArray } = await page.getOperatorList()
    const pictures: Picture[] = []
    // How wide and high a picture is drawn: the product of the scales that are in force.
    let scale = [1, 1]
    const kept: number[][] = []
    for (const [index, operation] of fnArray.entries()) {
      const args = argsArray[index] as [number | string, number, number, number]
      if (operation === OPS.save) kept.push(scale)
      if (operation === OPS.restore) scale = kept.pop() ?? [1, 1]
      if (operation === OPS.transform) scale = [scale[0]! * Math.abs(Number(args[0])), scale[1]! * Math.abs(args[3])]
      if (operation !== OPS.paintImageXObject) continue
      const { width, height, data } = await new Promise<Drawn>((resolve) => page.objs.get(String(args[0]), resolve))
      const channels = data.length / (width * height)
      const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * channels
      pictures.push({ width, height, shown: { width: scale[0]!, height: scale[1]! }, middle: Array.from(data.subarray(at, at + 3)) })
    }
    return pictures
  } finally {
    await task.destroy()
  }
}
