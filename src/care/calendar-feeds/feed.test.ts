import { randomUUID } from 'node:crypto'
import ICAL from 'ical.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import type { Account } from '../../../test/server.ts'
import { useSurgeryPractice } from '../../../test/care/surgeries.ts'

const practice = useSurgeryPractice({ PRACTICE_NAME: 'Harbourview', TRUST_PROXY: 'true' })
const clock = practice.clock
beforeEach(() => {
  clock.now = new Date('2026-11-21T15:00:00Z')
})
let confirming = 0
const from = () => `10.2.${Math.floor(++confirming / 250)}.${confirming % 250}`
const read = (url: string, headers: Record<string, string> = {}) =>
  practice.server.request(new URL(url).pathname, { headers: { 'x-forwarded-for': from(), ...headers } })
async function eventsAt(url: string) {
  const answer = await read(url)
  expect(answer.status).toBe(200)
  const calendar = new ICAL.Component(ICAL.parse(await answer.text()))
  return calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
}
const as = (account: Account) => practice.server.client(account.cookie).calendarFeeds
const newProvider = () => practice.server.account({ role: 'provider' })

describe('a provider’s calendar feed', () => {
  it('contains only their own appointments and surgeries, with initials and room, from 30 days back to a year ahead', async () => {
    const me = await newProvider()
    const contactId = await insertContact(practice.server, {
      firstName: 'Ana',
      lastName: 'Bélanger-Roy',
      email: `${randomUUID()}@patient.example`,
    })
    const room = practice.rooms[0]!
    const book = (given: object) => practice.book({ contactId, providerId: me.id, outsideHours: true, ...given })
    await book({ startsAt: '2026-12-01T15:00:00Z', roomId: room.id, notes: 'Breast augmentation' })
    const off = await book({ startsAt: '2026-12-02T15:00:00Z', type: 'post_op' })
    await practice.desk.appointments.setStatus({ id: off.id, version: off.version, status: 'cancelled', reason: 'Is ill' })
    const kept = await book({ startsAt: '2026-12-03T15:00:00Z', type: 'post_op' })
    await practice.desk.appointments.setStatus({ id: kept.id, version: kept.version, status: 'confirmed' })
    await book({ startsAt: '2026-10-22T14:00:00Z', minutes: 30 })
    await book({ startsAt: '2026-10-22T14:30:00Z', minutes: 31 })
    await book({ startsAt: '2027-11-21T14:59:00Z' })
    await book({ startsAt: '2027-11-21T15:45:00Z' })
    await practice.book({ providerId: practice.provider.id, startsAt: '2026-12-01T15:00:00Z' })
    await practice.operate({ contactId, surgeonId: me.id, startsAt: '2026-12-08T13:00:00Z' })
    await practice.operate({ contactId, surgeonId: practice.provider.id, assistantIds: [me.id], startsAt: '2026-12-09T13:00:00Z' })

    const { url } = await as(me).create()
    const answer = await read(url)
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(text).toContain('X-WR-CALNAME')
    expect(text).not.toMatch(/Ana|Bélanger|Breast|patient\.example/)
    for (const { name } of practice.procedures) expect(text).not.toContain(name)
    const events = (await eventsAt(url)).map((one) => [
      one.startDate.toString().slice(0, 16),
      one.summary,
      one.location ?? '',
      one.component.getFirstPropertyValue('status'),
    ])
    expect(events).toEqual([
      ['2026-10-22T10:30', 'Consult A.B.', '', 'TENTATIVE'],
      ['2026-12-01T10:00', 'Consult A.B.', room.name, 'TENTATIVE'],
      ['2026-12-03T10:00', 'Post-op A.B.', '', 'CONFIRMED'],
      ['2026-12-08T08:00', 'Surgery A.B.', '', 'TENTATIVE'],
      ['2026-12-09T08:00', 'Surgery A.B.', '', 'TENTATIVE'],
      ['2027-11-21T09:59', 'Consult A.B.', '', 'TENTATIVE'],
    ])
  })

  it('shows its address once, stores a hash, stops working when revoked or replaced, and audits creation and reads', async () => {
    const me = await newProvider()
    expect(await as(me).mine()).toEqual({ feed: null })
    await as(me).revoke()
    const { url, feed } = await as(me).create()
    expect(url).toMatch(/\/api\/calendar\/[\w-]{43}\.ics$/)
    expect(feed.readAt).toBeNull()
    const token = /([\w-]{43})\.ics$/.exec(url)![1]!
    for (const table of ['calendar_feeds', 'audit_log']) {
      expect(await practice.server.rows(`select 1 from ${table} as t where t::text like '%' || $1 || '%'`, [token])).toEqual([])
    }
    const booked = await practice.book({ providerId: me.id })
    await eventsAt(url)
    expect((await as(me).mine()).feed).toMatchObject({ createdAt: feed.createdAt, readAt: '2026-11-21T15:00:00.000Z' })
    const newer = await as(me).create()
    expect((await read(url)).status).toBe(404)
    expect((await read(newer.url)).status).toBe(200)
    await as(me).revoke()
    expect((await read(newer.url)).status).toBe(404)
    const rows = await practice.server.rows<{ action: string; patients: number }>(
      "select action, cardinality(contact_ids) as patients from audit_log where kind = 'calendar-feed' and actor_id = $1 order by id",
      [me.id],
    )
    expect(rows.map(({ action, patients }) => [action, patients])).toEqual([
      ['created', 0],
      ['exported', 1],
      ['created', 0],
      ['exported', 1],
      ['deleted', 0],
    ])
    const seen = await practice.server.rows("select 1 from audit_log where action = 'exported' and contact_ids @> array[$1::uuid]", [
      booked.contact.id,
    ])
    expect(seen).toHaveLength(2)
  })

  it('answers 304 until something changes', async () => {
    const me = await newProvider()
    const { url } = await as(me).create()
    const { id, version } = await practice.book({ providerId: me.id })
    const etag = (await read(url)).headers.get('etag')!
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await read(url, { 'if-none-match': tag })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    await practice.desk.appointments.change({ id, version, startsAt: '2026-12-01T16:00:00Z' })
    const after = await read(url, { 'if-none-match': etag })
    expect([after.status, after.headers.get('etag') === etag]).toEqual([200, false])
  })

  it('stops working when the account is disabled or loses the role', async () => {
    const me = await newProvider()
    const { url } = await as(me).create()
    for (const [column, value, before] of [
      ['status', 'disabled', 'active'],
      ['role', 'front_desk', 'provider'],
    ] as const) {
      await practice.server.rows(`update profiles set ${column} = $2 where id = $1`, [me.id, value])
      expect((await read(url)).status).toBe(404)
      await practice.server.rows(`update profiles set ${column} = $2 where id = $1`, [me.id, before])
      expect((await read(url)).status).toBe(200)
    }
  })

  it('answers 404 for unknown links, is read-only, and is not available to roles without patients', async () => {
    const me = await newProvider()
    const { url } = await as(me).create()
    const { pathname } = new URL(url)
    const answers: [number, string][] = []
    for (const path of [
      `/api/calendar/${'x'.repeat(43)}.ics`,
      pathname.replace('.ics', ''),
      pathname.replace('.ics', '.ICS'),
      `/api/calendar/${'x'.repeat(3_000)}.ics`,
    ]) {
      const answer = await practice.server.request(path, { headers: { 'x-forwarded-for': from() } })
      answers.push([answer.status, await answer.text()])
    }
    expect(answers.map(([status]) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(answers.map(([, body]) => body)).size).toBe(1)
    expect((await practice.server.request(pathname, { method: 'HEAD' })).status).toBe(405)
    for (const method of ['PUT', 'POST', 'DELETE', 'PROPFIND']) {
      expect((await practice.server.request(pathname, { method })).status).toBeGreaterThanOrEqual(400)
    }
    const desk = practice.server.client(await practice.server.signIn('front_desk')).calendarFeeds
    await expect(desk.create()).rejects.toMatchObject({ status: 403 })
  })

  it('allows 120 requests in 15 minutes per address', async () => {
    const path = `/api/calendar/${'z'.repeat(43)}.ics`
    const fetched = () => practice.server.request(path, { headers: { 'x-forwarded-for': '10.8.8.8' } })
    const answers = await Promise.all(Array.from({ length: 122 }, fetched))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(2)
    const wait = Number(refused[0]!.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(15 * 60)
  })
})
