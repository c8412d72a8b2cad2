import { leadBodyLimit } from '../contract.ts'
import { charsetOf, decodeUndeclared, formPairs, multipartPairs, decompress } from './decode.ts'
import type { Fields } from './field-labels.ts'

/** The error response for a body that can't be accepted. */
export type BodyRefusal = { status: 400 | 413 | 415; code: string; message: string }
export type LeadBody = {
  raw: string
  contentType: string
  fields: Fields
  isForm: boolean
  /** Equal for equal leads. Multipart bodies can't be compared directly, because the boundary differs each time. */
  fingerprint: string
}

const tooLarge: BodyRefusal = { status: 413, code: 'BODY_TOO_LARGE', message: 'A lead can be at most 64 KiB' }
const unreadable: BodyRefusal = { status: 400, code: 'INVALID_BODY', message: 'The body does not match its content type' }
const unknownType: BodyRefusal = {
  status: 415,
  code: 'UNSUPPORTED_CONTENT_TYPE',
  message: 'Send application/json, application/x-www-form-urlencoded or multipart/form-data',
}

const unknownEncoding: BodyRefusal = {
  status: 415,
  code: 'UNSUPPORTED_CONTENT_ENCODING',
  message: 'Send the body uncompressed, or compressed with gzip, deflate or br',
}
const unknownCharset: BodyRefusal = {
  status: 415,
  code: 'UNSUPPORTED_CHARSET',
  message: 'Unknown charset in the content type. Send UTF-8.',
}

/**
 * Reads a lead's body as JSON, form-encoded or multipart data, in its declared charset. Without one, JSON must be UTF-8 and forms may be
 * windows-1252. The limit of 64 KiB applies before and after decompression. Of files in a form only names and sizes are kept.
 */
export async function readLeadBody(request: Request): Promise<LeadBody | BodyRefusal> {
  const sent = await readAtMost(request, leadBodyLimit)
  if (!sent) return tooLarge
  const contentType = request.headers.get('content-type') ?? ''
  const kind = contentType.split(';')[0]!.trim().toLowerCase()
  const isJson = kind === 'application/json' || kind.endsWith('+json')
  if (!isJson && kind !== 'application/x-www-form-urlencoded' && kind !== 'multipart/form-data') return unknownType
  const decompressed = await decompress(sent, request.headers.get('content-encoding') ?? '', leadBodyLimit)
  if (decompressed === 'unknown') return unknownEncoding
  if (decompressed === 'too-large') return tooLarge
  if (decompressed === 'unreadable') return unreadable
  const charset = charsetOf(contentType, decompressed)
  if (charset === 'unknown') return unknownCharset
  try {
    const isMultipart = kind === 'multipart/form-data'
    const raw =
      charset === null && !isJson
        ? decodeUndeclared(decompressed)
        : new TextDecoder(charset ?? 'utf-8', { fatal: isJson || (!isMultipart && charset === 'utf-8') }).decode(decompressed)
    if (isJson) return body(raw, contentType, parseObject(raw), false)
    return body(
      raw,
      contentType,
      pairs(isMultipart ? multipartPairs(decompressed, contentType, charset) : formPairs(decompressed, charset)),
      true,
    )
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

/** Collects pairs into an object. A name that occurs more than once gets a list of values. */
function pairs(form: Iterable<[string, unknown]>): Fields {
  const fields = new Map<string, unknown[]>()
  for (const [name, value] of form) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/** No real form nests deeper, and PostgreSQL and our recursion have limits. */
const maxDepth = 100

/** Replaces NUL and lone surrogates, which PostgreSQL can't store, so that the lead is not lost. */
function storable(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new RangeError('nested too deeply')
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key) as string, storable(inner, depth + 1)]))
}
