/** A one-page letter as PDF. */

/** @param lines in Latin script; characters missing from the standard font become question marks. */
export function pdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${escape(line)}) Tj T*`).join('\n')
  const stream = `BT\n/F1 12 Tf\n18 TL\n56 780 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}

function escape(line: string): string {
  return [...line]
    .map((character) => (character.codePointAt(0)! > 0xff ? '?' : character))
    .join('')
    .replace(/[\\()]/g, '\\$&')
}
