import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory, liveBasis } from '../../crm/consent/rules.ts'
import { consents } from '../../crm/consent/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { readPhone } from '../../crm/contacts/service.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { textingOf } from '../../messages/inbox/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import type { MessageStep } from './walk-rules.ts'

/** Why a message of a sequence cannot reach a patient. */
export const reachRefusals = [
  'no-email',
  'no-mobile',
  'bounced',
  'complaint',
  'unsubscribed',
  'stopped',
  'no-consent',
  'no-texting',
  'no-template',
] as const
export type ReachRefusal = (typeof reachRefusals)[number]

/**
 * Why the message of a step cannot reach these patients now; patients whom it reaches are left out. For many patients at once, before a sequence
 * starts; each message is checked again when it is sent.
 */
export async function refusedFor(
  tx: Db,
  scope: Scope,
  step: MessageStep,
  contactIds: readonly string[],
): Promise<Map<string, ReachRefusal>> {
  const all = (reason: ReachRefusal) => new Map(contactIds.map((id) => [id, reason]))
  if (contactIds.length === 0) return new Map()
  const [template] = await tx
    .select({ category: emailTemplates.category })
    .from(emailTemplates)
    .where(sql`${emailTemplates.id} = ${step.templateId}`)
  if (!template) return all('no-template')
  if (step.kind === 'text' && !textingOf(scope.env)) return all('no-texting')
  const ids = [...contactIds]
  const { id, email, phone, otherPhones } = contacts
  const patients = await tx.select({ id, email, phone, otherPhones }).from(contacts).where(inArray(contacts.id, ids))
  const addressOf = new Map(patients.map((one) => [one.id, step.kind === 'email' ? one.email : mobileOf(one)]))
  const addresses = [...addressOf.values()].filter((address) => address !== null).map(addressKey)
  const [suppressed, given] = await Promise.all([
    addresses.length > 0 ? tx.select().from(suppressedAddresses).where(inArray(suppressedAddresses.address, addresses)) : [],
    isCommercialCategory(template.category) ? tx.select().from(consents).where(inArray(consents.contactId, ids)) : null,
  ])
  const suppressions = new Map(suppressed.map((one) => [one.address, one]))
  const consentsOf = given && Map.groupBy(given, ({ contactId }) => contactId)
  const refused = new Map<string, ReachRefusal>()
  for (const contactId of ids) {
    const reason = refusalOf(contactId)
    if (reason) refused.set(contactId, reason)
  }
  return refused

  function refusalOf(contactId: string): ReachRefusal | null {
    const address = addressOf.get(contactId) ?? null
    if (address === null) return step.kind === 'email' ? 'no-email' : 'no-mobile'
    const suppression = suppressions.get(addressKey(address))
    if (suppression?.reason === 'stopped') return 'stopped'
    if (suppression?.reason === 'bounce') return 'bounced'
    if (suppression?.reason === 'complaint') return 'complaint'
    if (!consentsOf) return null
    if (suppression?.unsubscribedAt) return 'unsubscribed'
    return liveBasis(consentsOf.get(contactId) ?? [], scope.now()) ? null : 'no-consent'
  }
}

/** The first number that may be a mobile phone. */
export function mobileOf({ phone, otherPhones }: { phone: string | null; otherPhones: readonly string[] }): string | null {
  for (const typed of [phone, ...otherPhones]) {
    const read = typed === null ? null : readPhone(typed)
    if (read && (read.kind === 'mobile' || read.kind === 'either')) return read.number
  }
  return null
}
