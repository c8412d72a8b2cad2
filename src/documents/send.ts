import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Scope } from '../kernel/scope.ts'
import { heicToJpeg } from './inspection/file-pools.ts'
import { incomingFolder } from './accept-file.ts'
import type { documents } from './table.ts'

type DocumentRow = typeof documents.$inferSelect
type Sendable = Pick<DocumentRow, 'id' | 'scanState' | 'storageKey' | 'name'> & { mimeType: string }

const errorResponse = (status: number, code: string, message: string) => Response.json({ code, message, error: message }, { status })

/**
 * Sends the stored bytes, always as an attachment: pages that display a document fetch it themselves. The security headers of every
 * response (nosniff, no-store, a restrictive content policy) are added centrally.
 */
export async function sendFile(scope: Scope, row: Sendable): Promise<Response> {
  if (row.scanState === 'pending') return errorResponse(409, 'NOT_SCANNED', 'This document has not been scanned for viruses yet')
  if (row.scanState === 'infected') return errorResponse(409, 'INFECTED', 'The virus scanner found a threat in this document')
  const found = await scope.files.get(row.storageKey)
  if (!found) {
    scope.log.error({ documentId: row.id }, 'The bytes of a document are missing')
    return errorResponse(410, 'FILE_MISSING', 'The file of this document is missing')
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
  if (row.mimeType !== 'image/heic') return errorResponse(404, 'NOT_FOUND', 'This document has no preview')
  if (row.scanState === 'pending' || row.scanState === 'infected') return sendFile(scope, row)
  const found = await scope.files.get(row.storageKey)
  if (!found) return errorResponse(410, 'FILE_MISSING', 'The file of this document is missing')
  const jpeg = await withTemporaryFile(scope, found.bytes, (file) => heicToJpeg(scope.actor ? 'staff' : 'outside', file))
  if (!jpeg) return errorResponse(422, 'FILE_BROKEN', 'This image cannot be shown. You can download it.')
  return new Response(jpeg, {
    headers: {
      'content-type': 'image/jpeg',
      'content-disposition': disposition(row.name.replace(/\.hei[cf]$/i, '.jpg')),
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}

/** The Content-Disposition header (RFC 6266), with an ASCII name for old programs and the full name. */
export function disposition(name: string): string {
  const ascii = name.normalize('NFD').replace(/[^\x20-\x7e]|["\\%]/g, '') || 'document'
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.codePointAt(0)!.toString(16)}`)}`
}

/** Writes the bytes to a temporary file, because the decoder needs a path and the file store may not be a folder. */
async function withTemporaryFile<Result>(
  scope: Scope,
  bytes: ReadableStream<Uint8Array>,
  read: (file: string) => Promise<Result>,
): Promise<Result> {
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
