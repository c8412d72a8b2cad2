import { centsToText } from '../../shared/money.ts'
import { asSentence } from '../../shared/sentence.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { cardName } from '../../shared/cards.ts'
import { formatDevice } from '../../shared/devices.ts'
import { formatClockTime, formatLongDay } from '../../shared/translations.ts'

/** Stripe's statuses of a dispute. A `warning` is an inquiry of the bank, before money is taken. */
export const disputeStatuses = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** Those that wait for evidence. */
export const openStatuses = ['needs_response', 'warning_needs_response'] as const satisfies readonly DisputeStatus[]

export const needsEvidence = ({ status }: { status: string }): boolean => (openStatuses as readonly string[]).includes(status)

/** In characters. Stripe takes 150,000 in all texts together. */
export const maxStatement = 20_000

/** What the practice can show the bank. It holds no procedures, notes, forms or photos, and no words of messages (docs/decisions/cards.md). */
export interface Evidence {
  patient: { name: string; email: string | null }
  payment: {
    amountCents: number
    paidAt: Date
    /** Whether the card was held to a reader. */
    isInPerson: boolean
    card: { brand: string; last4: string } | null
    /** Where the patient started the payment: network address and browser. */
    address: string | null
    device: string | null
    startedAt: Date
  }
  /** What the patient agreed to: the exact wording, when, and from where. */
  acceptances: { title: string; text: string; acceptedAt: Date; address: string | null; device: string | null }[]
  receipt: { number: string | null; totalCents: number; completedAt: Date | null } | null
  /** When the visit began that the payment is for. */
  serviceAt: Date | null
  /** Visits, surgeries among them, without their kind, oldest first. */
  visits: { startsAt: Date; status: string }[]
  /** Emails, texts and calls without their words, oldest first. Null: a call, of which no one recorded who called. */
  contacts: { at: Date; channel: string; isFromPatient: boolean | null }[]
  /** Signed consent forms. Name null: the reader may only see the day; all null: not that there are any. */
  consents: { name: string | null; signedAt: Date }[] | null
}

interface Setting {
  practiceName: string
  timeZone: string
}

/** 'October 28, 2026, 8:00 a.m.' */
const when = (at: Date, { timeZone }: Setting): string =>
  `${formatLongDay(toLocal(at, timeZone).day, 'en')}, ${formatClockTime(at, 'en', timeZone)}`

/** ', from Safari on iPhone at the network address 198.51.100.7'; nothing without an address. */
function fromPlace({ address, device }: { address: string | null; device: string | null }): string {
  if (address === null) return ''
  return device === null ? `, from the network address ${address}` : `, from ${formatDevice(device)} at the network address ${address}`
}

const contactWords: Record<string, string> = { email: 'an email', sms: 'a text message', portal: 'a portal message', call: 'a call' }

/** 'Eastern Time'. */
const zoneName = ({ timeZone }: Setting): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, timeZoneName: 'longGeneric' }).formatToParts().find(({ type }) => type === 'timeZoneName')
    ?.value ?? timeZone

/** Statuses of visits to which the patient came. */
export const attendedStatuses = ['arrived', 'completed'] as const

/** ' from the patient', or nothing for a call. */
export const contactDirection = (isFromPatient: boolean | null): string =>
  isFromPatient === null ? '' : ` ${isFromPatient ? 'from' : 'to'} the patient`

const visitOutcomes: Record<string, string> = {
  arrived: 'attended',
  completed: 'attended',
  no_show: 'missed',
  cancelled: 'cancelled',
  booked: 'booked',
  confirmed: 'confirmed by the patient',
}

/**
 * The statement to the bank as it is proposed. Staff may change every word. It names no procedure, and consent forms by their dates only, because their names are
 * mostly those of procedures. Days and times are in the practice's time zone, which it names.
 */
export function proposeStatement({ payment, acceptances, receipt, visits, contacts, consents }: Evidence, setting: Setting): string {
  const at = (date: Date) => when(date, setting)
  const card = payment.card && ` with a ${cardName(payment.card)}`
  const paragraphs = [
    `${asSentence(`The cardholder paid $${centsToText(payment.amountCents)} to ${setting.practiceName}${card ?? ''} on ${at(payment.paidAt)}${payment.isInPerson ? ', at a reader in the practice' : ''}`)} All times are in ${zoneName(setting)}.`,
    payment.address && asSentence(`The payment was started on ${at(payment.startedAt)}${fromPlace(payment)}`),
    ...acceptances.map(
      ({ text, acceptedAt, ...place }) => `The cardholder accepted this on ${at(acceptedAt)}${fromPlace(place)}: “${text}”`,
    ),
    receipt?.completedAt &&
      asSentence(`Receipt ${receipt.number ?? ''} for $${centsToText(receipt.totalCents)} was issued on ${at(receipt.completedAt)}`),
    visits.length > 0 &&
      `The patient’s visits: ${visits.map(({ startsAt, status }) => `${at(startsAt)} (${visitOutcomes[status] ?? status})`).join('; ')}.`,
    consents &&
      consents.length > 0 &&
      asSentence(`The patient signed consent forms on ${consents.map(({ signedAt }) => at(signedAt)).join('; ')}`),
    contacts.length > 0 &&
      asSentence(
        `Contacts with the patient: ${contacts
          .map(({ at: on, channel, isFromPatient }) => `${contactWords[channel] ?? channel}${contactDirection(isFromPatient)} on ${at(on)}`)
          .join('; ')}`,
      ),
  ]
  return paragraphs.filter(Boolean).join('\n\n').slice(0, maxStatement)
}

/** What is submitted, by Stripe's names: the statement, and the facts that have a field of their own. */
export function evidenceFields(
  { patient, payment, acceptances, serviceAt }: Evidence,
  statement: string,
  setting: Setting,
): Record<string, string> {
  const log = [
    { acceptedAt: payment.startedAt, address: payment.address, device: payment.device, title: 'Payment started' },
    ...acceptances,
  ]
    .filter(({ address }) => address !== null)
    .map(({ acceptedAt, address, device, title }) => `${acceptedAt.toISOString()} ${address} ${device ?? ''} ${title}`)
  const fields: Record<string, string | null | undefined> = {
    customer_name: patient.name,
    customer_email_address: patient.email,
    customer_purchase_ip: payment.address,
    product_description: `Services of ${setting.practiceName}`,
    service_date: serviceAt && toLocal(serviceAt, setting.timeZone).day,
    cancellation_policy_disclosure: acceptances.map(({ text, acceptedAt }) => `${acceptedAt.toISOString()}: ${text}`).join('\n'),
    access_activity_log: log.join('\n'),
    uncategorized_text: statement,
  }
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])))
}

/** What staff do about evidence that Stripe refused, then Stripe's own words. */
export const whatToDoAfterRefusal = (words: string): string =>
  `Open the dispute in Stripe’s dashboard to see why.${words === '' ? '' : ` Stripe says: ${words}`}`
