import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { givingWay } from '../../kernel/give-way.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { namesLeftOut } from '../../messages/email-templates/rules.ts'
import { findClinicalWords, valuesOfContact } from '../../messages/email-templates/service.ts'
import { isCapped } from '../frequency.ts'
import { conversations, type messages } from '../../messages/inbox/table.ts'
import { chooseRecipient, dailyLimits, earliestSending, textPatient, writeToPatient } from '../../messages/inbox/service.ts'
import { audienceOf } from './audience.ts'
import { withRedirects } from '../click-rules.ts'
import { clickAddress } from '../clicks.ts'
import { hasGap, paceOf, rendered, renderedText, variablesOf } from './content.ts'
import { asAuthor } from './read.ts'
import { actedOn } from './results.ts'
import { type Refusal, type Variant, winnerOf } from './rules.ts'
import { campaignRecipients, campaigns } from './table.ts'

type Campaign = typeof campaigns.$inferSelect
type Recipient = typeof campaignRecipients.$inferSelect

const byId = z.object({ id: z.uuid() })
const minute = 60_000
/** Messages after which screens show the progress of a run. */
const announcedEach = 50

/** Lists the patients of a scheduled campaign in one statement, each with their variant or the reason why they are refused, and begins to send. */
export const beginCampaign = defineJob({
  name: 'campaigns.begin',
  payload: byId,
  async run(scope, { id }) {
    await scope.db.transaction(async (tx) => {
      const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
      if (campaign?.status !== 'scheduled') return
      const audience = await audienceOf(asAuthor(scope, campaign), campaign)
      await tx.execute(sql`
        insert into campaign_recipients (campaign_id, contact_id, key, address, language, variant, state, refusal)
        select ${id}::uuid, contact_id, ${id} || ':' || contact_id, address, language,
          case when refusal is null then ${variantSql(campaign)} end, case when refusal is null then 'waiting' else 'refused' end, refusal
        from (
          select *, row_number() over (partition by refusal is null order by md5(contact_id || ${id})) - 1 as place,
            count(*) filter (where refusal is null) over () as total
          from (${audience}) as audience
        ) as placed`)
      await tx.update(campaigns).set({ status: 'sending', startedAt: scope.now() }).where(eq(campaigns.id, id))
      await enqueue(tx, sendCampaign, { id }, `campaign ${id}`)
      await publish(tx, 'campaign', id)
    })
  },
})

/** In random order, the test share is sent A and B in turn; the others wait for the winner (null). */
const variantSql = ({ testPercent }: Pick<Campaign, 'testPercent'>) =>
  testPercent === null
    ? sql`'a'`
    : sql`case when place < ceil(total * ${testPercent}::int / 100.0) then case when place % 2 = 0 then 'a' else 'b' end end`

/**
 * Writes the next messages of a campaign, as many as its pace allows in a minute, and queues itself for the next minute. Each patient is one
 * transaction that locks their row, so a killed run leaves no patient with two messages or with none.
 */
export const sendCampaign = defineJob({
  name: 'campaigns.send',
  payload: byId,
  maxAttempts: 25,
  after: 'all',
  async run(scope, { id }) {
    const [campaign] = await scope.db.select().from(campaigns).where(eq(campaigns.id, id))
    if (campaign?.status !== 'sending') return
    for (const [index, recipientId] of (await nextRecipients(scope, campaign)).entries()) {
      if (!(await givingWay(() => sendOne(scope, campaign, recipientId)))) return
      if ((index + 1) % announcedEach === 0) await publish(scope.db, 'campaign', id)
    }
    await scope.db.transaction((tx) => goOn(tx, scope, id))
    await publish(scope.db, 'campaign', id)
  },
})

