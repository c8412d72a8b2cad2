import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'

/** Files and request bodies crafted to exhaust the CPU or the memory of their reader. */

const mebibyte = 1024 * 1024

/** Repeats `text` to a length of `size` bytes. */
export const repeated = (text: string, size: number): Buffer<ArrayBuffer> => Buffer.alloc(size, text, 'latin1')

/** Builds a zip whose parts may be far larger than memory: each is a text, or a text repeated `times` times. */
export async function buildZip(parts: Record<string, string | Buffer | { text: string; times: number }>): Promise<Buffer<ArrayBuffer>> {
  const zip = new yazl.ZipFile()
  for (const [name, part] of Object.entries(parts)) {
    // A zlib stream allocates 256 KB, and yazl opens the streams of all parts at once.
    if (typeof part === 'string' || Buffer.isBuffer(part)) zip.addBuffer(Buffer.from(part), name, { compress: part.length > 1_000 })
    else zip.addReadStream(Readable.from(pieces(part)), name)
  }
  zip.end()
  return Buffer.from(await buffer(zip.outputStream))
}

function* pieces({ text, times }: { text: string; times: number }): Generator<Buffer> {
  const perPiece = Math.max(1, Math.floor(mebibyte / text.length))
  const piece = Buffer.from(text.repeat(perPiece))
  for (let left = times; left > 0; left -= perPiece) yield left >= perPiece ? piece : piece.subarray(0, left * text.length)
}

const workbook = {
  'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
  'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
}
export const spreadsheet = (parts: Parameters<typeof buildZip>[0]) => buildZip({ ...workbook, ...parts })
export const document = (parts: Parameters<typeof buildZip>[0]) =>
  buildZip({
    '[Content_Types].xml':
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': '<Relationships/>',
    'word/document.xml': '<w:document/>',
    ...parts,
  })

export function box(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + data.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data])
}

export const buildPdf = (body: Buffer): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), body, Buffer.from('\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n')])
