import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { openSigned, sign } from '../../kernel/seal.ts'
import { isUuid } from '../../shared/text.ts'
import { type Language, toLanguage } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { type Portion, remaining } from '../collections/rules.ts'
import { owedByContacts } from '../collections/service.ts'
import { ledgerEntries } from '../collections/table.ts'
import { quotes } from '../quotes/table.ts'
import { cardAccountOf, takesCards } from './account.ts'
import { endAutomatic, isAutomatic } from './automatic-consent.ts'
import type { PayLinkView } from './contract.ts'
import { refreshPayment } from './follow.ts'
import { cardLimits, type CardPurpose, dueNow, unsettledStatuses } from './rules.ts'
import { startCardPayment } from './start.ts'
import { cardPayments, isUnbooked } from './table.ts'
import { cardTexts } from './texts.ts'

/** What a link pays: all that a patient owes, by the patient's id, or an accepted quote, by its id. */
export type Payable = {
  kind: 'balance' | 'quote'
  id: string
  /** The patient followed it from the portal, where a code has proved who they are. */
  isFromPortal?: boolean
}

const purpose = 'payment link'

/** The path of a link to the payment page. Its token opens nothing but that page. */
export function payPath({ env, now }: Pick<Scope, 'env' | 'now'>, { kind, id, isFromPortal }: Payable, lifetimeMs: number): string {
  const parts = [kind, id, now().getTime() + lifetimeMs, ...(isFromPortal ? ['portal'] : [])]
  return `/pay/${sign(env, purpose, parts.join(' '))}`
}

/** Null: we did not sign it, or it has expired. */
function payableOf({ env, now }: Pick<Scope, 'env' | 'now'>, token: string): Payable | null {
  const [kind, id = '', expires, from] = openSigned(env, purpose, token)?.split(' ') ?? []
  if ((kind !== 'balance' && kind !== 'quote') || !isUuid(id) || Number(expires) <= now().getTime()) return null
  return { kind, id, isFromPortal: from === 'portal' }
}

/** What is owed by a link now, in cents, without what was paid by card and is not in the ledger yet. */
type Due = Payable & {
  contactId: string
  chargeId: string | null
  quoteNumber: number | null
  firstName: string
  language: Language | null
  lines: PayLinkView['lines']
  /** Due today or, if nothing is, next. */
  dueCents: number
  /** The day on which that is due, if it is a later one. */
  nextDueOn: string | null
  openCents: number
  /** Whether later instalments remain after what is due now. */
  hasInstalments: boolean
}

async function dueOf(scope: Scope, payable: Payable): Promise<Due | null> {
  const { db, env, now } = scope
  const quote = payable.kind === 'quote' ? await quoteOf(db, payable.id) : null
  if (payable.kind === 'quote' && !quote) return null
  const contactId = quote?.contactId ?? payable.id
  const chargeId = quote?.chargeId ?? null
  const [contact] = await db
    .select({ firstName: contacts.firstName, preferredName: contacts.preferredName, preferredLanguage: contacts.preferredLanguage })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  if (!contact) return null
  const all = (await owedByContacts(db, env, [contactId])).get(contactId)?.portions ?? []
  const ofLink = all.filter((portion) => chargeId === null || portion.chargeId === chargeId)
  const portions = remaining(ofLink, await unbookedCents(db, contactId)).toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const charges = await chargesOf(db, contactId)
  const openCents = portions.reduce((sum, portion) => sum + portion.openCents, 0)
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  const dueCents = dueNow(portions, today)
  const firstDue = portions[0]?.dueOn
  return {
    ...payable,
    contactId,
    chargeId,
    quoteNumber: quote?.number ?? null,
    firstName: contact.preferredName || contact.firstName,
    language: toLanguage(contact.preferredLanguage),
    lines: portions.map((portion) => lineOf(portion, charges.get(portion.chargeId)!, payable)),
    openCents,
    dueCents,
    nextDueOn: firstDue !== undefined && firstDue > today ? firstDue : null,
    hasInstalments: openCents > dueCents && portions.some(({ chargeId: id, dueOn }) => dueOn > today && charges.get(id)!.plan !== null),
  }
}

/** The patient's charges, by id, with the number of the quote that each is for. */
async function chargesOf(db: Db, contactId: string) {
  const { id, description, source, plan } = ledgerEntries
  const rows = await db
    .select({ id, description, source, plan, quoteNumber: quotes.number })
    .from(ledgerEntries)
    .leftJoin(quotes, eq(quotes.chargeId, ledgerEntries.id))
    .where(and(eq(ledgerEntries.contactId, contactId), eq(ledgerEntries.kind, 'charge')))
  return new Map(rows.map((row) => [row.id, row]))
}

type ChargeRow = Awaited<ReturnType<typeof chargesOf>> extends Map<string, infer Row> ? Row : never

