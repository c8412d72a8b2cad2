import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { scanBytes, type Verdict } from '../integrations/clamd/client.ts'
import type { Db } from '../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../kernel/jobs.ts'
import type { Scope } from '../kernel/scope.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import { documentMessages } from './contract.ts'
import { publishChange, notifyPatient } from './notifications.ts'
import { documents } from './table.ts'

/** In milliseconds. After this, an unscanned document is queued again, because the scanner may have been unavailable for days. */
const rescanAfter = 60 * 60_000
const batchSize = 1000

/** Queues a malware scan of a document; no one can open it before that. */
export const enqueueScan = (tx: Db, id: string): Promise<void> => enqueue(tx, scanDocument, { id }, `scan document ${id}`)

/** Scans a document. While the scanner is unavailable, the document stays pending. */
export const scanDocument = defineJob({
  name: 'documents.scan',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }) {
    const [row] = await scope.db.select().from(documents).where(isPending(id))
    if (!row) return
    const { CLAMD_URL } = scope.env
    // The scanner is no longer configured.
    if (!CLAMD_URL) return applyVerdict(scope, id, 'off')
    const file = await scope.files.get(row.storageKey)
    if (!file) throw new Error('The bytes of a document are missing')
    await applyVerdict(scope, id, await scanBytes(CLAMD_URL, file.bytes))
  },
})

/** Hourly: queues documents again that were not scanned because the scanner did not respond. */
export const rescanPending = defineJob({
  name: 'documents.scan-left',
  payload: z.object({}),
  cron: '37 * * * *',
  async run({ db, now }) {
    const pending = await db
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.scanState, 'pending'), lt(documents.createdAt, new Date(now().getTime() - rescanAfter))))
      .limit(batchSize)
    for (const { id } of pending) await enqueueScan(db, id)
  },
})

const isPending = (id: string) => and(eq(documents.id, id), eq(documents.scanState, 'pending'))

/**
 * Stores the result. An infected patient upload is rejected and the patient is notified; an infected staff upload stays blocked until staff
 * delete it.
 */
async function applyVerdict(scope: Scope, id: string, verdict: Verdict | 'off'): Promise<void> {
  const isInfected = verdict !== 'off' && verdict.isInfected
  await scope.db.transaction(async (tx) => {
    const scanState = verdict === 'off' ? 'off' : isInfected ? 'infected' : 'clean'
    const [row] = await tx.update(documents).set({ scanState }).where(isPending(id)).returning()
    if (!row) return
    if (isInfected) {
      await addInteraction(tx, scope, {
        contactId: row.contactId,
        type: 'document',
        description: `The virus scanner found ${verdict.signature} in ${row.name}`,
        metadata: { documentId: id },
      })
      if (row.uploadSource === 'patient' && row.reviewState === 'pending' && !row.deletedAt) await rejectInfected(tx, scope, id)
    }
    await publishChange(tx, row)
  })
  if (isInfected) scope.log.warn({ documentId: id, signature: verdict.signature }, 'The virus scanner found a threat in a document')
}

async function rejectInfected(tx: Db, scope: Scope, id: string): Promise<void> {
  const [row] = await tx
    .update(documents)
    .set({
      reviewState: 'rejected',
      rejectReason: documentMessages.infected,
      reviewedAt: scope.now(),
      version: sql`${documents.version} + 1`,
    })
    .where(eq(documents.id, id))
    .returning()
  await notifyPatient(tx, scope, row!)
}