/** The next patients, as many as may be sent a message within a minute of the ones before. */
async function nextRecipients({ db, env, now }: Scope, { id, channel, perHour, contents }: Campaign): Promise<string[]> {
  const at = sql`${now().toISOString()}::timestamptz`
  const ofCampaign = eq(campaignRecipients.campaignId, id)
  const recent = await db.$count(campaignRecipients, and(ofCampaign, sql`${campaignRecipients.sentAt} > ${at} - interval '1 minute'`))
  const pace = channel === 'text' && contents ? paceOf(env, perHour, contents) : perHour
  const left = Math.ceil(pace / 60) - recent
  if (left <= 0) return []
  const rows = await db
    .select({ id: campaignRecipients.id })
    .from(campaignRecipients)
    .where(
      and(
        ofCampaign,
        eq(campaignRecipients.state, 'waiting'),
        isNotNull(campaignRecipients.variant),
        sql`(${campaignRecipients.notBefore} is null or ${campaignRecipients.notBefore} <= ${at})`,
      ),
    )
    .orderBy(asc(campaignRecipients.id))
    .limit(left)
  return rows.map((row) => row.id)
}

/** Writes the message of one patient, or records why there is none. False: the campaign is no longer being sent. */
const sendOne = (scope: Scope, { id }: Campaign, recipientId: string): Promise<boolean> =>
  scope.db.transaction(async (tx) => {
    // A pause waits for this message, and no message follows it.
    const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('share')
    if (campaign?.status !== 'sending') return false
    const [recipient] = await tx.select().from(campaignRecipients).where(eq(campaignRecipients.id, recipientId)).for('update')
    if (recipient?.state !== 'waiting' || recipient.variant === null) return true
    const written = await (campaign.channel === 'text' ? writeText : writeEmail)(tx, scope, campaign, recipient)
    const set =
      written instanceof Date
        ? { notBefore: written }
        : typeof written === 'string'
          ? { state: 'refused' as const, refusal: written }
          : { state: 'sent' as const, sentAt: scope.now(), ...written }
    await tx.update(campaignRecipients).set(set).where(eq(campaignRecipients.id, recipientId))
    return true
  })

/** A message that was written, the moment before which none may be, or why there is none. */
type Written = { messageId: string; clickToken: string | null } | Date | Refusal

async function writeEmail(
  tx: Db,
  scope: Scope,
  { name, contents }: Campaign,
  { id, contactId, address, language, variant }: Recipient,
): Promise<Written> {
  const [contact] = await tx.select({ email: contacts.email }).from(contacts).where(eq(contacts.id, contactId))
  const content = contents?.variants[variant!]?.[language]
  const values = await valuesOfContact(tx, scope.env, contactId, language)
  if (!contact?.email || !content || !values || addressKey(contact.email) !== address) return 'changed'
  if (await isCapped(tx, scope, contactId)) return 'frequency'
  if (hasGap(variablesOf(content), values)) return 'missing_value'
  const clickToken = randomBytes(16).toString('base64url')
  const { html, ...rest } = rendered(content, values)
  const sent = await writeToPatient(tx, scope, {
    contactId,
    address: contact.email,
    ...rest,
    html: withRedirects(html, contents.links, (link) => clickAddress(scope.env, clickToken, link)),
    isCommercial: true,
    documentIds: [],
    origin: { kind: 'campaign', name },
    idempotencyKey: id,
  })
  if (isRefusal(sent)) return refusalOf[sent.refusal] ?? 'changed'
  await putAway(tx, sent)
  return { messageId: sent.id, clickToken }
}

async function writeText(
  tx: Db,
  scope: Scope,
  { name, contents }: Campaign,
  { id, contactId, address, language, variant }: Recipient,
): Promise<Written> {
  const at = scope.now()
  const earliest = await earliestSending({ env: scope.env, db: tx }, { contactId, channel: 'text', at })
  if (earliest > at) return earliest
  const chosen = await chooseRecipient(tx, scope, { contactId, channel: 'text', isCommercial: true })
  if (isRefusal(chosen)) return refusalOf[chosen.refusal] ?? 'changed'
  const texted = { contactId, number: chosen.address }
  const next = (await dailyLimits(tx, scope, [texted]))(texted)
  if (next) return next
  const content = contents?.variants[variant!]?.[language]
  const values = await valuesOfContact(tx, scope.env, contactId, language)
  if (!content || !values || chosen.address !== address) return 'changed'
  if (await isCapped(tx, scope, contactId)) return 'frequency'
  if (hasGap(variablesOf(content), values)) return 'missing_value'
  // A procedure may have been added since the campaign was scheduled.
  if ((await findClinicalWords(tx, scope.env, renderedText(content.text, namesLeftOut(values)))).length > 0) return 'clinical'
  const sent = await textPatient(tx, scope, {
    contactId,
    number: address,
    text: renderedText(content.text, values),
    html: null,
    isCommercial: true,
    isFromTemplate: true,
    documentIds: [],
    origin: { kind: 'campaign', name },
    idempotencyKey: id,
  })
  if (isRefusal(sent)) return refusalOf[sent.refusal] ?? 'changed'
  await putAway(tx, sent)
  return { messageId: sent.id, clickToken: null }
}

