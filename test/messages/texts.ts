import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { startTwilioSimulator, type TwilioSimulator } from '../../simulators/twilio/server.ts'
import { insertContact } from '../factories.ts'
import { type Client, startTestServer, type TestServer } from '../server.ts'
import { until } from '../until.ts'
import type { Db } from '../../src/kernel/postgres/database.ts'
import type { Scope } from '../../src/kernel/scope.ts'
import { sendTemplates } from '../../src/messages/inbox/send-template.ts'

/** The practice's address as patients and Twilio know it: posts reach the server as through its proxy. */
export const practiceUrl = 'https://clinic.example'

const textSettings = (twilio: TwilioSimulator) => ({
  APP_URL: practiceUrl,
  PRACTICE_NAME: 'Harbourview',
  PRACTICE_PHONE: '(905) 555-0118',
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_NUMBER: twilio.number,
  TWILIO_URL: twilio.url,
})

export const hooksOf = (server: Pick<TestServer, 'url'>) => ({ inbound: `${practiceUrl}/api/hooks/twilio/inbound`, via: server.url })

/** A server that sends text messages through the simulator, for the tests of a file. */
export function useTexts(
  settings: Record<string, string> = {},
  options: { now?: () => Date } = {},
): { server: TestServer; twilio: TwilioSimulator } {
  const holder = {} as { server: TestServer; twilio: TwilioSimulator }
  beforeAll(async () => {
    holder.twilio = await startTwilioSimulator()
    holder.server = await startTestServer(inject('postgres'), { ...textSettings(holder.twilio), ...settings }, options)
    holder.twilio.setHooks(hooksOf(holder.server))
  }, 60_000)
  afterAll(async () => {
    await holder.server.stop()
    await holder.twilio.stop()
  })
  return holder
}

type OfTemplate = Parameters<typeof sendTemplates>[2]
type ToPatient = Pick<Parameters<typeof sendTemplates>[3][number], 'contactId' | 'idempotencyKey'>
/** `sendTemplates` to one patient. */
export const sendTemplate = async (tx: Db, scope: Scope, { contactId, idempotencyKey, ...template }: OfTemplate & ToPatient) =>
  (await sendTemplates(tx, scope, template, [{ contactId, idempotencyKey }])).get(contactId)!

let numbers = 1_000
/** A number that no other test uses. */
export const newNumber = (): string => `+1416555${numbers++}`

/** A patient with a phone, and staff who text them. */
export async function textedPatient(server: TestServer, contact: Parameters<typeof insertContact>[1] = {}) {
  const number = newNumber()
  const contactId = await insertContact(server, { phone: number, ...contact })
  const client = await server.as('sales_rep')
  const send = (text = 'See you tomorrow at 10.', idempotencyKey = randomUUID()) =>
    client.inbox.text({ contactId, phone: number, text, idempotencyKey })
  return { number, contactId, client, send }
}

/** Waits until a message has a state. */
export const untilStatus = (client: Client, sent: { id: string; messageId: string }, status: string) =>
  until(async () => {
    const { messages } = await client.inbox.conversation({ id: sent.id })
    const message = messages.find(({ id }) => id === sent.messageId)
    return message?.status === status && message
  })
