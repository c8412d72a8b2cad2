/** A small greyscale baseline JPEG: blocks of 8 × 8 pixels, each of one shade, so that only the mean has to be coded. */

/** Huffman codes for the bit length of a difference (table K.3 of the standard): the number of codes of 1 to 16 bits, and their values. */
const codeCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const codeValues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
/** The only code of the other coefficients: end of block. */
const endOnly = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

const codes = codesOf(codeCounts, codeValues)

/** @param shade of the block at a column and row, from 0 (black) to 255 (white). */
export function jpeg(columns: number, rows: number, shade: (column: number, row: number) => number): Buffer {
  let bits = ''
  let before = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      // The first DCT coefficient is eight times the mean (centred on 0); quantization by 8 cancels that.
      const mean = Math.max(0, Math.min(255, Math.round(shade(column, row)))) - 128
      const difference = mean - before
      before = mean
      const length = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference))
      bits += codes.get(length)
      if (length > 0) bits += (difference > 0 ? difference : difference + 2 ** length - 1).toString(2).padStart(length, '0')
      bits += '0'
    }
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
  const data: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8), 2)
    data.push(byte)
    if (byte === 0xff) data.push(0)
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    segment(0xc0, [8, ...twoBytes(rows * 8), ...twoBytes(columns * 8), 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...codeCounts, ...codeValues]),
    segment(0xc4, [0x10, ...endOnly, 0]),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    Buffer.from(data),
    Buffer.from([0xff, 0xd9]),
  ])
}

function codesOf(counts: readonly number[], values: readonly number[]): Map<number, string> {
  const found = new Map<number, string>()
  let code = 0
  let next = 0
  counts.forEach((count, index) => {
    for (let one = 0; one < count; one++) found.set(values[next++]!, (code++).toString(2).padStart(index + 1, '0'))
    code <<= 1
  })
  return found
}

function segment(marker: number, content: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, ...twoBytes(content.length + 2), ...content])
}

function twoBytes(value: number): [number, number] {
  return [value >> 8, value & 0xff]
}
