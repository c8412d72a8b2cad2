import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import yazl from 'yazl'
import { picture } from '../../../test/documents/test-images.ts'
import { useTemporaryFiles } from '../../../test/documents/temporary-files.ts'
import { fileRefusals } from '../contract.ts'
import { inspectFile } from './inspect.ts'
import { type FileKind, fileKindNames, fileKinds } from '../rules.ts'

const write = useTemporaryFiles()
const inspect = (content: Uint8Array | string, name: string) => inspectFile(write(content), name)
const fixture = (name: string) => fs.readFileSync(path.join(import.meta.dirname, '../../../test/files', name))
const docxKind = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const pdf = (body = '', trailing = '') =>
  `%PDF-1.7\n%âãÏÓ\n${body}1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n${trailing}`

type Part = [name: string, content: string | Buffer]
const letter: Part[] = [
  ['[Content_Types].xml', '<Types/>'],
  ['word/document.xml', '<w:document/>'],
]
function zip(parts: readonly Part[]): Promise<Buffer> {
  const file = new yazl.ZipFile()
  for (const [name, content] of parts) file.addBuffer(Buffer.from(content), name, { compress: content.length > 0 })
  file.end()
  return buffer(file.outputStream)
}

/** The zip, whose list of parts declares this size for each that is at least as large as `from`. */
function declareSize(zipped: Buffer, size: number, from: number): Buffer {
  let at = zipped.readUInt32LE(zipped.length - 6)
  while (zipped.readUInt32LE(at) === 0x0201_4b50) {
    if (zipped.readUInt32LE(at + 24) >= from) zipped.writeUInt32LE(size, at + 24)
    at += 46 + zipped.readUInt16LE(at + 28) + zipped.readUInt16LE(at + 30) + zipped.readUInt16LE(at + 32)
  }
  return zipped
}

/** A Word 97 file up to its directory: header, sector table, and directory sectors for the names. */
function compound(names: readonly string[], { sectorSize = 512, storages = [] as readonly string[] } = {}): Buffer {
  const entries = ['Root Entry', ...storages, ...names]
  const perSector = sectorSize / 128
  const directory = Math.ceil(entries.length / perSector)
  const file = Buffer.alloc(sectorSize * (2 + directory))
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(0xfffe, 28)
  file.writeUInt16LE(Math.log2(sectorSize), 30)
  file.writeUInt32LE(1, 48) // the directory begins in sector 1
  file.writeUInt32LE(0, 76) // the table is in sector 0
  file.fill(0xff, sectorSize, 2 * sectorSize)
  for (let i = 0; i < directory; i++) file.writeUInt32LE(i === directory - 1 ? 0xffff_fffe : i + 2, sectorSize + 4 * (i + 1))
  for (const [i, name] of entries.entries()) {
    const at = 2 * sectorSize + 128 * i
    file.write(name, at, 'utf16le')
    file.writeUInt16LE(2 * name.length + 2, at + 64)
    file[at + 66] = i === 0 ? 5 : storages.includes(name) ? 1 : 2
  }
  return file
}
const manyNames = Array.from({ length: 200 }, (_, i) => `Stream ${i}`)

const samples: Record<FileKind, () => Promise<Buffer | string>> = {
  'application/pdf': async () => pdf(),
  'application/msword': async () => compound(['WordDocument', '1Table']),
  [docxKind]: () => zip(letter),
  'image/jpeg': () => picture('jpeg'),
  'image/png': () => picture('png'),
  'image/heic': async () => fixture('pattern.heic'),
}

describe.each(fileKindNames)('%s files', (kind) => {
  test.each(fileKinds[kind].extensions)('are accepted with a name ending in .%s', async (extension) => {
    expect(await inspect(await samples[kind](), `Scan of May.${extension.toUpperCase()}`)).toEqual({ kind })
  })

  test.each(['scan', 'scan.exe', 'scan.pdf.html', '.', ''])('are refused with FILE_NAME when named %j', async (name) => {
    expect(await inspect(await samples[kind](), name)).toEqual({ refusal: 'FILE_NAME' })
  })

  test('are refused with FILE_NAME under the extensions of other kinds', async () => {
    const file = write(await samples[kind]())
    for (const other of fileKindNames.filter((one) => one !== kind))
      expect(await inspectFile(file, `scan.${fileKinds[other].extensions[0]}`)).toEqual({ refusal: 'FILE_NAME' })
  })

  test('are refused with FILE_BROKEN when truncated', async () => {
    const whole = Buffer.from(await samples[kind]())
    const half = whole.subarray(0, Math.floor(whole.length / 2))
    expect(await inspect(half, `scan.${fileKinds[kind].extensions[0]}`)).toEqual({ refusal: 'FILE_BROKEN' })
  })
})

test('refuses an empty file with FILE_EMPTY', async () => {
  for (const name of ['scan.pdf', 'scan.exe', '']) expect(await inspect('', name)).toEqual({ refusal: 'FILE_EMPTY' })
})

