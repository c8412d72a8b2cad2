import { inArray } from 'drizzle-orm'
import type { Env } from '../../kernel/env.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type ConsentChannel, entriesFor, liveBasis } from '../../crm/consent/rules.ts'
import { consents } from '../../crm/consent/table.ts'
import { readPhone } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import { maySendCommercial } from './commercial.ts'
import { isInTextedCountry, textingOf } from './sms/texting.ts'

type Wanted = { channel: ConsentChannel; isCommercial: boolean }
/** An address or number in E.164, or why there is none. */
export type Chosen = { address: string } | RecipientRefusal
type RecipientRefusal = Refusal<'NOT_SET_UP' | 'NO_PATIENT' | 'NO_MOBILE_NUMBER' | 'NO_ADDRESS' | 'STOPPED' | 'BOUNCED' | 'NO_CONSENT'>

/**
 * The patients' best addresses or phone numbers for an automatic message, by patient: the first in the record that may get it, a mobile phone
 * before one that may be a landline. Phone numbers in E.164. Refuses each with a stable reason.
 */
export async function chooseRecipients(
  tx: Db,
  scope: Scope,
  contactIds: readonly string[],
  { channel, isCommercial }: Wanted,
): Promise<Map<string, Chosen>> {
  const all = (refusal: RecipientRefusal) => new Map(contactIds.map((id) => [id, refusal]))
  const isText = channel === 'text'
  if (isText ? !textingOf(scope.env) : !scope.env.POSTMARK_TOKEN) return all(refuse('NOT_SET_UP'))
  if (isCommercial && !maySendCommercial(scope.env)) return all(refuse('NOT_SET_UP'))
  const ids = [...new Set(contactIds)]
  const { id, email, otherEmails, phone, otherPhones } = contacts
  const patients = await tx.select({ id, email, otherEmails, phone, otherPhones }).from(contacts).where(inArray(contacts.id, ids))
  const addressesOf = new Map(
    patients.map((one) => {
      const listed = isText ? [one.phone, ...one.otherPhones] : [one.email, ...one.otherEmails]
      const given = listed.filter((address) => address !== null)
      return [one.id, isText ? textable(given, scope.env) : given.map(addressKey)]
    }),
  )
  const addresses = [...new Set([...addressesOf.values()].flat())]
  const [suppressed, entries] = await Promise.all([
    addresses.length > 0 ? tx.select().from(suppressedAddresses).where(inArray(suppressedAddresses.address, addresses)) : [],
    isCommercial ? tx.select().from(consents).where(inArray(consents.contactId, ids)) : [],
  ])
  const suppressions = new Map(suppressed.map((one) => [one.address, one]))
  const entriesOf = Map.groupBy(entriesFor(entries, channel), ({ contactId }) => contactId)
  return new Map(contactIds.map((contactId) => [contactId, choose(contactId)]))

  function choose(contactId: string): Chosen {
    const listed = addressesOf.get(contactId)
    if (!listed) return refuse('NO_PATIENT')
    if (listed.length === 0) return isText ? refuse('NO_MOBILE_NUMBER') : refuse('NO_ADDRESS')
    const open = listed.filter((address) => !suppressions.get(address)?.reason)
    if (open.length === 0 && !isText) return refuse('BOUNCED')
    if (open.length === 0) {
      const hasStopped = listed.some((address) => suppressions.get(address)?.reason === 'stopped')
      return hasStopped ? refuse('STOPPED') : refuse('NO_MOBILE_NUMBER')
    }
    if (!isCommercial) return { address: open[0]! }
    // Who unsubscribed an address gets no marketing there, whatever the consent.
    const address = open.find((one) => !suppressions.has(one))
    const hasConsent = liveBasis(entriesOf.get(contactId) ?? [], scope.now()) !== null
    return address !== undefined && hasConsent ? { address } : refuse('NO_CONSENT')
  }
}

/** The same for one patient. */
export const chooseRecipient = async (tx: Db, scope: Scope, { contactId, ...wanted }: Wanted & { contactId: string }) =>
  (await chooseRecipients(tx, scope, [contactId], wanted)).get(contactId)!

/** The numbers that may receive texts, those first that are certainly mobile. */
export const textable = (phones: readonly string[], env: Env): string[] => {
  const read = phones.flatMap((typed) => {
    const phone = readPhone(typed)
    return phone && isInTextedCountry(phone, env) ? [phone] : []
  })
  return ['mobile', 'either'].flatMap((kind) => read.filter((phone) => phone.kind === kind).map(({ number }) => number))
}
