import { beforeAll, describe, expect, it } from 'vitest'
import { newOwner, type Owner, usePost } from '../../../test/mailbox.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { healthOfAll } from './health-rules.ts'

describe('issue 9: a connected mailbox is tested by asking its provider', () => {
  const post = usePost()
  const withdraw = async (provider: 'nylas' | 'gmail', { email }: Owner) => {
    if (provider === 'gmail') return post.gmail.revoke(email)
    await post.nylas.setWebhook(undefined) // no one tells of it
    await post.nylas.expire(post.nylas.grants().find((grant) => grant.email === email)!.id)
  }

  it.each([
    ['nylas', 'Nylas'],
    ['gmail', 'Gmail'],
  ] as const)('%s: it works, is away, or its sign-in was withdrawn, each in words', async (provider, name) => {
    const owner = await newOwner(post, provider)
    const simulator = post[provider]
    const before = simulator.calls()
    expect(await owner.client.mailbox.test()).toEqual({ isOk: true, said: `It works: ${name} let Refyne see your email.`, advice: null })
    expect(simulator.calls()).not.toEqual(before)

    simulator.setOffline(true)
    const away = await owner.client.mailbox.test().finally(() => simulator.setOffline(false))
    expect([away.isOk, away.said]).toEqual([false, `${name} does not answer.`])
    expect((await owner.client.mailbox.connection()).state).toBe('connected')

    await withdraw(provider, owner)
    expect(await owner.client.mailbox.test()).toEqual({
      isOk: false,
      said: 'The sign-in was withdrawn, or is over.',
      advice: 'Connect your mailbox again under Email.',
    })
    expect((await owner.client.mailbox.connection()).state).toBe('reconnect')
    expect((await owner.client.mailbox.test()).said).toBe('The sign-in was withdrawn, or is over.')
  })

  it('an answer that no one can read, and too many calls, are said as well', async () => {
    const owner = await newOwner(post, 'gmail')
    post.gmail.fault({ kind: 'badJson' })
    expect((await owner.client.mailbox.test()).said).toBe('Gmail does not answer.')
    post.gmail.fault({ kind: 'status', status: 429 })
    expect(await owner.client.mailbox.test()).toMatchObject({ isOk: true, said: 'Gmail answers, and asks for fewer calls.' })
  })

  it('a few times a minute, each person by themselves; anyone who has connected none is told', async () => {
    const owner = await newOwner(post)
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

describe('issue 9: an administrator tests everyone’s mailboxes', () => {
  const post = usePost()
  let admin: Client
  beforeAll(async () => {
    admin = await post.server.as('admin')
  })

  it('each provider is asked; whose sign-in was withdrawn is named, and their owner told', async () => {
    const test = () => admin.connections.test({ system: 'mailboxes' })
    expect(await test()).toMatchObject({ isOk: true, said: 'No one has connected a mailbox yet.' })
    const [ana, bo] = [await newOwner(post), await newOwner(post, 'gmail')]
    await post.server.rows("update profiles set full_name = 'Ana Silva' where id = $1", [ana.account.id])
    await post.server.rows("update profiles set full_name = 'Bo Li' where id = $1", [bo.account.id])
    expect(await test()).toEqual({ isOk: true, said: 'All 2 mailboxes answer.', advice: null })
    post.gmail.revoke(bo.email)
    post.nylas.setOffline(true)
    const outcome = await test().finally(() => post.nylas.setOffline(false))
    expect(outcome).toEqual({
      isOk: false,
      said: 'Bo Li: the sign-in was withdrawn, or is over. Ana Silva: the provider does not answer.',
      advice: 'Each connects their mailbox again under Email. What does not answer is asked again by itself.',
    })
    expect((await bo.client.mailbox.connection()).state).toBe('reconnect')
  })
})

it('of many mailboxes that do not answer a few are named', () => {
  const away = ['A', 'B', 'C', 'D', 'E'].map((owner) => ({ owner, health: 'away' as const }))
  expect(healthOfAll([...away, { owner: 'F', health: 'works' }])).toEqual({
    isOk: false,
    said: 'A, B, C and 2 more: the provider does not answer.',
    advice: 'What does not answer is asked again by itself. 1 other mailbox answers.',
  })
})