describe('refuses with FILE_TYPE under any name', () => {
  const others: Record<string, () => Promise<Buffer | string> | Buffer | string> = {
    'an SVG': () => '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'a web page': () => '<!doctype html><html><body>hello</body></html>',
    'a web page before a PDF': () => `<html><script>alert(1)</script>${pdf()}`,
    'a Windows program': () => Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(2000)]),
    'a Linux program': () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0'), Buffer.alloc(2000)]),
    'a script': () => '#!/bin/sh\nrm -rf /\n',
    'plain text': () => 'Dear doctor',
    'a GIF': () => picture('gif'),
    'a WebP': () => picture('webp'),
    'a TIFF': () => picture('tiff'),
    'an AVIF': () => picture('avif'),
    'a HEIC that is also an AVIF': () => Buffer.from(fixture('pattern.heic').toString('latin1').replace('mif1', 'avif'), 'latin1'),
    'a video': () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
    'a zip': () => zip([['a.txt', 'a']]),
    'a spreadsheet': () =>
      zip([
        ['[Content_Types].xml', '<Types/>'],
        ['xl/workbook.xml', '<workbook/>'],
      ]),
    'a Word document with macros': () => zip([...letter, ['word/vbaProject.bin', 'x']]),
    'a Word document with macros in upper case': () => zip([...letter, ['word/VBAPROJECT.BIN', 'x']]),
    'an older Excel file': () => compound(['Workbook']),
    'an older Word document with macros': () => compound(['WordDocument'], { storages: ['Macros', 'VBA'] }),
    'a PDF with a web page at the start': () => pdf('<html><body onload=alert(1)>'),
    'a PDF with PHP at the start': () => pdf('<?php system($_GET[0]); ?>'),
    'a PDF that is also a zip': async () => Buffer.concat([Buffer.from(pdf()), await zip([['a.txt', 'a']]), Buffer.from('\n%%EOF')]),
  }
  test.each(Object.keys(others))('%s', async (what) => {
    const file = write(await others[what]!())
    const names = fileKindNames.map((kind) => `scan.${fileKinds[kind].extensions[0]}`)
    const results = await Promise.all([...names, 'scan', 'scan.zip'].map((name) => inspectFile(file, name)))
    expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(new Set(['{"refusal":"FILE_TYPE"}']))
  })
})

describe('PDF', () => {
  test('refuses bytes before the header with FILE_BROKEN', async () => {
    expect(await inspect(`\n${pdf()}`, 'scan.pdf')).toEqual({ refusal: 'FILE_BROKEN' })
  })
  test('accepts zeros and line breaks after the end, but not a kilobyte of other bytes', async () => {
    expect(await inspect(pdf('', '\0'.repeat(4096)), 'scan.pdf')).toEqual({ kind: 'application/pdf' })
    expect(await inspect(pdf('', '\r\n \r\n'), 'scan.pdf')).toEqual({ kind: 'application/pdf' })
    expect(await inspect(pdf('', 'x'.repeat(1500)), 'scan.pdf')).toEqual({ refusal: 'FILE_BROKEN' })
  })
  test('does not hold a large file in memory', async () => {
    const file = write(pdf())
    fs.truncateSync(file, 400 * 1024 * 1024)
    fs.appendFileSync(file, '%%EOF')
    const before = process.memoryUsage().arrayBuffers
    expect(await inspectFile(file, 'scan.pdf')).toEqual({ kind: 'application/pdf' })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024)
  })
})

describe('Word', () => {
  const megabyte = 1024 * 1024
  const zeros = (megabytes: number) => Buffer.alloc(megabytes * megabyte)
  /** Parts that barely compress, so that only their sum is too large. */
  const large = Array.from({ length: 4 }, (_, i): Part => [`word/${i}.xml`, randomBytes(megabyte)])
  test.each([
    ['too many parts', () => zip([...letter, ...Array.from({ length: 2_000 }, (_, i): Part => [`word/media/${i}`, ''])])],
    ['a part with too high a compression ratio', () => zip([...letter, ['word/large.xml', zeros(11)]])],
    ['more than 200 MB of parts', async () => declareSize(await zip([...letter, ...large]), 51 * megabyte, megabyte)],
  ])('refuses %s with FILE_TOO_COMPLEX', async (_, make) => {
    expect(await inspect(await make(), 'letter.docx')).toEqual({ refusal: 'FILE_TOO_COMPLEX' })
  })
  test('accepts 196 MB of parts', async () => {
    expect(await inspect(declareSize(await zip([...letter, ...large]), 49 * megabyte, megabyte), 'letter.docx')).toEqual({ kind: docxKind })
  })
  test('accepts 2,000 parts and highly compressible text', async () => {
    const parts = Array.from({ length: 1_998 }, (_, i): Part => [`word/media/${i}`, ''])
    expect(await inspect(await zip([...letter, ...parts]), 'letter.docx')).toEqual({ kind: docxKind })
    expect(await inspect(await zip([...letter, ['word/styles.xml', zeros(5)]]), 'letter.docx')).toEqual({ kind: docxKind })
  })
  test('refuses bytes after the end with FILE_BROKEN', async () => {
    expect(await inspect(Buffer.concat([await zip(letter), Buffer.from(pdf())]), 'letter.docx')).toEqual({ refusal: 'FILE_BROKEN' })
  })
  test('refuses a part with a path outside the archive with FILE_BROKEN', async () => {
    const bytes = await zip([...letter, ['word/ab.xml', '']])
    const evil = Buffer.from(bytes.toString('latin1').replaceAll('word/ab.xml', '../../b.xml'), 'latin1')
    expect(await inspect(evil, 'letter.docx')).toEqual({ refusal: 'FILE_BROKEN' })
  })
  test.each([512, 4096])(
    'recognizes the older format wherever the text is in the directory, with sectors of %i bytes',
    async (sectorSize) => {
      const names = [...manyNames.slice(0, 100), 'WordDocument']
      expect(await inspect(compound(names, { sectorSize }), 'letter.doc')).toEqual({ kind: 'application/msword' })
    },
  )
  test('refuses a circular directory with FILE_BROKEN', async () => {
    const file = compound(manyNames.slice(0, 100))
    file.writeUInt32LE(1, 512 + 4 * 2) // after the second sector comes the first
    expect(await inspect(file, 'letter.doc')).toEqual({ refusal: 'FILE_BROKEN' })
  })
})

