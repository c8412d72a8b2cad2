import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cornersOf, picture, place } from '../../../test/documents/test-images.ts'
import { useTemporaryFiles } from '../../../test/documents/temporary-files.ts'
import { renderPreview } from './heic-preview.ts'
import type { FileKind } from '../rules.ts'
import { stripLocation } from './strip-location.ts'

const write = useTemporaryFiles()
async function strip(content: Uint8Array, kind: FileKind): Promise<Buffer> {
  const file = write(content)
  await stripLocation(file, kind)
  return fs.readFileSync(file)
}
const fixture = (name: string) => fs.readFileSync(path.join(import.meta.dirname, '../../../test/files', name))

const rational = Buffer.alloc(8)
rational.writeUInt32LE(1234, 0)
rational.writeUInt32LE(100, 4)
/** The traces of the location in `picture` that are still present. */
const findTraces = (bytes: Buffer) =>
  Object.entries({
    seconds: bytes.includes(rational),
    date: bytes.includes(place.exif.GPSDateStamp),
    xmp: bytes.includes('45,30.2057N'),
    tag: bytes.includes(Buffer.from([0x25, 0x88, 4, 0])),
  })
    .filter(([, isPresent]) => isPresent)
    .map(([trace]) => trace)

/** The properties of an image that stripping must keep, and whether it names the location. */
async function describeImage(file: Buffer) {
  const { orientation, icc, width, height, xmp } = await sharp(file).metadata()
  return {
    namesLocation: xmp?.includes('45,30.2057N') ?? false,
    orientation,
    icc,
    width,
    height,
    make: file.includes('Refyne'),
    pixels: await sharp(file).raw().toBuffer(),
  }
}

describe.each([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
] as const)('%s', (kind, format) => {
  test('loses the location and keeps the image and its length', async () => {
    const before = await picture(format)
    const after = await strip(before, kind)
    // sharp compresses the XMP of a PNG.
    expect([findTraces(before).filter((trace) => trace !== 'xmp'), findTraces(after)]).toEqual([['seconds', 'date', 'tag'], []])
    expect(after.length).toBe(before.length)
    const original = await describeImage(before)
    expect([original.namesLocation, original.orientation, original.make]).toEqual([true, 6, true])
    expect(await describeImage(after)).toEqual({ ...original, namesLocation: false })
  })

  test('is left unchanged without a location', async () => {
    const file = write(await picture(format, { withPlace: false }))
    const before = fs.statSync(file, { bigint: true }).mtimeNs
    await stripLocation(file, kind)
    expect(fs.statSync(file, { bigint: true }).mtimeNs).toBe(before)
  })

  test('terminates and keeps the length for any bytes', async () => {
    const whole = await picture(format)
    const change = fc.tuple(fc.nat(whole.length - 8), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    await fc.assert(
      fc.asyncProperty(change, fc.nat(whole.length), async ([at, patch], length) => {
        const changed = Buffer.from(whole)
        changed.set(patch, at)
        expect((await strip(changed.subarray(0, length), kind)).length).toBe(length)
      }),
      { numRuns: 200 },
    )
  })
})

describe('JPEG', () => {
  const app1 = (content: Buffer | string) => {
    const bytes = Buffer.from(content as string, 'latin1')
    return Buffer.concat([Buffer.from([0xff, 0xe1, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]), bytes])
  }
  const withSegments = async (...segments: Buffer[]) => {
    const plain = await picture('jpeg', { withPlace: false })
    return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])
  }

  test('strips a second image after the first', async () => {
    const before = Buffer.concat([await picture('jpeg', { withPlace: false }), await picture('jpeg')])
    expect([findTraces(before).length, findTraces(await strip(before, 'image/jpeg'))]).toEqual([4, []])
  })

  test('finds XMP that is split in the middle of the location', async () => {
    const extendedXmp = (text: string, at: number) => {
      const header = Buffer.alloc(8)
      header.writeUInt32BE(place.xmp.length, 0)
      header.writeUInt32BE(at, 4)
      return app1(`http://ns.adobe.com/xmp/extension/\0${'0123456789ABCDEF'.repeat(2)}${header.toString('latin1')}${text}`)
    }
    const cut = place.xmp.indexOf('GPSLatitude') + 5
    const before = await withSegments(extendedXmp(place.xmp.slice(0, cut), 0), extendedXmp(place.xmp.slice(cut), cut))
    const after = await strip(before, 'image/jpeg')
    expect([before.includes('45,30'), after.includes('45,30')]).toEqual([true, false])
    expect(await cornersOf(after)).toEqual(await cornersOf(before))
  })

  test('finds XMP in UTF-16 and the name of a city, and keeps other XMP', async () => {
    const name = 'http://ns.adobe.com/xap/1.0/\0'
    const wide = Buffer.concat([Buffer.from(name), Buffer.from(place.xmp, 'utf16le')])
    const city = Buffer.from(`${name}<x photoshop:City="Montreal"/>`)
    const other = Buffer.from(`${name}<x xmp:Rating="5"/>`)
    const after = await strip(await withSegments(app1(wide), app1(city), app1(other)), 'image/jpeg')
    const found = [Buffer.from('45,30', 'utf16le'), 'Montreal', 'xmp:Rating="5"'].map((text) => after.includes(text))
    expect(found).toEqual([false, false, true])
  })

  test('strips the video after an image and keeps its length', async () => {
    const text = Buffer.from('+45.5017-073.5673/')
    const box = Buffer.concat([
      Buffer.from([0, 0, 0, 12 + text.length]),
      Buffer.from('©xyz', 'latin1'),
      Buffer.from([0, text.length, 0x15, 0xc7]),
      text,
    ])
    const before = Buffer.concat([await picture('jpeg', { withPlace: false }), Buffer.from('\0\0\0\x08udta'), box, Buffer.from('the end')])
    const after = await strip(before, 'image/jpeg')
    expect([after.length, after.includes('45.5017'), after.includes('the end')]).toEqual([before.length, false, true])
    expect(after.indexOf('free')).toBe(before.indexOf('©xyz', 0, 'latin1'))
  })
})

