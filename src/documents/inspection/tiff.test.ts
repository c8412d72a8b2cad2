import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBudget } from './budget.ts'
import { blankGps } from './tiff.ts'

const marker = 0xabcdef01

/**
 * Exif data as cameras write it: directories for the image, Exif, GPS (with a separate value), and the preview, which points to a second
 * GPS one.
 */
function sample(isLittleEndian: boolean): Buffer {
  const bytes = Buffer.alloc(400)
  const writeUint16 = (value: number, at: number) => (isLittleEndian ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at))
  const writeUint32 = (value: number, at: number) => (isLittleEndian ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at))
  bytes.write(isLittleEndian ? 'II' : 'MM', 'latin1')
  writeUint16(42, 2)
  writeUint32(8, 4)
  const directory = (at: number, next: number, entries: [tag: number, type: number, count: number, value: number][]) => {
    writeUint16(entries.length, at)
    for (const [i, [tag, type, count, value]] of entries.entries()) {
      const entry = at + 2 + 12 * i
      writeUint16(tag, entry)
      writeUint16(type, entry + 2)
      writeUint32(count, entry + 4)
      if (type === 3) writeUint16(value, entry + 8)
      else writeUint32(value, entry + 8)
    }
    writeUint32(next, at + 2 + 12 * entries.length)
  }
  directory(8, 100, [
    [0x0112, 3, 1, 6],
    [0x8825, 4, 1, 200],
    [0x8769, 4, 1, 150],
  ])
  directory(100, 0, [
    [0x0103, 3, 1, 6],
    [0x8825, 4, 1, 250],
  ])
  directory(150, 0, [[0x9000, 4, 1, 0x30323330]])
  directory(200, 0, [
    [1, 2, 2, marker],
    [2, 5, 3, 300],
  ])
  directory(250, 0, [[1, 4, 1, marker]])
  for (let at = 300; at < 324; at += 4) writeUint32(marker, at)
  bytes.write('what follows', 330)
  return bytes
}

test.each([
  ['Intel', true],
  ['Motorola', false],
])('removes only the GPS directory and its values, in the byte order of %s', (_, isLittleEndian) => {
  const tiff = sample(isLittleEndian)
  const before = Buffer.from(tiff)
  expect(blankGps(tiff, createBudget())).toBe(true)
  const markerBytes = Buffer.alloc(4)
  if (isLittleEndian) markerBytes.writeUInt32LE(marker)
  else markerBytes.writeUInt32BE(marker)
  expect([before.includes(markerBytes), tiff.includes(markerBytes)]).toEqual([true, false])
  expect(tiff.subarray(200, 324).every((byte) => byte === 0)).toBe(true)
  const readUint16 = (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const readUint32 = (at: number) => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  // Two entries are left: the orientation and the pointer to the Exif directory. The pointer to the preview's directory follows them.
  expect([readUint16(8), readUint16(10), readUint16(18), readUint16(22), readUint32(30), readUint32(34)]).toEqual([
    2, 0x0112, 6, 0x8769, 150, 100,
  ])
  expect([readUint16(100), readUint16(102), readUint32(114)]).toEqual([1, 0x0103, 0])
  expect(tiff.subarray(150, 200)).toEqual(before.subarray(150, 200))
  expect(tiff.subarray(324)).toEqual(before.subarray(324))
  expect(blankGps(tiff, createBudget())).toBe(false)
})

test('keeps the header and the image when an entry points to them as the GPS directory', () => {
  for (const at of [0, 4, 7]) {
    const tiff = sample(true)
    tiff.writeUInt32LE(at, 30)
    blankGps(tiff, createBudget())
    expect([tiff.toString('latin1', 0, 2), tiff.readUInt32LE(4), tiff.readUInt16LE(18)]).toEqual(['II', 8, 6])
  }
})

test('terminates for any bytes', () => {
  const change = fc.array(fc.tuple(fc.nat(399), fc.integer({ min: 0, max: 255 })), { maxLength: 30 })
  fc.assert(
    fc.property(fc.boolean(), change, (isLittleEndian, changes) => {
      const tiff = sample(isLittleEndian)
      for (const [at, value] of changes) tiff[at] = value
      expect(typeof blankGps(tiff, createBudget())).toBe('boolean')
    }),
  )
  const loops = Buffer.alloc(20 * 1024 * 1024, Buffer.from([0xff, 0x0f]))
  loops.write('II*\0\x08\0\0\0', 'latin1')
  expect(blankGps(loops, createBudget())).toBe(false)
})
