/**
 * Delivery events of sent emails in the format of Postmark's hooks (webhooks: "Delivery", "Bounce", "Spam complaint", "Subscription
 * change").
 */
import { z } from 'zod'
import type { AcceptedMail } from './outbox.ts'

const common = {
  /** The address concerned; defaults to the first recipient of the email. */
  email: z.string().min(3).optional(),
  /** The email concerned; defaults to the latest one to `email`. */
  messageId: z.string().optional(),
  details: z.string().optional(),
}

export const eventRequest = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.enum(['Delivery', 'HardBounce', 'SoftBounce', 'Transient', 'AutoResponder', 'Unsubscribe', 'SpamComplaint']),
      ...common,
    }),
    z.strictObject({
      type: z.literal('SubscriptionChange'),
      ...common,
      /** False to reactivate the address. */
      suppressSending: z.boolean().default(true),
      origin: z.enum(['Recipient', 'Customer', 'Admin']).default('Recipient'),
    }),
  ])
  .refine(({ email, messageId }) => email !== undefined || messageId !== undefined, 'Set email, messageId or both.')
export type MailEvent = z.input<typeof eventRequest>

/** Postmark's codes, names and descriptions of bounces. */
const kinds = {
  HardBounce: {
    TypeCode: 1,
    Name: 'Hard bounce',
    Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
    Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
  },
  SoftBounce: {
    TypeCode: 4096,
    Name: 'Soft bounce',
    Description: 'Unable to temporarily deliver message (i.e. mailbox full, account disabled, exceeds quota, out of disk space).',
    Details: 'smtp;452 4.2.2 The email account that you tried to reach is over quota.',
  },
  Transient: {
    TypeCode: 2,
    Name: 'Message delayed',
    Description: 'The server could not temporarily deliver your message (ex: Message is delayed due to network troubles).',
    Details: 'smtp;421 4.4.2 Connection dropped',
  },
  AutoResponder: {
    TypeCode: 64,
    Name: 'Auto responder',
    Description: 'Automatic email responder (ex: "Out of Office" or "On Vacation").',
    Details: 'I am out of the office.',
  },
  Unsubscribe: { TypeCode: 16, Name: 'Unsubscribe request', Description: 'Unsubscribe or Remove request.', Details: 'Please remove me.' },
  SpamComplaint: { TypeCode: 512, Name: 'Spam complaint', Description: '', Details: 'Abuse report' },
}

const serverId = 123456
let lastId = 4_323_372_036_854_775

type Outcome = {
  /** In posting order. */
  payloads: Record<string, unknown>[]
  /** Whether the address becomes inactive (true) or active (false); undefined for no change. */
  suppressed: boolean | undefined
}

/** @param mail the email concerned, if it is in the outbox. */
export function eventPayloads(event: z.output<typeof eventRequest>, email: string, mail: AcceptedMail | undefined, now: Date): Outcome {
  const at = now.toISOString()
  const of = {
    MessageID: event.messageId ?? mail?.MessageID ?? '00000000-0000-0000-0000-000000000000',
    ServerID: serverId,
    MessageStream: mail?.MessageStream ?? 'outbound',
    Tag: typeof mail?.['Tag'] === 'string' ? mail['Tag'] : '',
    Metadata: mail?.['Metadata'] ?? {},
  }
  const change = (reason: 'HardBounce' | 'SpamComplaint' | 'ManualSuppression' | null, origin: string, isManual: boolean) => ({
    RecordType: 'SubscriptionChange',
    ...of,
    // Reactivations and manual suppressions have no email.
    MessageID: isManual ? null : of.MessageID,
    ...(reason === null && { Tag: null, Metadata: {} }),
    ChangedAt: at,
    Recipient: email,
    Origin: origin,
    SuppressSending: reason !== null,
    SuppressionReason: reason,
  })

  if (event.type === 'Delivery') {
    const details = event.details ?? 'smtp;250 2.0.0 OK'
    return { payloads: [{ RecordType: 'Delivery', ...of, Recipient: email, DeliveredAt: at, Details: details }], suppressed: undefined }
  }
  if (event.type === 'SubscriptionChange') {
    const reason = event.suppressSending ? 'ManualSuppression' : null
    return { payloads: [change(reason, event.origin, reason === null || event.origin !== 'Recipient')], suppressed: event.suppressSending }
  }

  const kind = kinds[event.type]
  const suppression = event.type === 'HardBounce' || event.type === 'SpamComplaint' ? event.type : null
  const bounce = {
    RecordType: event.type === 'SpamComplaint' ? 'SpamComplaint' : 'Bounce',
    ID: ++lastId,
    Type: event.type,
    ...kind,
    Details: event.details ?? kind.Details,
    ...of,
    Email: email,
    From: mail?.From ?? 'sender@example.com',
    BouncedAt: at,
    DumpAvailable: true,
    Inactive: suppression !== null,
    CanActivate: event.type !== 'SpamComplaint',
    Subject: mail?.Subject ?? '',
  }
  if (!suppression) return { payloads: [bounce], suppressed: undefined }
  return { payloads: [bounce, change(suppression, 'Recipient', false)], suppressed: true }
}
