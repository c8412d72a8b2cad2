import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cornersOf, picture } from '../../../test/documents/test-images.ts'
import { useTemporaryFiles } from '../../../test/documents/temporary-files.ts'
import { heicToJpeg } from './file-pools.ts'
import { renderPreview } from './heic-preview.ts'

const write = useTemporaryFiles()
const files = path.join(import.meta.dirname, '../../../test/files')
const pattern = path.join(files, 'pattern.heic')

test('converts a HEIC to a JPEG with its colour profile and without location data', async () => {
  const jpeg = await renderPreview(pattern)
  const { format, width, height, icc, exif, xmp } = await sharp(jpeg).metadata()
  expect([format, width, height, exif, xmp]).toEqual(['jpeg', 64, 48, undefined, undefined])
  expect(icc).toEqual((await sharp(await picture('jpeg')).metadata()).icc)
  expect(await cornersOf(jpeg)).toEqual(['red', 'green', 'blue', 'white'])
})

test('rotates an image as its orientation says', async () => {
  const jpeg = await renderPreview(path.join(files, 'turned.heic'))
  const { width, height, orientation } = await sharp(jpeg).metadata()
  expect([width, height, orientation]).toEqual([48, 64, undefined])
  expect(await cornersOf(jpeg)).toEqual(['blue', 'red', 'white', 'green'])
})

test('fails for broken files and too many pixels, and then serves the next file', async () => {
  const whole = fs.readFileSync(pattern)
  const half = write(whole.subarray(0, 1100))
  const noise = write(Buffer.concat([whole.subarray(0, 1090), Buffer.alloc(whole.length - 1090, 7)]))
  const huge = Buffer.from(whole)
  huge.writeUInt32BE(10_000, huge.indexOf('ispe') + 8)
  huge.writeUInt32BE(10_000, huge.indexOf('ispe') + 12)
  await expect(renderPreview(write(huge))).rejects.toThrow('too many pixels')
  const previews = await Promise.all(
    [half, noise, write(huge), write('not a picture'), path.join(files, 'none.heic'), pattern].map((file) => heicToJpeg('staff', file)),
  )
  expect(previews.map((jpeg) => jpeg !== null)).toEqual([...Array<boolean>(5).fill(false), true])
})
