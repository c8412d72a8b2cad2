import sharp from 'sharp'

/**
 * Pictures for tests of one pattern: red, green / blue, white. test/files holds two HEICs of it, 64 by 48 pixels, with Exif data and XMP that
 * name a place (that of `place`), and the colour profile Display P3. heif-enc of libheif 1.15 made pattern.heic of a JPEG as `picture` makes it;
 * turned.heic is the same with a property that turns it a quarter clockwise. They are ours alone.
 */
export const corners = { red: [220, 40, 40], green: [40, 200, 60], blue: [50, 70, 220], white: [240, 240, 240] } as const
export type Corner = keyof typeof corners

/** What Exif and XMP of these say, in the form that a camera writes. */
export const place = {
  exif: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '45/1 30/1 1234/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '73/1 34/1 4321/100',
    GPSDateStamp: '2024:05:06',
  },
  xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="45,30.2057N" exif:GPSLongitude="73,34.7202W"/></rdf:RDF></x:xmpmeta>',
}

function pattern(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3)
  const colours = Object.values(corners)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colours[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)]!, (y * width + x) * 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

type Options = { width?: number; height?: number; orientation?: number; withPlace?: boolean }

/** In a format that sharp writes, as a phone would: upright only by its orientation, with where it was taken. */
export function picture(format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif', options: Options = {}): Promise<Buffer> {
  const { width = 64, height = 48, orientation = 6, withPlace = true } = options
  const about = { IFD0: { Make: 'Refyne', Orientation: String(orientation) }, ...(withPlace && { IFD3: place.exif }) }
  const made = pattern(width, height).withExif(about).withMetadata({ orientation }).withIccProfile('p3')
  return (withPlace ? made.withXmp(place.xmp) : made).toFormat(format).toBuffer()
}

/** Which corners a picture shows, from the upper left to the lower right, its orientation left aside. */
export async function cornersOf(file: Buffer): Promise<Corner[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const [right, bottom] = [info.width - 6, info.height - 6]
  return [[5, 5] as const, [right, 5] as const, [5, bottom] as const, [right, bottom] as const].map(([x, y]) => {
    const at = (y * info.width + x) * info.channels
    const distance = (corner: Corner) => corners[corner].reduce((sum, value, i) => sum + Math.abs(value - data[at + i]!), 0)
    return (Object.keys(corners) as Corner[]).toSorted((a, b) => distance(a) - distance(b))[0]!
  })
}
