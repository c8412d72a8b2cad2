import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isUuid } from '../../shared/text.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { fileRefusals } from '../../documents/contract.ts'
import { acceptPicture, FileRefused, storeRows } from '../../documents/service.ts'
import { pictureBounds, picturesIn } from '../../platform/mail/written-rules.ts'
import { messageAttachments, pendingPictures } from './table.ts'

export type Picture = typeof pendingPictures.$inferSelect

/** In milliseconds: a draft is kept in a tab, which may be open for days. */
const kept = 30 * 24 * 3600_000

/** POST /api/inbox/pictures?name=…: a picture for an email that is being written; the body is its bytes. */
export async function pictureUploadResponse(scope: Scope, request: Request): Promise<Response> {
  try {
    const name = new URL(request.url).searchParams.get('name') ?? ''
    const { width, height, ...file } = await acceptPicture(scope, { name, limit: pictureBounds.size }, request.body ?? nothing())
    const row = { ...file, createdBy: staff(scope).id, createdAt: scope.now() }
    await storeRows(scope, [file], () => scope.db.insert(pendingPictures).values(row))
    return Response.json({ id: file.id, name: file.name, size: file.size, width, height }, { status: 201 })
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    const { code } = error
    const message = code === 'FILE_TYPE' ? 'Choose a picture: a JPEG, PNG or HEIC' : error.message
    // The rest of a refused body is not read, so the connection cannot be reused.
    return Response.json({ code, message }, { status: fileRefusals[code].status, headers: { connection: 'close' } })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** GET /api/inbox/pictures/{id}: the picture in the composer. Drafts of scheduled emails are shared, as the inbox is. */
export async function pictureResponse(scope: Scope, id: string): Promise<Response> {
  const [row] = isUuid(id) ? await scope.db.select().from(pendingPictures).where(eq(pendingPictures.id, id)) : []
  const file = row && (await scope.files.get(row.storageKey))
  if (!file) return Response.json({ code: 'NOT_FOUND', message: 'This picture does not exist' }, { status: 404 })
  return new Response(file.bytes, {
    headers: { 'content-type': row.mimeType, 'content-disposition': 'inline', 'content-security-policy': "sandbox; default-src 'none'" },
  })
}

/** The uploaded pictures that an email shows, locked. A refusal: one of them is not there. */
export async function picturesFor(tx: Db, html: string | null) {
  const ids = html === null ? [] : picturesIn(html)
  if (ids.length === 0) return []
  if (ids.length > pictureBounds.count) return invalidReference({ html: `An email can have at most ${pictureBounds.count} pictures` })
  const found = ids.every(isUuid) ? await tx.select().from(pendingPictures).where(inArray(pendingPictures.id, ids)).for('update') : []
  if (found.length < ids.length)
    return invalidReference({ html: 'A picture in this email is no longer available. Remove it and add it again.' })
  return found
}

/** Makes them attachments of a message. */
export async function takePictures(tx: Db, messageId: string, pictures: readonly Picture[]): Promise<void> {
  if (pictures.length === 0) return
  const rows = pictures.map(({ id, name, mimeType, size, storageKey }) => ({ messageId, name, mimeType, size, storageKey, contentId: id }))
  await tx.insert(messageAttachments).values(rows)
  const ids = pictures.map(({ id }) => id)
  await tx.delete(pendingPictures).where(inArray(pendingPictures.id, ids))
}

/** Deletes pictures that were never sent. Their files are then swept. */
export const purgePictures = defineJob({
  name: 'inbox.purge-pictures',
  payload: z.object({}),
  cron: '29 8 * * *',
  async run({ db, now }) {
    const isUnused = sql`not exists (select 1 from scheduled_messages where html like '%cid:' || ${pendingPictures.id} || '%')`
    await db.delete(pendingPictures).where(and(lt(pendingPictures.createdAt, new Date(now().getTime() - kept)), isUnused))
  },
})
