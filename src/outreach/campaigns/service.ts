import { and, eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { checkCampaign } from './check.ts'
import { chosenTemplates, contentsOf } from './content.ts'
import { type Campaign, campaignMessages, type CampaignFields } from './contract.ts'
import { getCampaign } from './read.ts'
import type { CampaignStatus, Variant } from './rules.ts'
import { beginCampaign, sendCampaign } from './send.ts'
import { campaignRecipients, campaigns } from './table.ts'

export { previewResponse } from './preview.ts'
export { refusedExport } from './export.ts'
export { beginCampaign, sendCampaign } from './send.ts'

type Row = typeof campaigns.$inferSelect

export async function createCampaign(scope: Scope, fields: CampaignFields) {
  return scope.db.transaction(async (tx) => {
    const problems = await templateProblems(tx, fields)
    if (problems) return invalidReference(problems)
    const at = scope.now()
    const [row] = await tx
      .insert(campaigns)
      .values({ ...fields, createdBy: staff(scope).id, createdAt: at, updatedAt: at })
      .returning()
    await changed(tx, scope, 'created', undefined, row)
    return (await getCampaign({ now: scope.now, db: tx }, row!.id))!
  })
}

/** Changes a draft. Null: the campaign does not exist. */
export const updateCampaign = (scope: Scope, { id, version, ...fields }: CampaignFields & { id: string; version: number }) =>
  withCampaign(scope, id, async (tx, before) => {
    if (before.status !== 'draft') return refuse('NOT_DRAFT')
    if (before.version !== version) return refuse('CHANGED_MEANWHILE')
    const problems = await templateProblems(tx, fields)
    if (problems) return invalidReference(problems)
    return write(tx, scope, before, fields)
  })

type Templates = Pick<CampaignFields, 'channel' | 'templateId' | 'templateBId'>

async function templateProblems(tx: Db, { channel, templateId, templateBId }: Templates) {
  const problems: Record<string, string> = {}
  for (const [field, id] of Object.entries({ templateId, templateBId })) {
    if (id === null) continue
    const found = await tx.$count(emailTemplates, and(eq(emailTemplates.id, id), eq(emailTemplates.channel, channel)))
    if (found === 0) problems[field] = campaignMessages.templateGone
  }
  return Object.keys(problems).length > 0 ? problems : null
}

/** Deletes a draft. Null: the campaign does not exist. */
export const deleteCampaign = (scope: Scope, id: string) =>
  withCampaign(scope, id, async (tx, before) => {
    if (before.status !== 'draft') return refuse('NOT_DRAFT')
    await tx.delete(campaigns).where(eq(campaigns.id, id))
    await changed(tx, scope, 'deleted', before, undefined)
    return true as const
  })

/**
 * Schedules a draft, for now unless a time is given. From here on it sends what its templates say at this moment; its patients are listed when it
 * begins. Null: the campaign does not exist.
 */
export async function startCampaign(scope: Scope, { id, version, at }: { id: string; version: number; at: Date | null }) {
  if (at !== null && at <= scope.now()) return invalidReference({ at: campaignMessages.past })
  const check = await checkCampaign(scope, id)
  if (check === null) return null
  return withCampaign(scope, id, async (tx, before) => {
    if (before.status !== 'draft') return refuse('NOT_DRAFT')
    if (before.version !== version) return refuse('CHANGED_MEANWHILE')
    if (check.problems.length > 0) return refuse('NOT_READY', { problems: check.problems })
    const contents = contentsOf(await chosenTemplates(tx, before))
    await enqueue(tx, beginCampaign, { id }, `campaign ${id}`, at ?? undefined)
    return write(tx, scope, before, { status: 'scheduled', startsAt: at ?? scope.now(), contents })
  })
}

/** No further message is written; those that are written already are sent. Null: the campaign does not exist. */
export const pauseCampaign = (scope: Scope, id: string) =>
  withCampaign(scope, id, async (tx, before) => {
    if (before.status !== 'sending') return refuse('WRONG_STATE')
    return write(tx, scope, before, { status: 'paused' })
  })

export const resumeCampaign = (scope: Scope, id: string) =>
  withCampaign(scope, id, async (tx, before) => {
    if (before.status !== 'paused') return refuse('WRONG_STATE')
    await enqueue(tx, sendCampaign, { id }, `campaign ${id}`)
    return write(tx, scope, before, { status: 'sending' })
  })

/** Stops a campaign permanently; a scheduled one becomes a draft again. Null: the campaign does not exist. */
export const stopCampaign = (scope: Scope, id: string) =>
  withCampaign(scope, id, async (tx, before) => {
    if (before.status === 'scheduled') return write(tx, scope, before, { status: 'draft', startsAt: null, contents: null })
    if (before.status !== 'sending' && before.status !== 'paused') return refuse('WRONG_STATE')
    await tx
      .update(campaignRecipients)
      .set({ state: 'stopped' })
      .where(and(eq(campaignRecipients.campaignId, id), eq(campaignRecipients.state, 'waiting')))
    return write(tx, scope, before, { status: 'stopped', finishedAt: scope.now() })
  })

/** Chooses the winner before its time. Null: the campaign does not exist. */
export const chooseWinner = (scope: Scope, id: string, variant: Variant) =>
  withCampaign(scope, id, async (tx, before) => {
    const isRunning = before.status === 'sending' || before.status === 'paused'
    if (!isRunning || before.testPercent === null || before.winner !== null) return refuse('WRONG_STATE')
    if (before.status === 'sending') await enqueue(tx, sendCampaign, { id }, `campaign ${id}`)
    return write(tx, scope, before, { winner: variant })
  })

/** Locks a campaign for a change. Null: not found. */
async function withCampaign<Result>(scope: Scope, id: string, work: (tx: Db, row: Row) => Promise<Result>): Promise<Result | null> {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
    return row ? work(tx, row) : null
  })
}

async function write(tx: Db, scope: Scope, before: Row, set: Partial<Row> & { status?: CampaignStatus }): Promise<Campaign> {
  const [row] = await tx
    .update(campaigns)
    .set({ ...set, version: before.version + 1, updatedAt: scope.now() })
    .where(eq(campaigns.id, before.id))
    .returning()
  await changed(tx, scope, 'changed', before, row)
  return (await getCampaign({ now: scope.now, db: tx }, before.id))!
}

async function changed(tx: Db, scope: Scope, action: 'created' | 'changed' | 'deleted', before: Row | undefined, after: Row | undefined) {
  const withoutContents = (row: Row | undefined) => (row ? { ...row, contents: undefined } : undefined)
  await recordChange(tx, scope, {
    action,
    kind: 'campaign',
    contactIds: [],
    before: withoutContents(before),
    after: withoutContents(after),
  })
  await publish(tx, 'campaign', (after ?? before)!.id)
}
