import sharp from 'sharp'

/**
 * Test images of one pattern: red, green / blue, white. test/files holds two HEICs of it, 64 by 48 pixels, with Exif and XMP location data
 * (that of `place`) and the colour profile Display P3. heif-enc of libheif 1.15 created pattern.heic from a JPEG of `picture`; turned.heic
 * is the same with a property that rotates it clockwise by 90°. The files are our own work.
 */
export const corners = { red: [220, 40, 40], green: [40, 200, 60], blue: [50, 70, 220], white: [240, 240, 240] } as const
export type Corner = keyof typeof corners

/** Location data in Exif and XMP, in the form that a camera writes. */
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

/** An image in a format that sharp writes, as from a phone: upright only by its orientation, with location data. */
export function picture(format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif', options: Options = {}): Promise<Buffer> {
  const { width = 64, height = 48, orientation = 6, withPlace = true } = options
  const about = { IFD0: { Make: 'Refyne', Orientation: String(orientation) }, ...(withPlace && { IFD3: place.exif }) }
  const image = pattern(width, height).withExif(about).withMetadata({ orientation }).withIccProfile('p3')
  return (withPlace ? image.withXmp(place.xmp) : image).toFormat(format).toBuffer()
}

/** The corners of an image from upper left to lower right, ignoring its orientation. */
export async function cornersOf(file: Buffer): Promise<Corner[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const [right, bottom] = [info.width - 6, info.height - 6]
  return [[5, 5] as const, [right, 5] as const, [5, bottom] as const, [right, bottom] as const].map(([x, y]) => {
    const at = (y * info.width + x) * info.channels
    const distance = (corner: Corner) => corners[corner].reduce((sum, value, i) => sum + Math.abs(value - data[at + i]!), 0)
    return (Object.keys(corners) as Corner[]).toSorted((a, b) => distance(a) - distance(b))[0]!
  })
}
