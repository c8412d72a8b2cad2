/** What Twilio posts to our hooks ("Incoming message", "Status callback" in its reference), limited to the fields used here. */
import { z } from 'zod'

const sid = z.string().regex(/^[A-Z]{2}[0-9a-f]{32}$/, 'must be a SID of Twilio')
const maxMedia = 10
const shortText = (value: unknown, length: number): string => (typeof value === 'string' ? value.slice(0, length) : '')
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The media's addresses and types are numbered: MediaUrl0, MediaContentType0. */
export const receivedText = z
  .looseObject({
    MessageSid: sid,
    From: z.string().regex(/^\S{1,40}$/, 'must be a phone number'),
    To: z.string().max(40),
    Body: z.string().max(10_000).default('').transform(clean),
    NumMedia: z.coerce.number().int().min(0).max(maxMedia).default(0),
    OptOutType: z.string().optional(),
  })
  .transform(({ MessageSid, From, To, Body, NumMedia, OptOutType, ...others }) => ({
    sid: MessageSid,
    from: clean(From),
    to: clean(To),
    body: Body,
    /** A messaging service with Advanced Opt-Out has answered STOP, START or HELP. */
    isAnsweredByTwilio: OptOutType !== undefined,
    media: Array.from({ length: NumMedia }, (_, at) => ({
      url: shortText(others[`MediaUrl${at}`], 1_000),
      contentType: shortText(others[`MediaContentType${at}`], 100) || 'application/octet-stream',
    })),
  }))
export type ReceivedText = z.output<typeof receivedText>

export const textReport = z
  .looseObject({
    message: z.uuid('must be the id of a message'),
    MessageSid: sid,
    MessageStatus: z.string().max(40),
    ErrorCode: z.coerce.number().int().optional(),
  })
  .transform(({ message, MessageSid, MessageStatus, ErrorCode }) => ({
    messageId: message,
    sid: MessageSid,
    status: MessageStatus,
    errorCode: ErrorCode || null,
  }))
export type TextReport = z.output<typeof textReport>

const missedStates = ['no-answer', 'busy', 'failed', 'canceled']

/**
 * A call to the practice's number, as Twilio reports it to a status callback or to the action of <Dial>, whose own outcome counts. A caller who
 * withholds the number has none.
 */
export const receivedCall = z
  .looseObject({
    CallSid: sid,
    From: z.string().max(100),
    To: z.string().max(100),
    CallStatus: z.string().max(40),
    DialCallStatus: z.string().max(40).optional(),
    Direction: z.string().max(40).default('inbound'),
  })
  .transform(({ CallSid, From, To, CallStatus, DialCallStatus, Direction }) => ({
    sid: CallSid,
    from: /^\+[1-9]\d{6,14}$/.test(From) ? From : null,
    to: clean(To),
    isMissed: Direction === 'inbound' && missedStates.includes(DialCallStatus ?? CallStatus),
  }))
export type ReceivedCall = z.output<typeof receivedCall>

/** What is wrong with a post, by its fields. */
export const fieldsOf = ({ issues }: z.ZodError): Record<string, string> =>
  Object.fromEntries(issues.slice(0, 100).map(({ path, message }) => [path.join('.') || 'body', message]))
