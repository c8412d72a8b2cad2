/** Seals a PDF. Runs in a worker. */
import { createPrivateKey, sign } from 'node:crypto'
import { PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfString } from '@libpdf/core'
import type { KeyPair } from './certificate.ts'
import { coveredDigest, fieldName, findSeal, programName, reservedBytes, sealText } from './layout.ts'
import { encodeSignature, signedAttributes } from './signature.ts'

export type SealInput = KeyPair & { pdf: Uint8Array; name: string; reason: string; location: string; signedAt: Date }

export async function seal({ pdf, key, certificate, ...facts }: SealInput): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await addSignatureField(pdf, facts)
  const place = findSeal(bytes)
  if (typeof place === 'string') throw new Error(`The place of the seal is ${place}`)
  const sha256 = coveredDigest(bytes, place)
  const privateKey = createPrivateKey({ key: Buffer.from(key), format: 'der', type: 'pkcs8' })
  const signature = sign('sha256', signedAttributes({ sha256, certificate }), privateKey)
  bytes.write(sealText(encodeSignature({ sha256, certificate, signature, token: null })), place.start, 'latin1')
  return new Uint8Array(bytes)
}

const unknownOffset = 9_999_999_999
const offsetDigits = 10

/** Appends a signature field without an appearance, with its byte range and room for the seal. */
async function addSignatureField(pdf: Uint8Array, facts: Omit<SealInput, 'pdf' | keyof KeyPair>): Promise<Buffer> {
  if (Buffer.from(pdf).includes('/ByteRange')) throw new Error('The PDF has a signature already')
  const file = await PDF.load(pdf)
  const page = file.context.pages.getPage(0)
  if (!page) throw new Error('The PDF has no page')
  const numbers = (...values: number[]) => new PdfArray(values.map((value) => PdfNumber.of(value)))
  const name = (text: string) => PdfName.of(text)
  const signature = dictionary({
    Type: name('Sig'),
    Filter: name('Adobe.PPKLite'),
    SubFilter: name('ETSI.CAdES.detached'),
    Prop_Build: dictionary({ App: dictionary({ Name: name(programName) }) }),
    Name: PdfString.fromString(facts.name),
    Reason: PdfString.fromString(facts.reason),
    Location: PdfString.fromString(facts.location),
    M: PdfString.fromString(pdfDate(facts.signedAt)),
    ByteRange: numbers(0, unknownOffset, unknownOffset, unknownOffset),
    Contents: PdfString.fromBytes(new Uint8Array(reservedBytes)),
  })
  const field = file.getOrCreateForm().createSignatureField(fieldName).getDict()
  field.delete('Kids')
  const widget = {
    V: file.context.register(signature),
    Type: name('Annot'),
    Subtype: name('Widget'),
    // Printed, and locked.
    F: PdfNumber.of(132),
    P: page,
    Rect: numbers(0, 0, 0, 0),
  }
  for (const [entry, value] of Object.entries(widget)) field.set(entry, value)
  return withByteRange(Buffer.from(await file.save({ incremental: true })))
}

const dictionary = (entries: Record<string, PdfObject>) => PdfDict.of(entries)

/** 'D:20261127143000Z' */
const pdfDate = (instant: Date): string => `D:${instant.toISOString().replace(/\.\d+|[-:T]/g, '')}`

/** Fills in the byte range, once the length of the file is known. */
function withByteRange(bytes: Buffer): Buffer {
  const placeholder = ` ${unknownOffset} ${unknownOffset} ${unknownOffset}]\n/Contents <`
  const at = bytes.indexOf(placeholder)
  const start = at + placeholder.length - 1
  const end = start + 2 * reservedBytes + 2
  const numbers = [start, end, bytes.length - end].map((number) => String(number).padEnd(offsetDigits))
  bytes.write(` ${numbers.join(' ')}]`, at, 'latin1')
  return bytes
}
