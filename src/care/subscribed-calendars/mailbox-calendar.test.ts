import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeFrom } from '../../../demo/messages/mailboxes.ts'
import { createMailboxOwner, type Owner, useMailboxes } from '../../../test/messages/mailbox.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { beginningOf, dayAt, instantOf } from '../../shared/zoned-time.ts'

const zone = 'America/Toronto'

describe('the calendar of a connected mailbox (issue 29)', () => {
  const post = useMailboxes({ PRACTICE_TIME_ZONE: zone })
  let admin: Client
  let provider: Owner
  let day: string
  beforeAll(async () => {
    admin = await post.server.as('admin')
    provider = await createMailboxOwner(post)
    await post.server.rows("update profiles set role = 'provider' where id = $1", [provider.account.id])
  })
  const openings = async () => {
    const from = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    const { days } = await admin.appointments.openings({ from, days: 14, minutes: 30, providerId: provider.account.id })
    return days
  }
  const timesOf = async () => (await openings()).find((one) => one.day === day)!.times
  const at = (time: string) => instantOf({ day, time }, zone)
  /** Busy from ten to half past eleven. */
  const morning = () => [{ from: at('10:00'), to: at('11:30') }]
  const duringMorning = (times: string[]) => times.filter((time) => time > '09:30' && time < '11:30')
  const ownRow = async () => (await admin.subscribedCalendars.list()).find(({ profileId }) => profileId === provider.account.id)
  const read = async () => admin.subscribedCalendars.read({ id: (await ownRow())!.id })
  beforeEach(async () => {
    day = (await openings()).find(({ times }) => duringMorning(times).length > 4)!.day
    await provider.client.subscribedCalendars.setOwn({ isOn: false })
    post.nylas.clearFaults()
    post.nylas.setBusy(morning(), provider.email)
  })

  it('blocks its owner’s openings once they say so, and no longer once they say not', async () => {
    expect(await provider.client.subscribedCalendars.own()).toEqual({ email: provider.email, isOn: false })
    expect(duringMorning(await timesOf())).not.toEqual([])
    expect(await provider.client.subscribedCalendars.setOwn({ isOn: true })).toEqual({ email: provider.email, isOn: true })
    expect(await provider.client.subscribedCalendars.setOwn({ isOn: true })).toMatchObject({ isOn: true })
    expect(await read()).toMatchObject({ problem: null, busyTimes: 1, host: provider.email })
    expect(duringMorning(await timesOf())).toEqual([])
    expect(await timesOf()).toContain('11:30')
    await provider.client.subscribedCalendars.setOwn({ isOn: false })
    expect(duringMorning(await timesOf())).not.toEqual([])
  })

  it('is read for a whole year ahead, also what lies across two requests, and only from today on', async () => {
    const today = beginningOf(dayAt(new Date(), zone), zone).getTime()
    const days = (count: number) => new Date(today + count * 86_400_000)
    post.nylas.setBusy(
      [
        { from: days(-3), to: days(-2) },
        { from: days(-1), to: days(1) },
        { from: days(59), to: days(61) },
        { from: days(360), to: days(370) },
      ],
      provider.email,
    )
    await provider.client.subscribedCalendars.setOwn({ isOn: true })
    await read()
    const stored = await post.server.rows<{ starts_at: Date; ends_at: Date }>(
      'select starts_at, ends_at from busy_times order by starts_at',
    )
    expect(stored.map(({ starts_at, ends_at }) => [starts_at, ends_at])).toEqual([
      [days(0), days(1)],
      [days(59), days(61)],
      [days(360), days(367)],
    ])
  })

  it('keeps the last busy times while the calendar cannot be read, and says why', async () => {
    await provider.client.subscribedCalendars.setOwn({ isOn: true })
    await read()
    for (const [status, problem] of [
      [403, 'no-access'],
      [503, 'unreachable'],
      [429, 'unreachable'],
    ] as const) {
      post.nylas.fault({ kind: 'status', status, match: 'free-busy' })
      expect(await read()).toMatchObject({ problem, busyTimes: 1 })
    }
    post.nylas.setBusy(undefined, provider.email)
    expect(await read()).toMatchObject({ problem: 'no-access', busyTimes: 1 })
    post.nylas.setBusy([], provider.email)
    expect(await read()).toMatchObject({ problem: null, busyTimes: 0 })
  })

  it('goes with its mailbox, and waits for one that has to be reconnected', async () => {
    const leaving = await createMailboxOwner(post)
    post.nylas.setBusy(morning(), leaving.email)
    await leaving.client.subscribedCalendars.setOwn({ isOn: true })
    const { id } = (await admin.subscribedCalendars.list()).find(({ profileId }) => profileId === leaving.account.id)!
    await post.nylas.expire(post.nylas.grants().find(({ email }) => email === leaving.email)!.id)
    expect(await admin.subscribedCalendars.read({ id })).toMatchObject({ problem: 'reconnect' })
    expect(await leaving.client.mailbox.connection()).toMatchObject({ state: 'reconnect' })
    await leaving.client.mailbox.disconnect()
    expect((await refusal(admin.subscribedCalendars.read({ id }))).code).toBe('NOT_FOUND')
    expect(await post.server.rows('select 1 from busy_times where calendar_id = $1', [id])).toEqual([])
  })

  it('stays when its mailbox is connected again, and goes when another one is', async () => {
    const owner = await createMailboxOwner(post)
    post.nylas.setBusy([], owner.email)
    await owner.client.subscribedCalendars.setOwn({ isOn: true })
    const connect = async (provider: 'nylas' | 'gmail', email: string) => {
      const { url } = await owner.client.mailbox.connect({ provider })
      await owner.client.mailbox.finish({ provider, ...(await codeFrom(`${url}&login_hint=${encodeURIComponent(email)}`)) })
    }
    await connect('nylas', owner.email)
    expect(await owner.client.subscribedCalendars.own()).toEqual({ email: owner.email, isOn: true })
    await connect('nylas', 'another@clinic.example')
    expect(await owner.client.subscribedCalendars.own()).toEqual({ email: 'another@clinic.example', isOn: false })
    await owner.client.subscribedCalendars.setOwn({ isOn: true })
    await connect('gmail', 'another@clinic.example')
    expect((await admin.subscribedCalendars.list()).filter(({ profileId }) => profileId === owner.account.id)).toEqual([])
  })

  it('is refused without a mailbox whose calendar can be read', async () => {
    const withoutMailbox = post.server.client((await post.server.account()).cookie)
    expect(await withoutMailbox.subscribedCalendars.own()).toEqual({ email: null, isOn: false })
    expect((await refusal(withoutMailbox.subscribedCalendars.setOwn({ isOn: true }))).code).toBe('NOT_CONNECTED')
    const gmail = await createMailboxOwner(post, 'gmail')
    expect(await gmail.client.subscribedCalendars.own()).toEqual({ email: null, isOn: false })
    expect((await refusal(gmail.client.subscribedCalendars.setOwn({ isOn: true }))).code).toBe('NOT_CONNECTED')
  })
})
