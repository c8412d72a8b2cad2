import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { textedPatient, untilStatus, useTexts } from '../../../test/messages/texts.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sendScheduled } from './scheduled.ts'

const inAnHour = () => new Date(Date.now() + 3600_000).toISOString()

describe('a scheduled message', () => {
  const texts = useTexts()
  const run = (id: string) =>
    sendScheduled.run(
      { ...(texts.server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'test', address: null } },
      { id },
      { last: false },
    )
  const makeDue = (id: string) =>
    texts.server.rows(`update scheduled_messages set send_at = now() - interval '1 second' where id = $1`, [id])
  const queued = (id: string) =>
    texts.server.rows<{ run_at: Date }>(`select run_at from graphile_worker.jobs where key = 'scheduled ' || $1`, [id])

  /** A patient who has been texted once, and a text to them in an hour. */
  async function scheduled(given: object = {}) {
    const { number, contactId, client, send } = await textedPatient(texts.server, { email: `${randomUUID()}@fastmail.example` })
    const first = await send('First')
    await untilStatus(client, first, 'delivered')
    const content = { contactId, channel: 'sms' as const, address: number, text: 'See you at 10.', sendAt: inAnHour(), ...given }
    const { id } = await client.inbox.schedule({ ...content, idempotencyKey: randomUUID() })
    const conversation = () => client.inbox.conversation({ id: first.id })
    const sentTexts = () =>
      texts.twilio.messages.filter(({ to, direction }) => to === number && direction === 'outbound-api').map(({ body }) => body)
    return { number, contactId, client, id, content, conversation, sentTexts }
  }

  it('waits for its time, and is sent once in its author’s name, however often its job runs (issue 28)', async () => {
    const { client, id, content, conversation, sentTexts } = await scheduled()
    expect((await conversation()).scheduled).toMatchObject([{ id, text: 'See you at 10.', sendAt: content.sendAt, problem: null }])
    expect((await queued(id)).map(({ run_at }) => run_at.toISOString())).toEqual([content.sendAt])
    await run(id)
    expect(sentTexts()).toEqual(['First'])
    await makeDue(id)
    await Promise.all([run(id), run(id), run(id)])
    await run(id)
    const { messages, scheduled: left } = await conversation()
    expect(left).toEqual([])
    expect(messages.map(({ body }) => body)).toEqual(['First', 'See you at 10.'])
    const me = (await client.people.list()).find(({ role }) => role === 'sales_rep')!.id
    expect(messages[1]!.createdBy).toBe(me)
    await untilStatus(client, { id: messages[1]!.conversationId, messageId: messages[1]!.id }, 'delivered')
    expect(sentTexts()).toEqual(['First', 'See you at 10.'])
  })

  it('is held by STOP at once, and stays so after START (issue 28)', async () => {
    const { number, id, conversation, sentTexts } = await scheduled()
    await texts.twilio.receive({ from: number, body: 'ARRÊT', optOutType: 'STOP' })
    expect((await conversation()).scheduled).toMatchObject([{ problem: expect.stringMatching(/^This number answered STOP/) as string }])
    await texts.twilio.receive({ from: number, body: 'START', optOutType: 'START' })
    await makeDue(id)
    await run(id)
    expect(sentTexts()).toEqual(['First'])
  })

  it('keeps no STOP waiting while it is being sent, and is refused then (issue 28)', async () => {
    const { number, id, conversation } = await scheduled()
    const { db } = texts.server.running.runtime as unknown as Scope
    await db.transaction(async (tx) => {
      await tx.execute(sql`select from scheduled_messages where id = ${id} for update`)
      expect((await texts.twilio.receive({ from: number, body: 'STOP' })).status).toBe(200)
    })
    await makeDue(id)
    await run(id)
    expect((await conversation()).scheduled).toMatchObject([{ problem: expect.stringMatching(/^This number answered STOP/) as string }])
  })

  it('is not sent after STOP, says so, and is sent at its new time once the patient allows texts again (issue 28)', async () => {
    const { number, client, id, conversation, sentTexts } = await scheduled()
    await texts.twilio.receive({ from: number, body: 'STOP', optOutType: 'STOP' })
    await makeDue(id)
    await run(id)
    expect((await conversation()).scheduled).toMatchObject([{ problem: expect.stringMatching(/^This number answered STOP/) as string }])
    expect(await refusal(client.inbox.sendScheduled({ id }))).toMatchObject({ status: 409, code: 'STOPPED' })
    await run(id)
    expect(sentTexts()).toEqual(['First'])
    await texts.twilio.receive({ from: number, body: 'START', optOutType: 'START' })
    await client.inbox.changeScheduled({ id, text: 'See you at 11.', sendAt: inAnHour() })
    expect((await conversation()).scheduled).toMatchObject([{ problem: null, text: 'See you at 11.' }])
    await makeDue(id)
    await run(id)
    expect((await conversation()).messages.at(-1)).toMatchObject({ body: 'See you at 11.' })
  })

  it('can be cancelled or sent at once, and its job then does nothing (issue 28)', async () => {
    const { client, id, content, conversation } = await scheduled()
    await client.inbox.cancelScheduled({ id })
    await run(id)
    expect(await refusal(client.inbox.cancelScheduled({ id }))).toMatchObject({
      status: 404,
      message: 'This message was sent or cancelled',
    })
    const { id: other } = await client.inbox.schedule({ ...content, idempotencyKey: randomUUID() })
    const [sent, again] = await Promise.allSettled([client.inbox.sendScheduled({ id: other }), client.inbox.sendScheduled({ id: other })])
    expect([sent.status, again.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    await run(other)
    expect((await conversation()).messages).toHaveLength(2)
  })

  it('continues its thread of emails, or begins one with its subject (issue 28)', async () => {
    const { client, contactId, conversation } = await scheduled()
    const { email } = await client.contacts.get({ id: contactId })
    const mail = { contactId, channel: 'email' as const, address: email!, text: 'Here it is.', sendAt: inAnHour() }
    const { id: first } = await client.inbox.schedule({ ...mail, subject: 'Your quote', idempotencyKey: randomUUID() })
    const begun = await client.inbox.sendScheduled({ id: first })
    const { id: second } = await client.inbox.schedule({ ...mail, threadId: begun.id, idempotencyKey: randomUUID() })
    expect((await client.inbox.sendScheduled({ id: second })).id).toBe(begun.id)
    const { messages } = await conversation()
    expect(messages.slice(1).map(({ subject }) => subject)).toEqual(['Your quote', 'Re: Your quote'])
    const { id: marketing } = await client.inbox.schedule({ ...mail, threadId: begun.id, isCommercial: true, idempotencyKey: randomUUID() })
    await makeDue(marketing)
    await run(marketing)
    expect((await conversation()).scheduled).toContainEqual(
      expect.objectContaining({ id: marketing, problem: expect.any(String) as string }),
    )
    expect((await conversation()).messages).toHaveLength(3)
  })

  it.each([{ status: 'disabled' }, { role: 'provider' }])('is not sent once its author is %o (issue 28)', async (change) => {
    const { contactId, content, conversation } = await scheduled()
    const account = await texts.server.account({ role: 'sales_rep' })
    const id = randomUUID()
    await texts.server.rows(
      `insert into scheduled_messages (id, contact_id, channel, address, text, send_at, created_by, created_at) values ($1, $2, 'sms', $3, 'Hello', now(), $4, now())`,
      [id, contactId, content.address, account.id],
    )
    await texts.server.rows('update profiles set status = coalesce($2, status), role = coalesce($3, role) where id = $1', [
      account.id,
      change.status ?? null,
      change.role ?? null,
    ])
    await run(id)
    expect((await conversation()).scheduled).toContainEqual(
      expect.objectContaining({ id, problem: 'Its author may no longer write to patients.' }),
    )
  })

  it('is refused in the past, far away, too long for a text and for no patient, and stored once per key (issue 28)', async () => {
    const { client, content, conversation } = await scheduled()
    const schedule = (given: object) => client.inbox.schedule({ ...content, idempotencyKey: randomUUID(), ...given })
    for (const sendAt of [new Date(Date.now() - 1_000).toISOString(), '2199-01-15T15:00:00Z'])
      expect(await refusal(schedule({ sendAt }))).toMatchObject({
        status: 422,
        data: { fields: { sendAt: 'Choose a time within a year' } },
      })
    expect(await refusal(schedule({ text: 'a'.repeat(1_601) }))).toMatchObject({ data: { fields: { text: expect.any(String) as string } } })
    expect(await refusal(schedule({ contactId: randomUUID() }))).toMatchObject({ status: 404 })
    const idempotencyKey = randomUUID()
    const [one, same] = await Promise.all([schedule({ idempotencyKey }), schedule({ idempotencyKey })])
    expect(one).toEqual(same)
    expect(await refusal(schedule({ idempotencyKey, text: 'Other' }))).toMatchObject({ code: 'KEY_REUSED' })
    expect((await conversation()).scheduled).toHaveLength(2)
  })
})
