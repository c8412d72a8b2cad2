/** Messages in the format of Twilio's Messages resource, and the checks of POST /Messages.json. */
import { type ErrorCode, deliveryErrors } from './errors.ts'

export const statuses = ['accepted', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'received'] as const
export type Status = (typeof statuses)[number]

/** A picture or file of a message. */
export type Media = { sid: string; contentType: string; bytes: Buffer }

export type TextMessage = {
  sid: string
  from: string
  to: string
  body: string
  direction: 'inbound' | 'outbound-api'
  status: Status
  segments: number
  errorCode: number | null
  messagingServiceSid: string | null
  statusCallback: string | null
  createdAt: Date
  media: Media[]
}

/** Twilio's ids: two letters and 32 hexadecimal digits. */
export const newSid = (prefix: 'SM' | 'MM' | 'ME' | 'CA'): string => prefix + crypto.randomUUID().replaceAll('-', '')

/** The longest body that Twilio takes, in characters. */
const maxBody = 1_600
const e164 = /^\+[1-9]\d{6,14}$/

type Sending = { form: URLSearchParams; numbers: readonly string[]; services: readonly string[]; stopped: ReadonlySet<string> }

/** The message of a request to send, or the code with which it is refused. @param stopped numbers that answered STOP. */
export function readMessage({ form, numbers, services, stopped }: Sending): TextMessage | ErrorCode {
  const [to, from, service, body] = ['To', 'From', 'MessagingServiceSid', 'Body'].map((name) => form.get(name) ?? '')
  if (!to) return 21604
  if (!e164.test(to)) return 21211
  if (!from && !service) return 21603
  if (from && !numbers.includes(from)) return 21606
  if (service && !services.includes(service)) return 21606
  if (!body) return 21602
  if (body.length > maxBody) return 21617
  if (stopped.has(to)) return 21610
  return {
    sid: newSid('SM'),
    from: from || numbers[0]!,
    to,
    body,
    direction: 'outbound-api',
    status: service ? 'accepted' : 'queued',
    segments: segmentsOf(body),
    errorCode: null,
    messagingServiceSid: service || null,
    statusCallback: form.get('StatusCallback'),
    createdAt: new Date(),
    media: [],
  }
}

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '^{}\\[~]|€\f'

/** How many parts a text is sent in: 160 characters of GSM 03.38 in one, 153 in each of several; 70 and 67 in UCS-2. */
export function segmentsOf(body: string): number {
  const characters = [...body]
  if (!characters.every((character) => basic.includes(character) || extension.includes(character))) {
    return body.length <= 70 ? 1 : Math.ceil(body.length / 67)
  }
  const septets = characters.reduce((sum, character) => sum + (extension.includes(character) ? 2 : 1), 0)
  return septets <= 160 ? 1 : Math.ceil(septets / 153)
}

/** As Twilio returns it. The price is known once it was sent. */
export function resourceOf(accountSid: string, message: TextMessage): Record<string, unknown> {
  const { sid, from, to, body, status, segments, errorCode, direction, createdAt, media, messagingServiceSid } = message
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`
  const isSent = ['sent', 'delivered'].includes(status)
  const date = createdAt.toUTCString().replace('GMT', '+0000')
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body,
    date_created: date,
    date_sent: isSent ? date : null,
    date_updated: date,
    direction,
    error_code: errorCode,
    error_message: errorCode === null ? null : (deliveryErrors[errorCode] ?? 'Unknown error'),
    from,
    messaging_service_sid: messagingServiceSid,
    num_media: String(media.length),
    num_segments: String(segments),
    price: isSent ? (-0.0079 * segments).toFixed(5) : null,
    price_unit: 'USD',
    sid,
    status,
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  }
}
