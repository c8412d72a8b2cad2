import type { Budget } from './budget.ts'

// Exif's GPS tags, the location fields of Photoshop and IPTC, and other vendors' coordinates.
const locationFields =
  /GPS(Latitude|Longitude|Altitude|Position|Coordinates|Dest|Img|Map|Area|Processing|Satellites|Speed|Track|Time|Date)|:GPS|LocationCreated|LocationShown|:(City|State|Country|CountryCode|CountryName|ProvinceState|Sublocation|Location|WorldRegion|Latitude|Longitude|lat|long)\b/

/** Whether textual metadata names a location. */
export const namesLocation = (text: string): boolean => locationFields.test(text)

/**
 * Overwrites an XMP packet, given in pieces split anywhere, with spaces if it names a location: no single part of the XML could be removed
 * at the same length. Returns whether it did. In UTF-16 or UTF-32 the text contains zero bytes, which are ignored.
 * @throws FileTooComplex
 */
export function blankXmp(pieces: readonly Buffer[], budget: Budget): boolean {
  for (const piece of pieces) budget.spend('metadata', piece.length)
  if (!namesLocation(Buffer.concat(pieces).toString('latin1').replaceAll('\0', ''))) return false
  for (const piece of pieces) piece.fill(' ')
  return true
}
