import zlib from 'node:zlib'
import sharp from 'sharp'

/**
 * Files designed to exhaust whatever opens them: small files that take minutes or gigabytes to read without limits. Each is generated and
 * sent as the type it claims to be.
 */
export interface HostileFile {
  name: string
  type: string
  /** The attack. */
  note: string
  bytes: () => Buffer | Promise<Buffer>
}

const mb = 1024 * 1024
const repeated = (piece: Buffer, size: number) => Buffer.alloc(size, piece)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const small = (options: { progressive?: boolean } = {}) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#c87' } })
    .jpeg(options)
    .toBuffer()
/** A JPEG that claims another size. */
async function withClaimedSize(width: number, height: number, options: { progressive?: boolean } = {}): Promise<Buffer> {
  const jpeg = await small(options)
  const frame = jpeg.indexOf(Buffer.from([0xff, options.progressive ? 0xc2 : 0xc0]))
  return Buffer.concat([jpeg.subarray(0, frame + 5), u16(height), u16(width), jpeg.subarray(frame + 9)])
}
const appendedToImage = async (rest: Buffer) => Buffer.concat([await small(), rest])
const app1 = (content: Buffer) => Buffer.concat([Buffer.from([0xff, 0xe1]), u16(content.length + 2), content])
const xmpName = latin1('http://ns.adobe.com/xap/1.0/\0')
const moreXmpName = Buffer.concat([latin1('http://ns.adobe.com/xmp/extension/\0'), Buffer.alloc(40)])

/** A TIFF directory of entries (tag, type, count, value); little-endian. */
function directory(entries: readonly (readonly [tag: number, type: number, count: number, value: number])[], next: number): Buffer {
  const bytes = Buffer.alloc(2 + 12 * entries.length + 4)
  bytes.writeUInt16LE(entries.length, 0)
  entries.forEach(([tag, type, count, value], n) => {
    bytes.writeUInt16LE(tag, 2 + 12 * n)
    bytes.writeUInt16LE(type, 4 + 12 * n)
    bytes.writeUInt32LE(count, 6 + 12 * n)
    bytes.writeUInt32LE(value, 10 + 12 * n)
  })
  bytes.writeUInt32LE(next, bytes.length - 4)
  return bytes
}
const tiff = (...parts: Buffer[]) => Buffer.concat([latin1('II*\0\x08\0\0\0'), ...parts])
const exif = (...parts: Buffer[]) => Buffer.concat([latin1('Exif\0\0'), tiff(...parts)])
const [exifTag, gpsTag] = [0x8769, 0x8825]

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([latin1(type), data])
  return Buffer.concat([u32(data.length), body, u32(zlib.crc32(body))])
}
/** A PNG of one colour with at most `rows` rows of data. */
function png({ width, height, rows = height, depth = 8, colour = 2, isInterlaced = false }: PngOptions, ...chunks: Buffer[]): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([depth, colour, 0, 0, isInterlaced ? 1 : 0])])
  const perPixel = ({ 0: 1, 2: 3, 6: 4 }[colour] ?? 1) * (depth / 8)
  const data = zlib.deflateSync(Buffer.alloc((1 + Math.ceil(width * perPixel)) * Math.min(rows, height)), { level: 9 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
type PngOptions = { width: number; height: number; rows?: number; depth?: number; colour?: 0 | 2 | 6; isInterlaced?: boolean }
/** One letter repeated: runs need no search for others, which takes most of the time. */
const runsOnly = { level: 9, strategy: zlib.constants.Z_RLE }
const compressed = (size: number) => zlib.deflateSync(Buffer.alloc(size, 'a'), runsOnly)
const times = (count: number, make: (n: number) => Buffer) => Buffer.concat(Array.from({ length: count }, (_, n) => make(n)))

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(8 + body.length), latin1(type), body])
}
const fullBox = (type: string, ...content: Buffer[]) => box(type, Buffer.alloc(4), ...content)
const ftyp = box('ftyp', latin1('heic\0\0\0\0mif1heic'))
/** A HEIC with a size property and the given boxes. */
const heic = (meta: Buffer[], rest: Buffer = Buffer.alloc(0)) => Buffer.concat([ftyp, fullBox('meta', ...meta), rest])
const ispe = (width: number, height: number) => fullBox('ispe', u32(width), u32(height))
const infe = (id: number, type: string) => box('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), latin1(type), latin1('\0'))
const iinf = (...items: Buffer[]) => fullBox('iinf', u16(items.length), ...items)
/** Items as extents of the file, each a position and a length of four bytes. */
const iloc = (items: readonly { id: number; pieces: readonly (readonly [from: number, length: number])[] }[]) =>
  fullBox(
    'iloc',
    Buffer.from([0x44, 0x00]),
    u16(items.length),
    ...items.flatMap(({ id, pieces }) => [
      u16(id),
      u16(0),
      u16(pieces.length),
      ...pieces.flatMap(([from, length]) => [u32(from), u32(length)]),
    ]),
  )
const nested = (type: string, depth: number, inner: Buffer) => {
  const headers = Array.from({ length: depth }, (_, n) => Buffer.concat([u32(8 * (depth - n) + inner.length), latin1(type)]))
  return Buffer.concat([...headers, inner])
}

/** A zip with only a directory: the entries overlap at its beginning. */
function zip(names: readonly string[], unpacked = 10): Buffer {
  const local = Buffer.concat([latin1('PK\x03\x04'), Buffer.alloc(26)])
  const list = names.map((name) => {
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 'latin1')
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(10, 20)
    entry.writeUInt32LE(unpacked, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    return Buffer.concat([entry, Buffer.from(name)])
  })
  const directoryBytes = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, directoryBytes, end])
}
const wordParts = ['[Content_Types].xml', 'word/document.xml']

