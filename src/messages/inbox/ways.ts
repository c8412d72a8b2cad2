import { sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { emailsOf, patientsWithPhone, type Phone, phonesOf, readPhone } from '../../crm/contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressionOf } from '../../platform/mail/service.ts'
import type { Channel, WayProblem } from './rules.ts'
import { isInTextedCountry, textingOf } from './sms/texting.ts'
import type { PhoneProblem } from './text-rules.ts'
import { partyOf } from './threads.ts'

type Party = { id: string; firstName: string; lastName: string }

/** An address on a channel by which staff can reach the other side of a conversation, or why they cannot. */
export type Way = {
  channel: Channel
  /** As staff send to it: an email address, or a phone number as it is in the record; E.164 if it is in no record. */
  address: string
  /** The thread that an answer continues, with its subject. Null: the first message begins one. */
  threadId: string | null
  subject: string | null
  /** In the portal, why the patient gets no email about an answer. */
  problem: WayProblem | null
  /** Whether the patient's record has this address. */
  isInRecord: boolean
  /** Other patients with the phone number. */
  sharedWith: Party[]
}

/** Why a phone cannot be texted. Null: it can. */
export function problemOfPhone(phone: Phone | null, env: Env): Exclude<PhoneProblem, 'stopped'> | null {
  if (!phone) return 'incomplete'
  if (phone.kind === 'landline' || phone.kind === 'other') return phone.kind
  return isInTextedCountry(phone, env) ? null : 'country'
}

type Used = { id: string; channel: Channel; address: string; subject: string }

/** The ways of a conversation: first those by which the other side wrote last, then those that only the record has. */
export async function waysOf(
  db: Db,
  env: Env,
  { contactId, address: sender }: { contactId: string | null; address: string },
): Promise<Way[]> {
  const [used, emails, phones] = await Promise.all([
    usedWays(db, contactId ?? `from ${sender}`),
    contactId ? emailsOf(db, contactId) : null,
    contactId ? phonesOf(db, contactId) : null,
  ])
  const known = {
    email: new Map((emails ?? []).map((address) => [addressKey(address), address])),
    sms: new Map((phones ?? []).map((typed) => [readPhone(typed)?.number ?? typed, typed])),
  }
  const isUsed = (channel: Channel, address: string) => used.some((way) => way.channel === channel && way.address === address)
  const fromRecord = (['email', 'sms'] as const).flatMap((channel) =>
    [...known[channel].keys()]
      .filter((address) => !isUsed(channel, address))
      .map((address) => ({ channel, address, id: null, subject: null })),
  )
  return Promise.all(
    [...used, ...fromRecord].map(async ({ channel, address, id, subject }): Promise<Way> => {
      const owners = channel === 'sms' ? await patientsWithPhone(db, address) : []
      const typed = channel === 'portal' ? address : known[channel].get(address)
      return {
        channel,
        address: typed ?? address,
        threadId: id,
        subject,
        problem: await problemOf(db, env, channel, address),
        isInRecord: typed !== undefined,
        sharedWith: owners.filter((owner) => owner.id !== contactId),
      }
    }),
  )
}

/** The newest thread of each channel and address: rather one in which the other side has written. */
async function usedWays(db: Db, party: string): Promise<Used[]> {
  const { rows } = await db.execute<Used>(sql`
    select id, channel, address, subject from (
      select distinct on (channel, address) id, channel, address, subject, heard.at as heard_at, last_message_at
      from conversations cross join lateral (
        select max(created_at) as at from messages where conversation_id = conversations.id and direction = 'inbound') as heard
      where ${partyOf()} = ${party}
      order by channel, address, heard.at desc nulls last, last_message_at desc, id desc) as ways
    order by heard_at desc nulls last, last_message_at desc, id desc`)
  return rows
}

async function problemOf(db: Db, env: Env, channel: Channel, address: string): Promise<WayProblem | null> {
  if (channel === 'sms') {
    if (!textingOf(env)) return 'not-set-up'
    const problem = problemOfPhone(readPhone(address), env)
    if (problem) return problem
  }
  return suppressionOf(db, address)
}
