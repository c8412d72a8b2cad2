import type { ConsentChannel } from '../../crm/consent/rules.ts'

/** What campaigns decide: pure, for the server and the screens. */

export const campaignStatuses = ['draft', 'scheduled', 'sending', 'paused', 'stopped', 'done'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** `waiting`: not yet written. `sent`: handed to the inbox, whose message has its state. */
export const recipientStates = ['waiting', 'sent', 'refused', 'stopped'] as const
export type RecipientState = (typeof recipientStates)[number]

export const variants = ['a', 'b'] as const
export type Variant = (typeof variants)[number]

/** Why a patient is not sent a campaign, in the order in which they are looked at. */
const refusals = {
  no_address: 'No email address',
  no_number: 'No number that receives texts',
  stopped: 'Answered STOP',
  bounced: 'Emails to the address bounce',
  complaint: 'Marked an email as spam',
  unsubscribed: 'Unsubscribed from commercial email',
  no_consent: 'No consent to commercial email',
  frequency: 'Had the most messages of a week',
  missing_value: 'A variable of the template has no value',
  same_address: 'Another patient has the same address',
  clinical: 'The text would contain a clinical word',
  too_long: 'The text would be longer than 1,600 characters',
  changed: 'Deleted, merged or changed since the start',
} as const
export type Refusal = keyof typeof refusals
/** What differs in a campaign by text. */
const textRefusals: Partial<Record<Refusal, string>> = {
  unsubscribed: 'Answered STOP before, without new consent',
  no_consent: 'No consent to marketing by text',
  same_address: 'Another patient has the same number',
}
export const describeRefusal = (reason: Refusal, channel: ConsentChannel): string =>
  (channel === 'text' && textRefusals[reason]) || refusals[reason]
export const refusalReasons = Object.keys(refusals) as [Refusal, ...Refusal[]]

/** The days after a message in which a booking or a receipt counts for it. */
export const attributionDays = 30
export const attributionRule = `A booking counts if the patient entered a won stage within ${attributionDays} days of the message. Revenue is what they paid in that time, before tax and less refunds. If a patient received several campaigns, only the last one before it counts.`

/** What decides between A and B. */
export const deciders = ['clicked', 'replied'] as const
export type Decider = (typeof deciders)[number]

/** The variant with the higher share of recipients who clicked or replied; A if both have the same. */
export function winnerOf(results: Record<Variant, { sent: number; acted: number }>): Variant {
  const share = ({ sent, acted }: { sent: number; acted: number }) => (sent === 0 ? 0 : acted / sent)
  return share(results.b) > share(results.a) ? 'b' : 'a'
}

/** A part of a message that spam filters or readers mistrust, and why. */
export interface SpamSign {
  found: string
  reason: string
}

const spamWords =
  /\b(?:100 ?% free|act now|apply now|best price|buy now|cash bonus|cheap|click here|double your|earn money|free gift|guaranteed?|limited time|lowest price|miracle|no obligation|order now|risk[- ]free|special promotion|urgent|weight loss|while supplies last|winner|you have been selected|100 ?% gratuit|achetez maintenant|agissez maintenant|cadeau gratuit|cliquez ici|dernière chance|garantie?|gratuit|meilleur prix|offre limitée|perte de poids|sans engagement|urgence)\b/giu

/** Longer texts are looked at up to here. */
const maxLooked = 100_000

/** Words and habits in subject and text that spam filters look for, each once. */
export function spamSigns(subject: string, text: string): SpamSign[] {
  const words = `${subject}\n${text.slice(0, maxLooked)}`.match(spamWords) ?? []
  const found = new Map(words.map((word) => [word.toLowerCase(), { found: word, reason: 'A word that spam filters look for' }]))
  const letters = subject.replace(/\P{L}/gu, '')
  const capitals = letters.replace(/\P{Lu}/gu, '')
  if (letters.length >= 8 && capitals.length > letters.length / 2)
    found.set('subject', { found: subject, reason: 'Mostly capitals in the subject' })
  if (/!.*!/su.test(subject)) found.set('marks', { found: subject, reason: 'Several exclamation marks in the subject' })
  return [...found.values()]
}

/** What is wrong with a link, or null. */
export function linkProblem(url: string): string | null {
  if (/^(?:mailto|tel):/i.test(url)) return null
  if (url.includes('{{')) return null
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'This is not an address of the web'
  if (parsed.protocol === 'http:') return 'Not encrypted: use https'
  if (/^(?:localhost|.*\.local|[\d.]+|\[.*\])$/i.test(parsed.hostname)) return 'Patients cannot open this address'
  return null
}

const bareUrls = /https?:\/\/[^\s<>"'”»{}]+[^\s<>"'”»{}.,;:!?)\]]/gi

/** The addresses in a text, each once. */
export const linksInText = (text: string): string[] => [...new Set(text.match(bareUrls))]

/** Segments an hour that a carrier takes from one number: one a second. Twilio drops texts that wait for longer than four hours. */
const segmentsPerHour = 3_600

/** The texts an hour that can leave: what the campaign allows, and what its number can send. */
export const textsPerHour = (perHour: number, { segments, isOneNumber }: { segments: number; isOneNumber: boolean }): number =>
  isOneNumber && segments > 0 ? Math.min(perHour, Math.floor(segmentsPerHour / segments)) : perHour
