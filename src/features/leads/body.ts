import { leadBodyLimit } from './contract.ts'
import type { Fields } from './shapes.ts'

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

/** Reads a lead's body, 64 KiB at most, as JSON, form or multipart. Files in a form are named, not kept. */
export async function readLeadBody(request: Request): Promise<LeadBody | BodyRefusal> {
  const bytes = await readAtMost(request, leadBodyLimit)
  if (!bytes) return tooLarge
  const contentType = request.headers.get('content-type') ?? ''
  const kind = contentType.split(';')[0]!.trim().toLowerCase()
  try {
    const raw = new TextDecoder('utf-8', { fatal: kind !== 'multipart/form-data' }).decode(bytes)
    if (kind === 'application/json' || kind.endsWith('+json')) return body(raw, contentType, parseObject(raw), false)
    if (kind === 'application/x-www-form-urlencoded') return body(raw, contentType, pairs(new URLSearchParams(raw)), true)
    if (kind === 'multipart/form-data') {
      const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
      return body(raw, contentType, pairs(form), true)
    }
    return unknownType
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

/** The first value of each name counts; a file is noted by its name. */
function pairs(form: Iterable<[string, FormDataEntryValue]>): Fields {
  const fields: [string, unknown][] = []
  for (const [name, value] of form) {
    if (!fields.some(([known]) => known === name))
      fields.push([name, typeof value === 'string' ? value : { file: value.name, size: value.size }])
  }
  return Object.fromEntries(fields)
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
