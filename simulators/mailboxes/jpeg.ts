/** A small grey picture as baseline JPEG: blocks of 8 × 8 pixels, each of one shade, so that only their mean value has to be coded. */

/** Codes for the length of a difference in bits, from the standard's table K.3: how many codes have 1, 2, ... 16 bits, and what they mean. */
const codeCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const codeValues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
/** The one code for everything else: the block ends. */
const endOnly = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

const codes = codesOf(codeCounts, codeValues)

/** @param shade from 0 (black) to 255 for the block in that column and row. */
export function jpeg(columns: number, rows: number, shade: (column: number, row: number) => number): Buffer {
  let bits = ''
  let before = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      // The transform's first coefficient is eight times the mean, around 0; the quantisation by 8 takes that back.
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
