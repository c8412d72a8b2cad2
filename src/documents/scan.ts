import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { scanBytes, type Verdict } from '../integrations/clamd/client.ts'
import type { Db } from '../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../kernel/jobs.ts'
import type { Scope } from '../kernel/scope.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import { documentMessages } from './contract.ts'
import { announce, notifyPatient } from './news.ts'
import { documents } from './table.ts'

/** In milliseconds. After this, a document that no one has looked at is given to the scanner again: it may have been away for days. */
const leftFor = 60 * 60_000
const batch = 1000

/** Has a document looked at for malware; until then no one can open it. */
export const enqueueScan = (tx: Db, id: string): Promise<void> => enqueue(tx, scanDocument, { id }, `scan document ${id}`)

/** Asks the scanner what a document is. While the scanner is away the document waits. */
export const scanDocument = defineJob({
  name: 'documents.scan',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }) {
    const [row] = await scope.db.select().from(documents).where(waiting(id))
    if (!row) return
    const { CLAMD_URL } = scope.env
    // The clinic has given the scanner up in the meantime.
    if (!CLAMD_URL) return settle(scope, id, 'off')
    const file = await scope.files.get(row.storageKey)
    if (!file) throw new Error('The bytes of a document are missing')
    await settle(scope, id, await scanBytes(CLAMD_URL, file.bytes))
  },
})

/** Once an hour: what was left because the scanner did not answer. */
export const scanLeft = defineJob({
  name: 'documents.scan-left',
  payload: z.object({}),
  cron: '37 * * * *',
  async run({ db, now }) {
    const left = await db
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.scanState, 'pending'), lt(documents.createdAt, new Date(now().getTime() - leftFor))))
      .limit(batch)
    for (const { id } of left) await enqueueScan(db, id)
  },
})

const waiting = (id: string) => and(eq(documents.id, id), eq(documents.scanState, 'pending'))

/** What a patient has sent is refused when it is infected, and they are told; what the clinic has added stays, shut away, for staff to delete. */
async function settle(scope: Scope, id: string, verdict: Verdict | 'off'): Promise<void> {
  const isInfected = verdict !== 'off' && verdict.isInfected
  await scope.db.transaction(async (tx) => {
    const scanState = verdict === 'off' ? 'off' : isInfected ? 'infected' : 'clean'
    const [row] = await tx.update(documents).set({ scanState }).where(waiting(id)).returning()
    if (!row) return
    if (isInfected) {
      await addInteraction(tx, scope, {
        contactId: row.contactId,
        type: 'document',
        description: `The virus scanner has found ${verdict.signature} in ${row.name}`,
        metadata: { documentId: id },
      })
      if (row.uploadSource === 'patient' && row.reviewState === 'pending' && !row.deletedAt) await refuse(tx, scope, id)
    }
    await announce(tx, row)
  })
  if (isInfected) scope.log.warn({ documentId: id, signature: verdict.signature }, 'The virus scanner has found something in a document')
}

async function refuse(tx: Db, scope: Scope, id: string): Promise<void> {
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
