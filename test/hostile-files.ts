import zlib from 'node:zlib'
import sharp from 'sharp'

/**
 * Files that are made to stop anyone who opens them: small ones that take minutes, or gigabytes, to be read without limits. Each is made again, and
 * sent as what it pretends to be.
 */
export interface HostileFile {
  name: string
  type: string
  /** What it tries. */
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
/** Of a JPEG, made to say that it is of another size. */
async function sized(width: number, height: number, options: { progressive?: boolean } = {}): Promise<Buffer> {
  const jpeg = await small(options)
  const frame = jpeg.indexOf(Buffer.from([0xff, options.progressive ? 0xc2 : 0xc0]))
  return Buffer.concat([jpeg.subarray(0, frame + 5), u16(height), u16(width), jpeg.subarray(frame + 9)])
}
const behind = async (rest: Buffer) => Buffer.concat([await small(), rest])
const app1 = (content: Buffer) => Buffer.concat([Buffer.from([0xff, 0xe1]), u16(content.length + 2), content])
const xmpName = latin1('http://ns.adobe.com/xap/1.0/\0')
const moreXmpName = Buffer.concat([latin1('http://ns.adobe.com/xmp/extension/\0'), Buffer.alloc(40)])

/** Entries of a TIFF directory: tag, type, count, value; little-endian. */
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
/** A PNG of one colour, of which at most so many rows are there. */
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
const packed = (size: number) => zlib.deflateSync(Buffer.alloc(size, 'a'), { level: 9 })
const times = (count: number, make: (n: number) => Buffer) => Buffer.concat(Array.from({ length: count }, (_, n) => make(n)))

const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(8 + body.length), latin1(type), body])
}
const fullBox = (type: string, ...content: Buffer[]) => box(type, Buffer.alloc(4), ...content)
const ftyp = box('ftyp', latin1('heic\0\0\0\0mif1heic'))
/** A HEIC with one property of size, and the boxes that a test is about. */
const heic = (meta: Buffer[], rest: Buffer = Buffer.alloc(0)) => Buffer.concat([ftyp, fullBox('meta', ...meta), rest])
const ispe = (width: number, height: number) => fullBox('ispe', u32(width), u32(height))
const infe = (id: number, type: string) => box('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), latin1(type), latin1('\0'))
const iinf = (...items: Buffer[]) => fullBox('iinf', u16(items.length), ...items)
/** Items in pieces of the file, each a position and a length of four bytes. */
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

/** A zip that only lists what it has: the entries lie on one another at its beginning. */
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
const partsOfWord = ['[Content_Types].xml', 'word/document.xml']

/** A .doc whose table of sectors is said to go on in itself for ever. */
function endlessDoc(): Buffer {
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

/** The first three are those of which a running clinic was stopped. */
export const hostileFiles: readonly HostileFile[] = [
  {
    name: 'exif-repeated.jpg',
    type: jpeg,
    note: 'Exif headers on one another, each of which says that 64 KB belong to it',
    bytes: () => behind(repeated(latin1('Exif\0\0II*\0\x08\0\0\0'), 9 * mb)),
  },
  {
    name: 'xmp-repeated.jpg',
    type: jpeg,
    note: 'XMP segments on one another, each of which says that it is 64 KB long',
    bytes: () => behind(repeated(Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), xmpName]), 9 * mb)),
  },
  {
    name: 'ztxt-bombs.png',
    type: 'image/png',
    note: '200 texts that unpack to 4.2 MB each',
    bytes: () => {
      const bomb = chunk('zTXt', Buffer.concat([latin1('Comment\0\0'), packed(4_150_000)]))
      return png({ width: 8, height: 8 }, ...Array.from({ length: 200 }, () => bomb))
    },
  },
  {
    name: 'xmp-extension-repeated.jpg',
    type: jpeg,
    note: 'Pieces of one XMP packet on one another, 15 GB together',
    bytes: () => behind(repeated(Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), moreXmpName]), 9 * mb)),
  },
  {
    name: 'app1-repeated.jpg',
    type: jpeg,
    note: 'Nothing but the beginnings of segments',
    bytes: () => behind(repeated(Buffer.from([0xff, 0xe1]), 9 * mb)),
  },
  {
    name: 'segments.jpg',
    type: jpeg,
    note: 'Two million empty segments before the picture',
    bytes: async () => {
      const whole = await small()
      return Buffer.concat([whole.subarray(0, 2), repeated(Buffer.from([0xff, 0xe5, 0, 2]), 9 * mb), whole.subarray(2)])
    },
  },
  {
    name: 'directories.jpg',
    type: jpeg,
    note: 'Segments of directories that lead to one another, as full as they can be',
    bytes: () => {
      const entries = Array.from({ length: 5_400 }, (_, n) => [exifTag, 4, 1, 8 + 2 * n] as const)
      return behind(times(100, () => app1(exif(directory(entries, 12)))))
    },
  },
  {
    name: 'gps-wiped.jpg',
    type: jpeg,
    note: 'Entries of GPS each of whose values is the whole segment',
    bytes: () => {
      const values = Array.from({ length: 5_000 }, () => [1, 2, 60_000, 8] as const)
      const start = directory([[gpsTag, 4, 1, 8 + 18]], 0)
      return behind(times(100, () => app1(exif(start, directory(values, 0)))))
    },
  },
  {
    name: 'gps-entries.jpg',
    type: jpeg,
    note: 'Thousands of entries that name a GPS directory, each to be taken out',
    bytes: () =>
      behind(
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
    note: 'Boxes of a place behind a picture, each longer than the next one is away',
    bytes: () => behind(repeated(latin1('\0\0\0\xff©xyz'), 9 * mb)),
  },
  {
    name: 'progressive.jpg',
    type: jpeg,
    note: 'A progressive picture of 9990², which is held whole while it is decoded: 600 MB',
    bytes: () => sized(9990, 9990, { progressive: true }),
  },
  {
    name: 'slow.jpg',
    type: jpeg,
    note: 'The largest progressive picture that is taken, in 500 bytes',
    bytes: () => sized(7000, 7000, { progressive: true }),
  },
  {
    name: 'scans.jpg',
    type: jpeg,
    note: 'A progressive picture of 6000² that is drawn again by each of thousands of scans',
    bytes: async () => {
      const whole = await sized(6000, 6000, { progressive: true })
      const scan = whole.lastIndexOf(Buffer.from([0xff, 0xda]))
      const piece = whole.subarray(scan, whole.length - 2)
      return Buffer.concat([whole.subarray(0, scan), times(5_000, () => piece), whole.subarray(-2)])
    },
  },
  { name: 'pixels.jpg', type: jpeg, note: 'A picture of 65,000 by 65,000 pixels', bytes: () => sized(65_000, 65_000) },
  {
    name: 'chunks.png',
    type: 'image/png',
    note: '750,000 chunks without anything in them',
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
      const bomb = chunk('iTXt', Buffer.concat([latin1('XML:com.adobe.xmp\0\x01\0\0\0'), packed(40 * mb)]))
      return png({ width: 8, height: 8 }, ...Array.from({ length: 100 }, () => bomb))
    },
  },
  {
    name: 'profile-bomb.png',
    type: 'image/png',
    note: 'A colour profile that unpacks to 200 MB',
    bytes: () => png({ width: 8, height: 8 }, chunk('iCCP', Buffer.concat([latin1('icc\0\0'), packed(200 * mb)]))),
  },
  {
    name: 'interlaced.png',
    type: 'image/png',
    note: 'An interlaced picture, which is held whole while it is decoded: 800 MB',
    bytes: () => png({ width: 9_999, height: 9_999, rows: 100, depth: 16, colour: 6, isInterlaced: true }),
  },
  {
    name: 'pixels.png',
    type: 'image/png',
    note: 'A picture of 1,600 million pixels',
    bytes: () => png({ width: 40_000, height: 40_000, rows: 100 }),
  },
  {
    name: 'wide.png',
    type: 'image/png',
    note: 'A picture of one row of 90 million pixels',
    bytes: () => png({ width: 90_000_000, height: 1, colour: 0 }),
  },
  {
    name: 'loop.tif',
    type: 'image/tiff',
    note: 'A TIFF whose directories lead in a circle',
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
    note: 'Exif data in 19,000 pieces, each of them the whole file: 30 GB',
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
    note: 'A picture that says to be 60,000 by 60,000 pixels',
    bytes: () => heic([iinf(infe(1, 'grid')), iloc([]), box('iprp', box('ipco', ispe(60_000, 60_000)))]),
  },
  {
    name: 'object-streams.pdf',
    type: 'application/pdf',
    note: 'Object streams that unpack to 100 MB each, under filters on one another',
    bytes: () => {
      const twice = zlib.deflateSync(packed(100 * mb))
      return pdf(times(40, (n) => pdfStream(n + 1, '/Type/ObjStm/N 100000/First 10/Filter[/FlateDecode/FlateDecode]', twice)))
    },
  },
  { name: 'nested.pdf', type: 'application/pdf', note: 'Arrays 4 million deep', bytes: () => pdf(Buffer.alloc(4 * mb, '[')) },
  {
    name: 'archive-ends.pdf',
    type: 'application/pdf',
    note: 'Thousands of ends of archives, each of which has to be looked at',
    bytes: () => pdf(Buffer.concat([latin1('x'.repeat(100_000)), repeated(latin1('PK\x05\x06'), 64_000)])),
  },
  {
    name: 'parts.docx',
    type: word,
    note: 'A Word document of 60,000 parts',
    bytes: () => zip([...partsOfWord, ...Array.from({ length: 60_000 }, (_, n) => `word/media/${n}.png`)]),
  },
  {
    name: 'unpacks.docx',
    type: word,
    note: 'Parts that unpack to 1 GB each',
    bytes: () => zip([...partsOfWord, 'word/a', 'word/b'], 1024 * mb),
  },
  { name: 'sectors.doc', type: 'application/msword', note: 'A table of sectors without an end', bytes: endlessDoc },
  {
    name: 'lines.ics',
    type: 'text/calendar',
    note: 'Two million folded lines, and a rule that repeats for ever',
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
    note: 'A mail of parts within parts, 100,000 deep',
    bytes: () => times(100_000, (n) => latin1(`Content-Type: multipart/mixed; boundary=${n}\r\n\r\n--${n}\r\n`)),
  },
  {
    name: 'packed.jpg',
    type: jpeg,
    note: 'A gzip of 200 MB that is called a picture',
    bytes: () => zlib.gzipSync(Buffer.alloc(200 * mb), { level: 9 }),
  },
]
