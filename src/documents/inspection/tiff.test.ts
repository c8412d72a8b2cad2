import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBudget } from './budget.ts'
import { blankGps } from './tiff.ts'

const marker = 0xabcdef01

/** Exif data as cameras write it: the picture's directory, Exif's, GPS's with a value of its own, and the preview's, which names GPS's again. */
function sample(isLittle: boolean): Buffer {
  const bytes = Buffer.alloc(400)
  const short = (value: number, at: number) => (isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at))
  const long = (value: number, at: number) => (isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at))
  bytes.write(isLittle ? 'II' : 'MM', 'latin1')
  short(42, 2)
  long(8, 4)
  const directory = (at: number, next: number, entries: [tag: number, type: number, count: number, value: number][]) => {
    short(entries.length, at)
    for (const [i, [tag, type, count, value]] of entries.entries()) {
      const entry = at + 2 + 12 * i
      short(tag, entry)
      short(type, entry + 2)
      long(count, entry + 4)
      if (type === 3) short(value, entry + 8)
      else long(value, entry + 8)
    }
    long(next, at + 2 + 12 * entries.length)
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
  for (let at = 300; at < 324; at += 4) long(marker, at)
  bytes.write('what follows', 330)
  return bytes
}

test.each([
  ['Intel', true],
  ['Motorola', false],
])('takes the directory of GPS and its values out, and nothing else, in the order of bytes of %s', (_, isLittle) => {
  const tiff = sample(isLittle)
  const before = Buffer.from(tiff)
  expect(blankGps(tiff, createBudget())).toBe(true)
  const letters = Buffer.alloc(4)
  if (isLittle) letters.writeUInt32LE(marker)
  else letters.writeUInt32BE(marker)
  expect([before.includes(letters), tiff.includes(letters)]).toEqual([true, false])
  expect(tiff.subarray(200, 324).every((byte) => byte === 0)).toBe(true)
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  // Two entries are left, the orientation and the way to Exif's directory, and behind them the way to the preview's.
  expect([short(8), short(10), short(18), short(22), long(30), long(34)]).toEqual([2, 0x0112, 6, 0x8769, 150, 100])
  expect([short(100), short(102), long(114)]).toEqual([1, 0x0103, 0])
  expect(tiff.subarray(150, 200)).toEqual(before.subarray(150, 200))
  expect(tiff.subarray(324)).toEqual(before.subarray(324))
  expect(blankGps(tiff, createBudget())).toBe(false)
})

test('the header and the picture survive an entry that names them as the place of GPS', () => {
  for (const at of [0, 4, 7]) {
    const tiff = sample(true)
    tiff.writeUInt32LE(at, 30)
    blankGps(tiff, createBudget())
    expect([tiff.toString('latin1', 0, 2), tiff.readUInt32LE(4), tiff.readUInt16LE(18)]).toEqual(['II', 8, 6])
  }
})

test('whatever the bytes, it comes to an end', () => {
  const change = fc.array(fc.tuple(fc.nat(399), fc.integer({ min: 0, max: 255 })), { maxLength: 30 })
  fc.assert(
    fc.property(fc.boolean(), change, (isLittle, changes) => {
      const tiff = sample(isLittle)
      for (const [at, value] of changes) tiff[at] = value
      expect(typeof blankGps(tiff, createBudget())).toBe('boolean')
    }),
  )
  const loops = Buffer.alloc(20 * 1024 * 1024, Buffer.from([0xff, 0x0f]))
  loops.write('II*\0\x08\0\0\0', 'latin1')
  expect(blankGps(loops, createBudget())).toBe(false)
})
