import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Scope } from '../kernel/scope.ts'
import { heicToJpeg } from './inspection/file-pools.ts'
import { incomingFolder } from './take.ts'
import type { documents } from './table.ts'

type DocumentRow = typeof documents.$inferSelect
type Sendable = Pick<DocumentRow, 'id' | 'scanState' | 'storageKey' | 'name'> & { mimeType: string }

const no = (status: number, code: string, message: string) => Response.json({ code, message, error: message }, { status })

/**
 * The bytes as they are kept, always as something to be saved: a page that shows them fetches them and knows what it shows. The headers of every
 * answer (nosniff, no-store, a policy under which nothing runs) are added where all answers leave.
 */
export async function sendFile(scope: Scope, row: Sendable): Promise<Response> {
  if (row.scanState === 'pending') return no(409, 'NOT_SCANNED', 'The virus scanner has not looked at this document yet')
  if (row.scanState === 'infected') return no(409, 'INFECTED', 'The virus scanner has found something in this document')
  const found = await scope.files.get(row.storageKey)
  if (!found) {
    scope.log.error({ documentId: row.id }, 'The bytes of a document are missing')
    return no(410, 'FILE_MISSING', 'The file of this document cannot be found')
  }
  return new Response(found.bytes, {
    headers: {
      'content-type': row.mimeType,
      'content-length': String(found.size),
      'content-disposition': disposition(row.name),
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}

export async function sendPreview(scope: Scope, row: DocumentRow): Promise<Response> {
  if (row.mimeType !== 'image/heic') return no(404, 'NOT_FOUND', 'This document has no preview')
  if (row.scanState === 'pending' || row.scanState === 'infected') return sendFile(scope, row)
  const found = await scope.files.get(row.storageKey)
  if (!found) return no(410, 'FILE_MISSING', 'The file of this document cannot be found')
  const jpeg = await inFile(scope, found.bytes, (file) => heicToJpeg(scope.actor ? 'staff' : 'outside', file))
  if (!jpeg) return no(422, 'FILE_BROKEN', 'This picture cannot be shown. It can be downloaded.')
  return new Response(jpeg, {
    headers: {
      'content-type': 'image/jpeg',
      'content-disposition': disposition(row.name.replace(/\.hei[cf]$/i, '.jpg')),
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}

/** RFC 6266: the name in plain ASCII for old programs, and as it is. */
export function disposition(name: string): string {
  const ascii = name.normalize('NFD').replace(/[^\x20-\x7e]|["\\%]/g, '') || 'document'
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.codePointAt(0)!.toString(16)}`)}`
}

/** The decoder reads a file, and a store need not be a folder. */
async function inFile<Result>(scope: Scope, bytes: ReadableStream<Uint8Array>, read: (file: string) => Promise<Result>): Promise<Result> {
  const folder = incomingFolder(scope.env)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  try {
    await fs.writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
    return await read(file)
  } finally {
    await fs.rm(file, { force: true })
  }
}