const refusalOf: Partial<Record<string, Refusal>> = {
  NO_CONSENT: 'no_consent',
  SUPPRESSED: 'bounced',
  STOPPED: 'stopped',
  NO_MOBILE_NUMBER: 'no_number',
  LANDLINE: 'no_number',
  FOREIGN_NUMBER: 'no_number',
  TOO_LARGE: 'too_long',
}

/** A conversation that only has this message is archived until the patient answers: the inbox is for what people write. */
const putAway = (tx: Db, { id, conversationId }: Pick<typeof messages.$inferSelect, 'id' | 'conversationId'>) =>
  tx
    .update(conversations)
    .set({ status: 'archived' })
    .where(
      and(
        eq(conversations.id, conversationId),
        sql`not exists (select 1 from messages where conversation_id = ${conversationId} and id <> ${id})`,
      ),
    )

/** Queues the next run, decides an A/B test whose time has come, or ends the campaign. */
async function goOn(tx: Db, scope: Scope, id: string): Promise<void> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
  if (campaign?.status !== 'sending') return
  const waiting = await tx
    .select({
      isForWinner: sql<boolean>`${campaignRecipients.variant} is null`,
      /** In milliseconds, when the next patient may be sent it; 0: now. */
      next: sql<number>`(1000 * min(coalesce(extract(epoch from ${campaignRecipients.notBefore}), 0)))::float8`,
    })
    .from(campaignRecipients)
    .where(and(eq(campaignRecipients.campaignId, id), eq(campaignRecipients.state, 'waiting')))
    .groupBy(sql`1`)
  const again = (at: Date) => enqueue(tx, sendCampaign, { id }, `campaign ${id}`, at)
  const chosen = waiting.find(({ isForWinner }) => !isForWinner)
  if (chosen) return again(new Date(Math.max(scope.now().getTime() + minute, chosen.next)))
  if (waiting.length === 0) {
    await tx.update(campaigns).set({ status: 'done', finishedAt: scope.now() }).where(eq(campaigns.id, id))
    return
  }
  const decidesAt = await decisionAt(tx, campaign)
  if (campaign.winner === null && scope.now() < decidesAt) return again(decidesAt)
  const winner = campaign.winner ?? (await decide(tx, campaign))
  await tx.update(campaigns).set({ winner }).where(eq(campaigns.id, id))
  await tx
    .update(campaignRecipients)
    .set({ variant: winner })
    .where(and(eq(campaignRecipients.campaignId, id), eq(campaignRecipients.state, 'waiting')))
  await again(scope.now())
}

async function decisionAt(tx: Db, { id, decideAfterHours, startedAt }: Campaign): Promise<Date> {
  const [last] = await tx
    .select({ at: sql<string | null>`max(${campaignRecipients.sentAt})` })
    .from(campaignRecipients)
    .where(eq(campaignRecipients.campaignId, id))
  return new Date((last?.at ? new Date(last.at) : startedAt!).getTime() + decideAfterHours * 60 * minute)
}

async function decide(tx: Db, { id, decideBy }: Campaign): Promise<Variant> {
  const { rows } = await tx.execute<{ variant: Variant; sent: number; acted: number }>(actedOn(id, decideBy))
  const of = (variant: Variant) => rows.find((row) => row.variant === variant) ?? { sent: 0, acted: 0 }
  return winnerOf({ a: of('a'), b: of('b') })
}