function lineOf({ dueOn, openCents }: Portion, { source, description, plan, quoteNumber }: ChargeRow, { isFromPortal = false }: Payable) {
  const days = plan?.map((part) => part.dueOn).toSorted() ?? []
  return {
    quoteNumber,
    isFee: source === 'fee',
    // What staff wrote may name a procedure. A link in an email can be read by others.
    description: isFromPortal && source === 'staff' ? description : null,
    instalment: days.length > 1 ? { at: days.indexOf(dueOn) + 1, of: days.length } : null,
    dueOn,
    openCents,
  }
}

async function quoteOf(db: Db, id: string) {
  const { contactId, chargeId, number } = quotes
  const [quote] = await db
    .select({ contactId, chargeId, number })
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.status, 'accepted')))
  return quote ?? null
}

/** What a patient has paid by card that the ledger does not know yet, in cents. */
export async function unbookedCents(db: Db, contactId: string): Promise<number> {
  const [row] = await db
    .select({ cents: sql<number>`coalesce(sum(${cardPayments.amountCents}), 0)::float8` })
    .from(cardPayments)
    .where(and(eq(cardPayments.contactId, contactId), isUnbooked))
  return row?.cents ?? 0
}

/** What the page of a link shows. NOT_FOUND (null) for every link that does not work. */
export async function viewPayLink(scope: Scope, token: string) {
  const due = await openLink(scope, token)
  if (due === null || isRefusal(due)) return due
  return viewOf(scope, due)
}

async function openLink(scope: Scope, token: string) {
  if (!(await scope.attempts.consume('payLink', rateLimitKey(scope.origin.address)))) return refuse('TOO_MANY_REQUESTS')
  const payable = payableOf(scope, token)
  return payable && takesCards(scope.env) ? dueOf(scope, payable) : null
}

async function viewOf(scope: Scope, due: Due): Promise<PayLinkView> {
  const [last] = await scope.db
    .select({ status: cardPayments.status, amountCents: cardPayments.amountCents, failureCode: cardPayments.failureCode })
    .from(cardPayments)
    .where(and(eq(cardPayments.contactId, due.contactId), eq(cardPayments.purpose, due.kind), eq(cardPayments.referenceId, due.id)))
    .orderBy(desc(cardPayments.createdAt))
    .limit(1)
  await scope.recordView({ kind: 'ledger', contactIds: [due.contactId] })
  const { kind, isFromPortal = false, quoteNumber, firstName, language, lines, openCents, dueCents, nextDueOn, hasInstalments } = due
  const shown = { kind, isFromPortal, quoteNumber, firstName, language, lines, openCents, dueCents, nextDueOn, hasInstalments }
  return { ...shown, last: last ?? null, isAutomatic: await isAutomatic(scope.db, due.contactId) }
}

interface Started {
  token: string
  amountCents: number
  savesCard: boolean
  isAutomatic: boolean
  language: Language
  idempotencyKey: string
}

/** Starts a payment by a link. `TOO_MUCH`: more than is open now. See startCardPayment for the others. */
export async function payByLink(scope: Scope, { token, amountCents, savesCard, isAutomatic: agrees, language, idempotencyKey }: Started) {
  const due = await openLink(scope, token)
  if (due === null || isRefusal(due)) return due
  if (amountCents > due.openCents) return refuse('TOO_MUCH', { openCents: due.openCents })
  const t = cardTexts[language]
  const practice = scope.env.PRACTICE_NAME
  return startCardPayment(scope, {
    contactId: due.contactId,
    purpose: due.kind satisfies CardPurpose,
    referenceId: due.id,
    chargeId: due.chargeId,
    description: due.quoteNumber === null ? cardTexts.en('balance') : cardTexts.en('quote', { number: due.quoteNumber }),
    amountCents,
    consent: savesCard ? { text: t('consent', { practice }), language, automaticText: agrees ? t('automatic', { practice }) : null } : null,
    idempotencyKey,
  })
}

/** Ends the patient's automatic payments. Idempotent. */
export async function stopByLink(scope: Scope, token: string) {
  const due = await openLink(scope, token)
  if (due === null || isRefusal(due)) return due
  await scope.db.transaction((tx) => endAutomatic(tx, scope, due.contactId))
  return viewOf(scope, due)
}

/** What became of the link's payment: Stripe is asked if it is not settled. */
export async function checkPayLink(scope: Scope, token: string) {
  const due = await openLink(scope, token)
  if (due === null || isRefusal(due)) return due
  const [row] = await scope.db
    .select()
    .from(cardPayments)
    .where(
      and(eq(cardPayments.purpose, due.kind), eq(cardPayments.referenceId, due.id), inArray(cardPayments.status, [...unsettledStatuses])),
    )
  // An unavailable Stripe is asked again by the page, and by the job.
  if (row?.stripePaymentId && cardAccountOf(scope)) await refreshPayment(scope, row).catch(() => undefined)
  const after = await dueOf(scope, due)
  return after && viewOf(scope, after)
}

/** How long the links of the portal work, in milliseconds: as long as a session. */
export const portalLinkMs = 60 * 60_000

/** Whether a patient can pay this amount online, in cents. */
export const isPayable = (env: Scope['env'], cents: number): boolean => takesCards(env) && cents >= cardLimits.minCents
