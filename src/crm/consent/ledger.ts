import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { emailsOf, phonesOf, readPhone, withdrawEntries, writeColumns } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { type ConsentState, maxEntries } from './contract.ts'
import {
  type ConsentChannel,
  consentChannels,
  type ConsentSource,
  entriesFor,
  expiryOf,
  isWithdrawn,
  liveBasis,
  type WithdrawalSource,
} from './rules.ts'
import { consents } from './table.ts'

/** Matches addresses whose owner unsubscribed or reported an email as spam. */
export const isOptedOut = or(isNotNull(suppressedAddresses.unsubscribedAt), eq(suppressedAddresses.reason, 'complaint'))

/** All consent entries of these patients, including ended ones. */
const allEntries = (db: Db, contactIds: readonly string[]) =>
  db
    .select()
    .from(consents)
    .where(inArray(consents.contactId, [...contactIds]))

/**
 * Whether a patient withdrew from a channel and has not given express consent to it since. With several records: whether any withdrew and
 * none has consent given since.
 */
export const hasWithdrawn = async (
  db: Db,
  { now }: Pick<Scope, 'now'>,
  contactIds: readonly string[],
  channel: ConsentChannel,
): Promise<boolean> => isWithdrawn(entriesFor(await allEntries(db, contactIds), channel), now())

/** The patient's consent and its history. Null: the patient does not exist. */
export async function getConsentState(db: Db, scope: Scope, contactId: string): Promise<ConsentState | null> {
  const [addresses, phones] = await Promise.all([emailsOf(db, contactId), phonesOf(db, contactId)])
  if (!addresses || !phones) return null
  const isTheirs = eq(consents.contactId, contactId)
  const entries = await db.select().from(consents).where(isTheirs).orderBy(desc(consents.givenAt), desc(consents.id)).limit(maxEntries)
  const suppressed = await db
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(and(inArray(suppressedAddresses.address, addresses.map(addressKey)), isOptedOut))
  const unsubscribed = suppressed.map(({ address }) => address)
  const all = await allEntries(db, [contactId])
  return {
    live: liveBasis(entriesFor(all, 'email'), scope.now()),
    text: { live: liveBasis(entriesFor(all, 'text'), scope.now()), ...(await stoppedAmong(db, phones)) },
    entries,
    unsubscribed: addresses.filter((address) => unsubscribed.includes(addressKey(address))),
  }
}

/** The phones among these that answered STOP, as stored: those that get no texts now, and those that get no commercial ones. */
async function stoppedAmong(db: Db, phones: readonly string[]): Promise<{ stopped: string[]; unsubscribed: string[] }> {
  const rows = await db
    .select()
    .from(suppressedAddresses)
    .where(inArray(suppressedAddresses.address, numbersOf(phones)))
  const among = (found: typeof rows) => phones.filter((phone) => found.some(({ address }) => address === readPhone(phone)?.number))
  const stopped = rows.filter(({ reason }) => reason === 'stopped')
  return { stopped: among(stopped), unsubscribed: among(rows.filter(({ unsubscribedAt }) => unsubscribedAt !== null)) }
}

/** The phones that are complete numbers, in E.164. */
export const numbersOf = (phones: readonly string[]): string[] => phones.flatMap((phone) => readPhone(phone)?.number ?? [])

export async function lockContact(tx: Db, id: string) {
  const [row] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('update')
  return row ?? null
}

type Ending = {
  /** Which consent ends; all by default. */
  channels?: readonly ConsentChannel[]
  /** An entry to add to the timeline even if there was nothing left to end. */
  timelineText?: string | undefined
}

