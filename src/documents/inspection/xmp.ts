import type { Budget } from './budget.ts'

// Of Exif's GPS tags, Photoshop's and IPTC's words for where a picture was taken, and other makers' coordinates.
const places =
  /GPS(Latitude|Longitude|Altitude|Position|Coordinates|Dest|Img|Map|Area|Processing|Satellites|Speed|Track|Time|Date)|:GPS|LocationCreated|LocationShown|:(City|State|Country|CountryCode|CountryName|ProvinceState|Sublocation|Location|WorldRegion|Latitude|Longitude|lat|long)\b/

/** Whether metadata in the form of text names a place. */
export const saysPlace = (text: string): boolean => places.test(text)

/**
 * Writes spaces over an XMP packet, cut into pieces in any way, when it names a place: XML cannot be taken out of in part at the same length.
 * Returns whether it did. It may be in UTF-16 or -32: then every other byte is 0.
 * @throws FileTooComplex
 */
export function blankXmp(pieces: readonly Buffer[], budget: Budget): boolean {
  for (const piece of pieces) budget.spend('metadata', piece.length)
  if (!saysPlace(Buffer.concat(pieces).toString('latin1').replaceAll('\0', ''))) return false
  for (const piece of pieces) piece.fill(' ')
  return true
}
