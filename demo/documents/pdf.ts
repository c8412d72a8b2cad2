import { crc32, deflateSync } from 'node:zlib'

/** A small, valid PDF of letter-size pages with the given lines of text on each. */
export function makePdf(pages: readonly (readonly string[])[]): Buffer {
  const first = 4
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, index) => {
      const [title = '', ...rest] = lines.map((line) => `(${line.replace(/[\\()]/g, String.raw`\$&`)})`)
      const text = `BT /F1 20 Tf 72 700 Td ${title} Tj /F1 11 Tf 0 -34 Td 16 TL ${rest.map((line) => `${line} Tj T*`).join(' ')} ET`
      const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>`
      return [`<< ${page} /Contents ${first + index * 2 + 1} 0 R >>`, `<< /Length ${text.length} >>\nstream\n${text}\nendstream`]
    }),
  ]
  return pdfFile(objects)
}

/** The bytes of a PDF with these objects; the first is its catalogue. Each holds Latin-1 text. */
export function pdfFile(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n'
  const starts = objects.map((object, index) => {
    const start = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}

/** A PNG whose red, green and blue values (0 to 255) at each point come from `colour`. */
export function makePng(width: number, height: number, colour: (x: number, y: number) => readonly [number, number, number]): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colour(x, y), y * (1 + width * 3) + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits each of red, green and blue
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
