/** Postmark's inbound webhook payload, limited to the fields used here ("Inbound webhook" in its reference). */
import { z } from 'zod'

const person = z.object({ Email: z.string().max(320), Name: z.string().default(''), MailboxHash: z.string().default('') })

const attachment = z.object({
  Name: z.string().default(''),
  Content: z.string(),
  ContentType: z.string().default('application/octet-stream'),
  ContentLength: z.number().int().nonnegative().optional(),
  ContentID: z.string().nullish(),
})

export const inboundMail = z.object({
  MessageID: z.string().min(1).max(200),
  From: z.string().min(1).max(1_000),
  FromName: z.string().default(''),
  FromFull: person.optional(),
  To: z.string().default(''),
  ToFull: z.array(person).default([]),
  CcFull: z.array(person).default([]),
  OriginalRecipient: z.string().default(''),
  Subject: z.string().default(''),
  MailboxHash: z.string().max(200).default(''),
  Date: z.string().default(''),
  TextBody: z.string().default(''),
  HtmlBody: z.string().default(''),
  StrippedTextReply: z.string().default(''),
  Headers: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
  Attachments: z.array(attachment).default([]),
})
export type InboundMail = z.output<typeof inboundMail>

/** A reactivation is about no mail: then the id is null. */
const record = {
  RecordType: z.string(),
  MessageID: z
    .string()
    .nullish()
    .transform((id) => id ?? ''),
}

/** Bounces, complaints and unsubscribes; every other event is let pass. */
export const mailEvent = z.union([
  z.object({
    ...record,
    RecordType: z.literal('Bounce'),
    Type: z.string(),
    Email: z.string(),
    Description: z.string().default(''),
    Inactive: z.boolean().default(false),
  }),
  z.object({ ...record, RecordType: z.literal('SpamComplaint'), Email: z.string(), Description: z.string().default('') }),
  z.object({
    ...record,
    RecordType: z.literal('SubscriptionChange'),
    Recipient: z.string(),
    SuppressSending: z.boolean(),
    SuppressionReason: z.string().nullish(),
  }),
  z.object(record),
])
export type MailEvent = z.output<typeof mailEvent>

/** What is wrong with a body, by its fields. */
export const fieldsOf = ({ issues }: z.ZodError): Record<string, string> =>
  Object.fromEntries(issues.slice(0, 100).map(({ path, message }) => [path.join('.') || 'body', message]))
