import { leadBodyLimit } from './contract.ts'
import { charsetOf, decodeUndeclared, formPairs, multipartPairs, unpack } from './decode.ts'
import type { Fields } from './labels.ts'

/** Why a body cannot be taken, as the answer says it. */
export type BodyRefusal = { status: 400 | 413 | 415; code: string; message: string }
export type LeadBody = {
  raw: string
  contentType: string
  fields: Fields
  isForm: boolean
  /** The same for the same lead: a multipart body is sent with other boundaries each time. */
  fingerprint: string
}

const tooLarge: BodyRefusal = { status: 413, code: 'BODY_TOO_LARGE', message: 'A lead may have 64 KiB at most' }
const unreadable: BodyRefusal = { status: 400, code: 'INVALID_BODY', message: 'The body could not be read as its content type says' }
const unknownType: BodyRefusal = {
  status: 415,
  code: 'UNSUPPORTED_CONTENT_TYPE',
  message: 'Send application/json, application/x-www-form-urlencoded or multipart/form-data',
}

const unknownEncoding: BodyRefusal = {
  status: 415,
  code: 'UNSUPPORTED_CONTENT_ENCODING',
  message: 'Send the body as it is, or compressed with gzip, deflate or br',
}
const unknownCharset: BodyRefusal = {
  status: 415,
  code: 'UNSUPPORTED_CHARSET',
  message: 'The charset of the content type is not known. Send UTF-8.',
}

/**
 * Reads a lead's body as JSON, form or multipart, in the charset that it declares. Without one JSON has to be UTF-8, and a form may be windows-1252. It has 64 KiB at most, as sent and unpacked. Files in a
 * form are named, not kept.
 */
export async function readLeadBody(request: Request): Promise<LeadBody | BodyRefusal> {
  const sent = await readAtMost(request, leadBodyLimit)
  if (!sent) return tooLarge
  const contentType = request.headers.get('content-type') ?? ''
  const kind = contentType.split(';')[0]!.trim().toLowerCase()
  const isJson = kind === 'application/json' || kind.endsWith('+json')
  if (!isJson && kind !== 'application/x-www-form-urlencoded' && kind !== 'multipart/form-data') return unknownType
  const unpacked = await unpack(sent, request.headers.get('content-encoding') ?? '', leadBodyLimit)
  if (unpacked === 'unknown') return unknownEncoding
  if (unpacked === 'too-large') return tooLarge
  if (unpacked === 'unreadable') return unreadable
  const charset = charsetOf(contentType, unpacked)
  if (charset === 'unknown') return unknownCharset
  try {
    const isMultipart = kind === 'multipart/form-data'
    const raw =
      charset === null && !isJson
        ? decodeUndeclared(unpacked)
        : new TextDecoder(charset ?? 'utf-8', { fatal: isJson || (!isMultipart && charset === 'utf-8') }).decode(unpacked)
    if (isJson) return body(raw, contentType, parseObject(raw), false)
    return body(raw, contentType, pairs(isMultipart ? multipartPairs(unpacked, contentType, charset) : formPairs(unpacked, charset)), true)
  } catch {
    return unreadable
  }
}

function body(raw: string, contentType: string, sent: Fields, isForm: boolean): LeadBody {
  const fields = storable(sent) as Fields
  const isMultipart = /^multipart\//i.test(contentType)
  const fingerprint = isMultipart ? `multipart ${JSON.stringify(fields)}` : `${isForm ? 'form' : 'json'} ${raw}`
  return { raw: storable(raw) as string, contentType: contentType.slice(0, 200), fields, isForm, fingerprint }
}

async function readAtMost(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) return null
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function parseObject(raw: string): Fields {
  const value: unknown = JSON.parse(raw)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object')
  return value as Fields
}

/** A name that comes more than once has a list of its values. */
function pairs(form: Iterable<[string, unknown]>): Fields {
  const fields = new Map<string, unknown[]>()
  for (const [name, value] of form) {
    const known = fields.get(name)
    if (known) known.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** No form nests deeper; PostgreSQL and our own recursion end somewhere beyond. */
const deepest = 100

/** PostgreSQL keeps neither NUL nor half a surrogate pair; a lead is not lost over either. */
function storable(value: unknown, depth = 0): unknown {
  if (depth > deepest) throw new RangeError('nested too deeply')
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key) as string, storable(inner, depth + 1)]))
}