/** Ends a patient's consent to these channels on every basis. Returns false if the patient does not exist. */
export async function endConsent(
  tx: Db,
  scope: Scope,
  contactId: string,
  source: WithdrawalSource,
  { channels = consentChannels, timelineText }: Ending = {},
): Promise<boolean> {
  const contact = await lockContact(tx, contactId)
  if (!contact) return false
  const ended: ConsentChannel[] = []
  for (const channel of channels) {
    const count = await withdrawEntries(tx, scope, [contactId], source, { channels: [channel] })
    if (count > 0) {
      ended.push(channel)
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'consent',
        contactIds: [contactId],
        after: { channel, ended: count, source },
      })
    } else if (!(await hasWithdrawn(tx, scope, [contactId], channel))) {
      const now = scope.now()
      const by = scope.actor?.id ?? null
      const withdrawal = { withdrawnAt: now, withdrawnBy: by, withdrawalSource: source }
      await tx.insert(consents).values({ contactId, channel, basis: 'none', source: 'record', givenAt: now, givenBy: by, ...withdrawal })
    }
  }
  const isUnticked = channels.includes('email') && contact.consentToCommunicate
  if (isUnticked && !ended.includes('email')) ended.unshift('email')
  if (ended.length > 0 || timelineText) await addTimelineEntry(tx, scope, contactId, timelineText ?? `${consentTo(ended)} withdrawn`)
  if (isUnticked) await writeColumns(tx, scope, contact, { consentToCommunicate: false })
  else await publish(tx, 'contact', contactId)
  return true
}

const channelWords: Record<ConsentChannel, string> = { email: 'email', text: 'text messages' }

/** Consent in the words of the timeline. */
export const consentTo = (channels: readonly ConsentChannel[]): string =>
  `Consent to commercial ${channels.map((channel) => channelWords[channel]).join(' and ')}`

export const addTimelineEntry = (tx: Db, scope: Scope, contactId: string, description: string) =>
  addInteraction(tx, scope, { contactId, type: 'contact_updated', description })

/** The channels by which someone can be reached who gave this email and phone. A phone that receives no texts gives none. */
export function channelsGiven({ email, phone }: { email: string | null; phone: string | null }): ConsentChannel[] {
  const kind = phone === null ? undefined : readPhone(phone)?.kind
  return [...(email ? (['email'] as const) : []), ...(kind === 'mobile' || kind === 'either' ? (['text'] as const) : [])]
}

type Implied = {
  contactId: string
  channels: readonly ConsentChannel[]
  basis: 'inquiry' | 'purchase'
  source: ConsentSource
  givenAt: Date
  givenBy?: string | null
}

/**
 * Adds the time-limited consent implied by an inquiry or a purchase, in the caller's transaction. Does nothing for a channel from which the
 * patient has withdrawn: then only express consent allows commercial messages again.
 */
export async function addImpliedConsent(tx: Db, scope: Scope, implied: Implied): Promise<void> {
  const entries = await allEntries(tx, [implied.contactId])
  const channels = implied.channels.filter((channel) => !isWithdrawn(entriesFor(entries, channel), scope.now()))
  await addFirstConsents(tx, scope, [{ ...implied, channels }])
}

/** Adds implied consent of new patients, who have not withdrawn. */
export async function addFirstConsents(tx: Db, scope: Scope, implied: readonly Implied[]): Promise<void> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const rows = implied.flatMap(({ channels, givenBy = null, ...one }) =>
    channels.map((channel) => ({ ...one, channel, givenBy, expiresAt: expiryOf(one.basis, one.givenAt, zone) })),
  )
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into consents (contact_id, channel, basis, source, given_at, given_by, expires_at)
    select "contactId", channel, basis, source, "givenAt", "givenBy", "expiresAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as entry("contactId" uuid, channel text, basis text, source text, "givenAt" timestamptz, "givenBy" uuid, "expiresAt" timestamptz)`)
}

type Recipient = { contactId: string | null; channel: ConsentChannel; /** In E.164 if it is a phone number. */ address: string }

/** Whether a commercial message may be sent to this address or phone number of a patient now. An unknown recipient has no consent. */
export async function mayReceiveCommercial(
  tx: Db,
  { now }: Pick<Scope, 'now'>,
  { contactId, channel, address }: Recipient,
): Promise<boolean> {
  if (contactId === null) return false
  const [suppressed] = await tx
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.address, addressKey(address)))
  if (suppressed) return false
  return liveBasis(entriesFor(await allEntries(tx, [contactId]), channel), now()) !== null
}