/** A .doc whose sector table refers to itself endlessly. */
function loopingDoc(): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(0, 48)
  header.fill(0, 76)
  const sector = Buffer.alloc(512)
  for (let at = 0; at < 512; at += 4) sector.writeUInt32LE(0xffff_fff0, at)
  sector.writeUInt32LE(0, 508)
  return Buffer.concat([header, times(2_000, () => sector)])
}

const pdf = (body: Buffer) => Buffer.concat([latin1('%PDF-1.7\n'), body, latin1('\n%%EOF\n')])
const pdfStream = (n: number, dictionary: string, data: Buffer) =>
  Buffer.concat([latin1(`${n} 0 obj\n<<${dictionary}/Length ${data.length}>>\nstream\n`), data, latin1('\nendstream\nendobj\n')])

const jpeg = 'image/jpeg'
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The first three stopped a running clinic. */
export const hostileFiles: readonly HostileFile[] = [
  {
    name: 'exif-repeated.jpg',
    type: jpeg,
    note: 'Overlapping Exif headers, each claiming 64 KB',
    bytes: () => appendedToImage(repeated(latin1('Exif\0\0II*\0\x08\0\0\0'), 9 * mb)),
  },
  {
    name: 'xmp-repeated.jpg',
    type: jpeg,
    note: 'Overlapping XMP segments, each claiming 64 KB',
    bytes: () => appendedToImage(repeated(Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), xmpName]), 9 * mb)),
  },
  {
    name: 'ztxt-bombs.png',
    type: 'image/png',
    note: '200 texts that unpack to 4.2 MB each',
    bytes: () => {
      const bomb = chunk('zTXt', Buffer.concat([latin1('Comment\0\0'), compressed(4_150_000)]))
      return png({ width: 8, height: 8 }, ...Array.from({ length: 200 }, () => bomb))
    },
  },
  {
    name: 'xmp-extension-repeated.jpg',
    type: jpeg,
    note: 'Overlapping pieces of one XMP packet, 15 GB in total',
    bytes: () => appendedToImage(repeated(Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), moreXmpName]), 9 * mb)),
  },
  {
    name: 'app1-repeated.jpg',
    type: jpeg,
    note: 'Only segment markers',
    bytes: () => appendedToImage(repeated(Buffer.from([0xff, 0xe1]), 9 * mb)),
  },
  {
    name: 'segments.jpg',
    type: jpeg,
    note: 'Two million empty segments before the image',
    bytes: async () => {
      const image = await small()
      return Buffer.concat([image.subarray(0, 2), repeated(Buffer.from([0xff, 0xe5, 0, 2]), 9 * mb), image.subarray(2)])
    },
  },
  {
    name: 'directories.jpg',
    type: jpeg,
    note: 'Full segments of directories that refer to one another',
    bytes: () => {
      const entries = Array.from({ length: 5_400 }, (_, n) => [exifTag, 4, 1, 8 + 2 * n] as const)
      return appendedToImage(times(100, () => app1(exif(directory(entries, 12)))))
    },
  },
  {
    name: 'gps-wiped.jpg',
    type: jpeg,
    note: 'GPS entries whose values each span the image segment',
    bytes: () => {
      const values = Array.from({ length: 5_000 }, () => [1, 2, 60_000, 8] as const)
      const start = directory([[gpsTag, 4, 1, 8 + 18]], 0)
      return appendedToImage(times(100, () => app1(exif(start, directory(values, 0)))))
    },
  },
  {
    name: 'gps-entries.jpg',
    type: jpeg,
    note: 'Thousands of entries that refer to a GPS directory, each to be removed',
    bytes: () =>
      appendedToImage(
        times(100, () =>
          app1(
            exif(
              directory(
                Array.from({ length: 5_000 }, () => [gpsTag, 4, 1, 65_000] as const),
                0,
              ),
            ),
          ),
        ),
      ),
  },
  {
    name: 'film.jpg',
    type: jpeg,
    note: 'Overlapping location boxes after an image',
    bytes: () => appendedToImage(repeated(latin1('\0\0\0\xff©xyz'), 9 * mb)),
  },
  {
    name: 'progressive.jpg',
    type: jpeg,
    note: 'A progressive image of 9990², held in memory while decoded: 600 MB',
    bytes: () => withClaimedSize(9990, 9990, { progressive: true }),
  },
  {
    name: 'slow.jpg',
    type: jpeg,
    note: 'The largest progressive image that is accepted, in 500 bytes',
    bytes: () => withClaimedSize(7000, 7000, { progressive: true }),
  },
  {
    name: 'scans.jpg',
    type: jpeg,
    note: 'A progressive image of 6000² redrawn by thousands of scans',
    bytes: async () => {
      const image = await withClaimedSize(6000, 6000, { progressive: true })
      const scan = image.lastIndexOf(Buffer.from([0xff, 0xda]))
      const piece = image.subarray(scan, image.length - 2)
      return Buffer.concat([image.subarray(0, scan), times(5_000, () => piece), image.subarray(-2)])
    },
  },
  { name: 'pixels.jpg', type: jpeg, note: 'An image of 65,000 by 65,000 pixels', bytes: () => withClaimedSize(65_000, 65_000) },
  {
    name: 'chunks.png',
    type: 'image/png',
    note: '750,000 empty chunks',
    bytes: () => png({ width: 8, height: 8 }, repeated(chunk('teSt', Buffer.alloc(0)), 9 * mb)),
  },
  {
    name: 'exif-chunks.png',
    type: 'image/png',
    note: 'Thousands of chunks of Exif data, each full of directories',
    bytes: () => {
      const entries = Array.from({ length: 160 }, (_, n) => [exifTag, 4, 1, 8 + 2 * n] as const)
      const block = chunk('eXIf', tiff(directory(entries, 12)))
      return png({ width: 8, height: 8 }, ...Array.from({ length: 4_000 }, () => block))
    },
  },
  {
    name: 'itxt-bombs.png',
    type: 'image/png',
    note: 'Texts that unpack to 40 MB each',
    bytes: () => {
      const bomb = chunk('iTXt', Buffer.concat([latin1('XML:com.adobe.xmp\0\x01\0\0\0'), compressed(40 * mb)]))
      return png({ width: 8, height: 8 }, ...Array.from({ length: 100 }, () => bomb))
    },
  },
  {
    name: 'profile-bomb.png',
    type: 'image/png',
    note: 'A colour profile that unpacks to 200 MB',
    bytes: () => png({ width: 8, height: 8 }, chunk('iCCP', Buffer.concat([latin1('icc\0\0'), compressed(200 * mb)]))),
  },
  {
    name: 'interlaced.png',
    type: 'image/png',
    note: 'An interlaced image, held in memory while decoded: 800 MB',
    bytes: () => png({ width: 9_999, height: 9_999, rows: 100, depth: 16, colour: 6, isInterlaced: true }),
  },
  {
    name: 'pixels.png',
    type: 'image/png',
    note: 'An image of 1,600 million pixels',
    bytes: () => png({ width: 40_000, height: 40_000, rows: 100 }),
  },
  {
    name: 'wide.png',
    type: 'image/png',
    note: 'An image of one row of 90 million pixels',
    bytes: () => png({ width: 90_000_000, height: 1, colour: 0 }),
  },
  {
    name: 'loop.tif',
    type: 'image/tiff',
    note: 'A TIFF with circular directories',
    bytes: () =>
      tiff(
        directory(
          Array.from({ length: 60_000 }, () => [254, 4, 1, 8] as const),
          8,
        ),
      ),
  },
  {
    name: 'chunks.webp',
    type: 'image/webp',
    note: 'A WebP of 16,384 by 16,384 pixels with a million chunks',
    bytes: () => {
      const canvas = latin1('VP8X\x0a\0\0\0\x02\0\0\0\xff\x3f\0\xff\x3f\0')
      const content = Buffer.concat([latin1('WEBP'), canvas, repeated(latin1('XMP \0\0\0\0'), 8 * mb)])
      const size = Buffer.alloc(4)
      size.writeUInt32LE(content.length)
      return Buffer.concat([latin1('RIFF'), size, content])
    },
  },
  {
    name: 'boxes.heic',
    type: 'image/heic',
    note: 'Boxes within boxes, 100,000 deep',
    bytes: () => heic([iinf(infe(1, 'hvc1')), iloc([]), box('iprp', nested('ipco', 100_000, ispe(64, 64)))]),
  },
  {
    name: 'many-boxes.heic',
    type: 'image/heic',
    note: 'A million empty boxes',
    bytes: () => heic([iinf(infe(1, 'hvc1')), iloc([]), repeated(latin1('\0\0\0\x08iprp'), 7 * mb)]),
  },
  {
    name: 'pieces.heic',
    type: 'image/heic',
    note: 'Exif data in 19,000 extents, each the image file: 30 GB',
    bytes: () =>
      heic(
        [
          iinf(infe(1, 'hvc1'), infe(2, 'Exif')),
          iloc([{ id: 2, pieces: Array.from({ length: 19_000 }, () => [0, 1_700_000] as const) }]),
          box('iprp', box('ipco', ispe(64, 64))),
        ],
        Buffer.alloc(1_700_000),
      ),
  },
  {
    name: 'grid.heic',
    type: 'image/heic',
    note: 'An image that claims 60,000 by 60,000 pixels',
    bytes: () => heic([iinf(infe(1, 'grid')), iloc([]), box('iprp', box('ipco', ispe(60_000, 60_000)))]),
  },
  {
    name: 'object-streams.pdf',
    type: 'application/pdf',
    note: 'Object streams that unpack to 100 MB each, under nested filters',
    bytes: () => {
      const twice = zlib.deflateSync(compressed(100 * mb))
      return pdf(times(40, (n) => pdfStream(n + 1, '/Type/ObjStm/N 100000/First 10/Filter[/FlateDecode/FlateDecode]', twice)))
    },
  },
  { name: 'nested.pdf', type: 'application/pdf', note: 'Arrays 4 million deep', bytes: () => pdf(Buffer.alloc(4 * mb, '[')) },
  {
    name: 'archive-ends.pdf',
    type: 'application/pdf',
    note: 'Thousands of end-of-archive records, each to be checked',
    bytes: () => pdf(Buffer.concat([latin1('x'.repeat(100_000)), repeated(latin1('PK\x05\x06'), 64_000)])),
  },
  {
    name: 'parts.docx',
    type: word,
    note: 'A Word document of 60,000 parts',
    bytes: () => zip([...wordParts, ...Array.from({ length: 60_000 }, (_, n) => `word/media/${n}.png`)]),
  },
  {
    name: 'unpacks.docx',
    type: word,
    note: 'Parts that unpack to 1 GB each',
    bytes: () => zip([...wordParts, 'word/a', 'word/b'], 1024 * mb),
  },
  { name: 'sectors.doc', type: 'application/msword', note: 'An endless sector table', bytes: loopingDoc },
  {
    name: 'lines.ics',
    type: 'text/calendar',
    note: 'Two million folded lines and an endless recurrence rule',
    bytes: () =>
      Buffer.concat([
        latin1('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:a'),
        repeated(latin1('\r\n a'), 8 * mb),
        latin1('\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
      ]),
  },
  {
    name: 'parts.eml',
    type: 'message/rfc822',
    note: 'An email with nested parts, 100,000 deep',
    bytes: () => times(100_000, (n) => latin1(`Content-Type: multipart/mixed; boundary=${n}\r\n\r\n--${n}\r\n`)),
  },
  {
    name: 'packed.jpg',
    type: jpeg,
    note: 'A 200 MB gzip named as an image',
    bytes: () => zlib.gzipSync(Buffer.alloc(200 * mb), runsOnly),
  },
]
