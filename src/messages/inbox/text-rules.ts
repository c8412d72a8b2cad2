import type { MessageStatus } from './rules.ts'

/** The subject of a conversation by text message, as staff see it. */
export const textSubject = 'Text messages'
/** In characters, the longest text message that Twilio takes. */
export const maxTextLength = 1_600
export const noConsentToTexts = 'This patient has not consented to marketing by text message. Record their consent first.'
export const tooLongText = 'A text message has 1,600 characters at most'

/** A commercial text with the line that ends it. */
export const withEnd = (text: string, end: string): string => `${text.trimEnd()}\n${end}`

/** Words that say whether a number gets texts, without accents and in capitals, with their language where it is not English. */
const words: Record<string, { meaning: 'stop' | 'start' | 'help'; language?: 'fr' }> = {
  STOP: { meaning: 'stop' },
  STOPALL: { meaning: 'stop' },
  UNSUBSCRIBE: { meaning: 'stop' },
  CANCEL: { meaning: 'stop' },
  END: { meaning: 'stop' },
  QUIT: { meaning: 'stop' },
  OPTOUT: { meaning: 'stop' },
  REVOKE: { meaning: 'stop' },
  STOPSTOP: { meaning: 'stop' },
  ARRET: { meaning: 'stop', language: 'fr' },
  ARRETEZ: { meaning: 'stop', language: 'fr' },
  DESABONNER: { meaning: 'stop', language: 'fr' },
  DESABONNEMENT: { meaning: 'stop', language: 'fr' },
  START: { meaning: 'start' },
  UNSTOP: { meaning: 'start' },
  YES: { meaning: 'start' },
  OUI: { meaning: 'start', language: 'fr' },
  HELP: { meaning: 'help' },
  INFO: { meaning: 'help' },
  AIDE: { meaning: 'help', language: 'fr' },
}
/** Answers to a question, unless the number has stopped texts before. */
const answers = ['YES', 'OUI']
export type Word = (typeof words)[string]

/** In characters, the longest text that may be one of the words, with spaces and punctuation. */
const maxWordText = 100

/** What a text means if it is exactly one of the words, in any case, with or without accents, spaces and punctuation. */
export function wordOf(text: string, { isStopped }: { isStopped: boolean }): Word | null {
  if (text.length > maxWordText) return null
  const word = text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toUpperCase()
  if (answers.includes(word) && !isStopped) return null
  return Object.hasOwn(words, word) ? words[word]! : null
}

/** The characters of GSM 03.38, and those that take two places. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extension = new Set('^{}\\[~]|€\f')

/** What one message holds alone, and as one of several, in septets (GSM-7) or UTF-16 code units (UCS-2). */
const capacities = { 'GSM-7': { alone: 160, part: 153 }, 'UCS-2': { alone: 70, part: 67 } } as const
export type Encoding = keyof typeof capacities
export type TextSize = {
  encoding: Encoding
  /** Places taken in all segments: what does not fit into the rest of a segment begins the next one. */
  units: number
  /** 0 for an empty text. */
  segments: number
  /** Places left in the last segment. */
  left: number
}

/** Typographic characters, and what stands for them in GSM-7. */
const plainCharacters: Record<string, string> = {
  '\u00a0': ' ',
  '\u202f': ' ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
}

/** Our own words without typographic characters, of which one would shorten each segment to 70 characters. */
export const plainText = (text: string): string => text.replace(/[\u00a0\u202f‘’“”–—…]/g, (character) => plainCharacters[character]!)

/** How a carrier splits a text: each segment is charged. A character of two places is never split. */
export function sizeOfText(text: string): TextSize {
  const characters = [...text]
  const isGsm = characters.every((character) => basic.has(character) || extension.has(character))
  const encoding: Encoding = isGsm ? 'GSM-7' : 'UCS-2'
  const widthOf = (character: string) => (isGsm ? (extension.has(character) ? 2 : 1) : character.length)
  const { alone, part } = capacities[encoding]
  const total = characters.reduce((sum, character) => sum + widthOf(character), 0)
  if (total <= alone) return { encoding, units: total, segments: total === 0 ? 0 : 1, left: alone - total }
  let [segments, used, units] = [1, 0, 0]
  for (const character of characters) {
    const width = widthOf(character)
    if (used + width > part) {
      units += part - used
      segments += 1
      used = 0
    }
    used += width
    units += width
  }
  return { encoding, units, segments, left: part - used }
}

/** How far a text has come. A state is never replaced by an earlier one, so that callbacks may arrive in any order. */
const progress: Record<MessageStatus, number> = {
  queued: 0,
  sending: 1,
  uncertain: 1,
  sent: 2,
  failed: 3,
  bounced: 3,
  delivered: 4,
  received: 5,
}

/** The state after a report: the one that has come further. */
export const laterStatus = (current: MessageStatus, reported: MessageStatus): MessageStatus =>
  progress[reported] > progress[current] ? reported : current

/** What a state of Twilio means here. Null: it says nothing. */
export function statusOf(twilio: string): Extract<MessageStatus, 'sent' | 'delivered' | 'failed'> | null {
  if (['accepted', 'scheduled', 'queued', 'sending', 'sent'].includes(twilio)) return 'sent'
  if (twilio === 'delivered' || twilio === 'read') return 'delivered'
  return ['undelivered', 'failed', 'canceled'].includes(twilio) ? 'failed' : null
}

/** Why a carrier did not deliver a text, by Twilio's code. */
const reasons: Record<number, string> = {
  30003: 'The phone is off or out of reach.',
  30004: 'The carrier or the owner of the phone blocks it.',
  30005: 'The number does not exist.',
  30006: 'The number is a landline, or its carrier takes no texts.',
  30007: 'The carrier filtered it as unwanted.',
  21610: 'The number has answered STOP.',
}

/** Why a text was not delivered, in a sentence. */
export const reasonOf = (code: number | null): string =>
  (code !== null && reasons[code]) || `The carrier did not deliver it${code === null ? '' : ` (Twilio’s code ${code})`}.`

/** Why a phone of a patient cannot be texted. */
export const phoneProblems = {
  incomplete: 'This is not a complete phone number.',
  landline: 'This number is a landline, or its carrier takes no texts.',
  other: 'This number receives no text messages.',
  country: 'The practice sends no text messages to numbers of this country.',
  stopped: 'This number answered STOP. Its owner can send START to allow text messages again.',
} as const
export type PhoneProblem = keyof typeof phoneProblems
