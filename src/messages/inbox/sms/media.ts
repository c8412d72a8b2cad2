import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../../kernel/jobs.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { patientFileLimit } from '../../../documents/rules.ts'
import { FileRefused, receiveFile, storeRows } from '../../../documents/service.ts'
import { announceConversation } from '../announce.ts'
import { attachTo, keepAttachments } from '../receive/attachments.ts'
import { conversations, messageAttachments, messages } from '../table.ts'
import { textingOf } from './texting.ts'

const media = z.object({ url: z.string(), contentType: z.string() })

/** Fetches the pictures and files of a received text from Twilio, each once, and inspects them like attachments of an email. */
export const fetchMedia = defineJob({
  name: 'inbox.text-media',
  payload: z.object({ id: z.uuid(), media: z.array(media) }),
  maxAttempts: 12,
  async run(scope, { id, media: files }, { last }) {
    for (const [at, file] of files.entries()) await fetchOne(scope, { id, at, last, ...file })
  },
})

type Wanted = { id: string; at: number; url: string; contentType: string; last: boolean }

async function fetchOne(scope: Scope, { id, at, url, contentType, last }: Wanted): Promise<void> {
  // By its place in the text, so that a second run leaves it.
  const contentId = `media-${at}`
  const isKept = and(eq(messageAttachments.messageId, id), eq(messageAttachments.contentId, contentId))
  if ((await scope.db.$count(messageAttachments, isKept)) > 0) return
  const found = await textingOf(scope.env)?.client.media(url)
  if (found && !found.ok && found.retryable && !last) throw new Error('Twilio did not give a file of a text message')
  const file = found?.ok ? await stored(scope, found.bytes, last) : null
  const name = `Text message ${at + 1}${extensions[contentType] ?? ''}`
  const [kept] =
    file === null
      ? [{ name, mimeType: contentType.slice(0, 100), size: 0, contentId, refusal: 'Twilio no longer has this file' }]
      : await keepAttachments(scope, [{ name, mimeType: contentType, size: file.size, contentId, file: file.path }])
  const accepted = kept && 'file' in kept ? [kept.file] : []
  await storeRows(scope, accepted, () =>
    scope.db.transaction(async (tx) => {
      const [conversation] = await tx
        .select({ id: conversations.id, contactId: conversations.contactId })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(eq(messages.id, id))
        .for('update', { of: conversations })
      if (!conversation || !kept || (await tx.$count(messageAttachments, isKept)) > 0) return
      await attachTo(tx, scope, { messageId: id, contactId: conversation.contactId, isText: true }, [kept])
      await announceConversation(tx, conversation.id)
    }),
  )
}

/** The bytes on disk. `path` null: too large. Null: they broke off for the last time. */
async function stored(
  scope: Scope,
  bytes: AsyncIterable<Uint8Array>,
  last: boolean,
): Promise<{ path: string | null; size: number } | null> {
  let size = 0
  const counted = (async function* () {
    for await (const part of bytes) {
      size += part.byteLength
      yield part
    }
  })()
  try {
    return { path: await receiveFile(scope, patientFileLimit, counted), size }
  } catch (error) {
    if (error instanceof FileRefused && error.code === 'FILE_TOO_LARGE') return { path: null, size }
    if (!last) throw error
    return null
  }
}

const extensions: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'application/pdf': '.pdf',
}