describe('images', () => {
  /** A single-colour PNG with any declared size, small on disk. */
  function hugePng(width: number, height: number): Buffer {
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data])
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
      length.writeUInt32BE(data.length)
      sum.writeUInt32BE(zlib.crc32(body))
      return Buffer.concat([length, body, sum])
    }
    const header = Buffer.alloc(13)
    header.writeUInt32BE(width, 0)
    header.writeUInt32BE(height, 4)
    header[8] = 8
    const rows = zlib.deflateSync(Buffer.alloc((width + 1) * Math.min(height, 2000)))
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
  test('refuses more than 100 million pixels with FILE_TOO_COMPLEX, however small the file', async () => {
    expect(await inspect(hugePng(40_000, 40_000), 'scan.png')).toEqual({ refusal: 'FILE_TOO_COMPLEX' })
    const jpeg = await picture('jpeg', { withPlace: false })
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    jpeg.writeUInt16BE(60_000, frame + 5)
    jpeg.writeUInt16BE(60_000, frame + 7)
    expect(await inspect(jpeg, 'scan.jpg')).toEqual({ refusal: 'FILE_TOO_COMPLEX' })
    const heic = fixture('pattern.heic')
    heic.writeUInt32BE(20_000, heic.indexOf('ispe') + 8)
    heic.writeUInt32BE(20_000, heic.indexOf('ispe') + 12)
    expect(await inspect(heic, 'scan.heic')).toEqual({ refusal: 'FILE_TOO_COMPLEX' })
  })
  test('accepts an image as large as phones produce', async () => {
    const large = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: 'red' } })
      .jpeg({ progressive: true })
      .toBuffer()
    expect(await inspect(large, 'scan.jpg')).toEqual({ kind: 'image/jpeg' })
  })
  test('refuses a damaged image with FILE_BROKEN', async () => {
    const png = await picture('png')
    png[png.indexOf('IDAT') + 20]! ^= 0xff
    expect(await inspect(png, 'scan.png')).toEqual({ refusal: 'FILE_BROKEN' })
    expect(await inspect(Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(500)]), 'scan.jpg')).toEqual({
      refusal: 'FILE_BROKEN',
    })
  })
})

test('returns a result for any bytes and any name', async () => {
  const beginnings = [
    '',
    '%PDF-1.7\n',
    'PK\x03\x04',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    '\xff\xd8\xff\xe0',
    '\x89PNG\r\n\x1a\n',
    '\0\0\0\x18ftypheic',
  ]
  const bytes = fc
    .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 3000 }))
    .map(([beginning, rest]) => Buffer.concat([Buffer.from(beginning, 'latin1'), rest]))
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...fileKindNames).map((kind) => `a.${fileKinds[kind].extensions[0]}`),
  )
  await fc.assert(
    fc.asyncProperty(bytes, name, async (content, fileName) => {
      const result = await inspect(content, fileName)
      if ('refusal' in result) expect(Object.keys(fileRefusals)).toContain(result.refusal)
      else expect(fileKindNames).toContain(result.kind)
    }),
    { numRuns: 100 },
  )
})

test('returns a result whatever bytes of a real file are changed', async () => {
  const files = await Promise.all(fileKindNames.map(async (kind) => [kind, Buffer.from(await samples[kind]())] as const))
  const change = fc.record({ file: fc.constantFrom(...files), at: fc.nat(), by: fc.uint8Array({ minLength: 1, maxLength: 8 }) })
  await fc.assert(
    fc.asyncProperty(change, async ({ file: [kind, whole], at, by }) => {
      const changed = Buffer.from(whole)
      changed.set(by.subarray(0, changed.length - (at % changed.length)), at % changed.length)
      const result = await inspect(changed, `a.${fileKinds[kind].extensions[0]}`)
      expect('kind' in result ? fileKindNames : Object.keys(fileRefusals)).toContain('kind' in result ? result.kind : result.refusal)
    }),
    { numRuns: 100 },
  )
})
