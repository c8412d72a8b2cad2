import { beforeAll, describe, expect, it } from 'vitest'
import { createMailboxOwner, type Owner, useMailboxes } from '../../../test/messages/mailbox.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { healthOfAll } from './health-rules.ts'

describe('testing one’s own mailbox (spec 9)', () => {
  const post = useMailboxes()
  const withdraw = async (provider: 'nylas' | 'gmail', { email }: Owner) => {
    if (provider === 'gmail') return post.gmail.revoke(email)
    await post.nylas.setWebhook(undefined) // no notification
    await post.nylas.expire(post.nylas.grants().find((grant) => grant.email === email)!.id)
  }

  it.each([
    ['nylas', 'Nylas'],
    ['gmail', 'Gmail'],
  ] as const)('%s: reports that it works, is unavailable, or was disconnected at the provider', async (provider, name) => {
    const owner = await createMailboxOwner(post, provider)
    const simulator = post[provider]
    const before = simulator.calls()
    expect(await owner.client.mailbox.test()).toEqual({
      isOk: true,
      message: `Connected: ${name} gives Refyne access to your email.`,
      advice: null,
    })
    expect(simulator.calls()).not.toEqual(before)

    simulator.setOffline(true)
    const away = await owner.client.mailbox.test().finally(() => simulator.setOffline(false))
    expect([away.isOk, away.message]).toEqual([false, `${name} does not answer.`])
    expect((await owner.client.mailbox.connection()).state).toBe('connected')

    await withdraw(provider, owner)
    expect(await owner.client.mailbox.test()).toEqual({
      isOk: false,
      message: 'The sign-in was revoked or has expired.',
      advice: 'Connect your mailbox again under Email.',
    })
    expect((await owner.client.mailbox.connection()).state).toBe('reconnect')
    expect((await owner.client.mailbox.test()).message).toBe('The sign-in was revoked or has expired.')
  })

  it('reports an unreadable reply and rate limiting', async () => {
    const owner = await createMailboxOwner(post, 'gmail')
    post.gmail.fault({ kind: 'badJson' })
    expect((await owner.client.mailbox.test()).message).toBe('Gmail does not answer.')
    post.gmail.fault({ kind: 'status', status: 429 })
    expect(await owner.client.mailbox.test()).toMatchObject({ isOk: true, message: 'Gmail is limiting requests.' })
  })

  it('limits tests per minute and person, and tells a user without a mailbox that none is connected', async () => {
    const owner = await createMailboxOwner(post)
    const answers: string[] = []
    for (let times = 0; times < 7; times++) {
      answers.push(
        await owner.client.mailbox.test().then(
          () => 'asked',
          (error: { code: string }) => error.code,
        ),
      )
    }
    expect(answers).toEqual([...Array(6).fill('asked'), 'TOO_MANY_REQUESTS'])
    const other = post.server.client((await post.server.account()).cookie)
    expect((await refusal(other.mailbox.test())).code).toBe('NOT_CONNECTED')
  })
})

describe('an administrator’s test of all mailboxes (spec 9)', () => {
  const post = useMailboxes()
  let admin: Client
  beforeAll(async () => {
    admin = await post.server.as('admin')
  })

  it('tests each provider, names mailboxes whose access was revoked, and notifies their owners', async () => {
    const test = () => admin.connections.test({ system: 'mailboxes' })
    expect(await test()).toMatchObject({ isOk: true, message: 'No one has connected a mailbox yet.' })
    const [ana, bo] = [await createMailboxOwner(post), await createMailboxOwner(post, 'gmail')]
    await post.server.rows("update profiles set full_name = 'Ana Silva' where id = $1", [ana.account.id])
    await post.server.rows("update profiles set full_name = 'Bo Li' where id = $1", [bo.account.id])
    expect(await test()).toEqual({ isOk: true, message: 'All 2 mailboxes answer.', advice: null })
    post.gmail.revoke(bo.email)
    post.nylas.setOffline(true)
    const outcome = await test().finally(() => post.nylas.setOffline(false))
    expect(outcome).toEqual({
      isOk: false,
      message: 'Bo Li: the sign-in was revoked or has expired. Ana Silva: the provider does not answer.',
      advice: 'Each owner reconnects their mailbox under Email. Mailboxes that do not answer are retried automatically.',
    })
    expect((await bo.client.mailbox.connection()).state).toBe('reconnect')
  })
})

it('names only a few of many mailboxes that do not answer', () => {
  const away = ['A', 'B', 'C', 'D', 'E'].map((owner) => ({ owner, health: 'away' as const }))
  expect(healthOfAll([...away, { owner: 'F', health: 'works' }])).toEqual({
    isOk: false,
    message: 'A, B, C and 2 more: the provider does not answer.',
    advice: 'Mailboxes that do not answer are retried automatically. 1 other mailbox answers.',
  })
})