describe('PNG', () => {
  const chunk = (type: string, data: Buffer | string) => {
    const body = Buffer.from(type + data.toString('latin1'), 'latin1')
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(body.length - 4)
    sum.writeUInt32BE(zlib.crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const headerEnd = 8 + 25
  const withChunks = async (...chunks: Buffer[]) => {
    const plain = await picture('png', { withPlace: false })
    return Buffer.concat([plain.subarray(0, headerEnd), ...chunks, plain.subarray(headerEnd)])
  }
  const readChunks = (png: Buffer) => {
    const chunks: { type: string; text: string; isValid: boolean }[] = []
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
      const end = at + 8 + png.readUInt32BE(at)
      const isValid = zlib.crc32(png.subarray(at + 4, end)) === png.readUInt32BE(end)
      chunks.push({ type: png.toString('latin1', at + 4, at + 8), text: png.toString('latin1', at + 8, end), isValid })
    }
    return chunks
  }
  const raw = async () => {
    const exif = (await sharp(await picture('jpeg')).metadata()).exif!
    return `\nexif\n${String(exif.length).padStart(8)}\n${exif.toString('hex').replace(/.{72}/g, '$&\n')}\n`
  }

  test('blanks texts that name a location, compressed or not, and updates the checksums', async () => {
    const before = await withChunks(
      chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), zlib.deflateSync(place.xmp)])),
      chunk('tEXt', 'exif:GPSLatitude\x0045/1, 30/1, 1234/100'),
      chunk('zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0', 'latin1'), zlib.deflateSync(await raw())])),
      chunk('zTXt', Buffer.concat([Buffer.from('Bomb\0\0', 'latin1'), zlib.deflateSync(Buffer.alloc(20_000_000))])),
      chunk('tEXt', 'Title\0A scar'),
    )
    const after = await strip(before, 'image/png')
    const texts = readChunks(after).filter(({ type }) => /^(tEXt|iTXt|zTXt)$/.test(type))
    expect(after.length).toBe(before.length)
    expect(readChunks(after).every(({ isValid }) => isValid)).toBe(true)
    expect(texts.slice(0, 4).map(({ type, text }) => [type, text.trimEnd()])).toEqual(
      Array.from({ length: 4 }, () => ['tEXt', 'Comment\0']),
    )
    expect(texts[4]?.text).toBe('Title\0A scar')
    expect(await cornersOf(after)).toEqual(await cornersOf(before))
  })
})

describe('HEIC', () => {
  test.each(['pattern.heic', 'turned.heic'])('%s loses the location and keeps the image and its length', async (name) => {
    const before = fixture(name)
    const after = await strip(before, 'image/heic')
    expect([findTraces(before), findTraces(after)]).toEqual([['seconds', 'date', 'xmp', 'tag'], []])
    expect([after.length, after.includes('Refyne')]).toEqual([before.length, true])
    expect(await renderPreview(write(after))).toEqual(await renderPreview(write(before)))
  })

  test('finds Exif data by its signature when no structure points to it', async () => {
    const clean = await strip(fixture('pattern.heic'), 'image/heic')
    const exif = (await sharp(await picture('jpeg')).metadata()).exif!
    expect(exif.toString('latin1', 0, 6)).toBe('Exif\0\0')
    const before = Buffer.concat([clean, Buffer.from([0, 0, (exif.length + 8) >> 8, (exif.length + 8) & 0xff]), Buffer.from('free'), exif])
    expect([findTraces(before), findTraces(await strip(before, 'image/heic'))]).toEqual([['seconds', 'date', 'tag'], []])
  })
})

test('leaves other kinds unchanged', async () => {
  const bytes = await picture('jpeg')
  expect(await strip(bytes, 'application/pdf')).toEqual(bytes)
})
