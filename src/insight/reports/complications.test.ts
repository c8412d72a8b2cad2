import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Account, useServer } from '../../../test/server.ts'
import { mayReadReport } from './policy.ts'

const server = useServer({}, { now: () => new Date('2026-11-21T15:00:00Z') })
let surgeons: Account[]
let procedureId: string

/** The 95% interval of Wilson (1927), in percents with one decimal. */
function wilson(k: number, n: number): [low: number, high: number] {
  const z = 1.959964
  const centre = (k + (z * z) / 2) / (n + z * z)
  const half = (z / (n + z * z)) * Math.sqrt((k * (n - k)) / n + (z * z) / 4)
  return [centre - half, centre + half].map((limit) => Math.round(1000 * Math.max(0, Math.min(1, limit))) / 10) as [number, number]
}

async function operate(surgeon: Account, day: string, events: readonly string[] = [], status = 'completed') {
  const contactId = await insertContact(server)
  await server.rows(
    `with surgery as (insert into surgeries (contact_id, procedures, anaesthesia, surgeon_id, starts_at, ends_at, status, created_at, updated_at)
       values ($1, jsonb_build_array(jsonb_build_object('id', $2::text, 'name', 'Rhinoplasty')), 'general', $3, $4::date + time '15:00',
         $4::date + time '16:00', $5, now(), now()) returning id)
     insert into adverse_events (contact_id, surgery_id, kind, severity, occurred_at, learned_at, voided_at, voided_by, void_reason, created_at, created_by)
     select $1, surgery.id, split_part(event, ' ', 1), 'II', $4::date, $4::date, case when event like '% voided' then now() end,
       case when event like '% voided' then $3::uuid end, case when event like '% voided' then 'Error' end, now(), $3 from surgery, unnest($6::text[]) as event`,
    [contactId, procedureId, surgeon.id, day, status, events],
  )
}

beforeAll(async () => {
  const admin = await server.as('admin')
  procedureId = (await admin.procedures.create({ name: 'Rhinoplasty' })).id
  surgeons = [await server.account({ role: 'provider' }), await server.account({ role: 'provider' })]
  const [first, second] = surgeons as [Account, Account]
  for (const day of ['2026-01-10', '2026-01-11', '2026-01-12', '2026-04-10']) await operate(first, day)
  await operate(first, '2026-01-13', ['infection', 'return_to_theatre'])
  await operate(first, '2026-04-11', ['infection voided', 'wound'])
  await operate(second, '2026-04-12', ['return_to_theatre', 'return_to_theatre'])
  // Not completed, and before the period.
  await operate(second, '2026-04-13', ['infection'], 'tentative')
  await operate(second, '2025-01-13', ['infection'])
})

const year = { report: 'complications', period: 'custom', from: '2026-01-01', to: '2026-12-31' } as const

describe('infections and returns to the operating room', () => {
  it('are counted once for each completed surgery, with a Wilson interval (issue 27)', async () => {
    const api = await server.as('provider')
    const { figures, breakdowns } = await api.reports.run(year)
    expect(figures).toMatchObject({ surgeries: { now: 7, before: 1 }, infections: { now: 1, before: 1 }, returns: { now: 2 } })
    expect(figures.infectionRate).toEqual({ now: 14.3, before: 100 })
    expect(figures.returnRate!.now).toBe(28.6)
    const [low, high] = wilson(1, 5)
    const quarters = breakdowns.find(({ key }) => key === 'quarter')!.rows
    expect(quarters.map(({ key, now }) => [key, now.surgeries, now.infections])).toEqual([
      ['2026-01-01', 4, 1],
      ['2026-04-01', 3, 0],
      ['2026-07-01', 0, 0],
      ['2026-10-01', 0, 0],
    ])
    const [ofQuarter] = [wilson(1, 4)]
    expect([quarters[0]!.now.infectionLow, quarters[0]!.now.infectionHigh]).toEqual(ofQuarter)
    expect([quarters[1]!.now.infectionLow, quarters[1]!.now.infectionHigh]).toEqual(wilson(0, 3))
    expect([quarters[2]!.now.infectionRate, quarters[2]!.now.infectionLow]).toEqual([null, null])
    const bySurgeon = breakdowns.find(({ key }) => key === 'user')!.rows
    const mine = bySurgeon.find(({ key }) => key === surgeons[0]!.id)!.now
    expect([mine.surgeries, mine.infections, mine.infectionRate]).toEqual([6, 1, 16.7])
    expect([mine.infectionLow, mine.infectionHigh]).toEqual(wilson(1, 6))
    const theirs = bySurgeon.find(({ key }) => key === surgeons[1]!.id)!.now
    expect([theirs.returns, theirs.returnRate, theirs.returnLow, theirs.returnHigh]).toEqual([1, 100, ...wilson(1, 1)])
    expect(breakdowns.find(({ key }) => key === 'procedure')!.rows).toMatchObject([
      { key: procedureId, name: 'Rhinoplasty', now: { surgeries: 7 } },
    ])
    expect(low).toBeLessThan(high)
  })

  it('follow the filters, and list the surgeries behind a number (issue 27)', async () => {
    const api = await server.as('provider')
    const { figures } = await api.reports.run({ ...year, user: surgeons[0]!.id, procedure: procedureId })
    expect(figures.surgeries!.now).toBe(6)
    const records = await api.reports.records({ ...year, measure: 'infections', breakdown: 'quarter', row: '2026-01-01' })
    expect([records.total, records.data.map(({ kind, what }) => [kind, what])]).toEqual([
      1,
      [['surgery', 'Rhinoplasty, infection, returned']],
    ])
  })

  it('are read by providers, who read no other report, and administrators only (issue 27)', async () => {
    const file = async (cookie: string, report: string) =>
      (await server.request(`/api/reports.csv?report=${report}`, { headers: { cookie } })).status
    for (const role of ['admin', 'provider', 'sales_rep', 'front_desk', 'billing'] as const) {
      const api = await server.as(role)
      const codeOf = (work: Promise<unknown>) => work.then(() => 'read').catch((error: { code: string }) => error.code)
      const isClinical = role === 'admin' || role === 'provider'
      const isReader = role !== 'provider' && role !== 'front_desk'
      expect([role, await codeOf(api.reports.run({ report: 'complications' }))]).toEqual([
        role,
        isClinical ? 'read' : role === 'front_desk' ? 'FORBIDDEN' : 'NOT_FOUND',
      ])
      expect([role, await codeOf(api.reports.records({ report: 'complications', measure: 'surgeries' }))]).toEqual([
        role,
        isClinical ? 'read' : role === 'front_desk' ? 'FORBIDDEN' : 'NOT_FOUND',
      ])
      expect([role, await codeOf(api.reports.run({ report: 'revenue' }))]).toEqual([
        role,
        isReader ? 'read' : role === 'front_desk' ? 'FORBIDDEN' : 'NOT_FOUND',
      ])
      const { cookie } = await server.account({ role })
      expect([role, await file(cookie, 'complications')]).toEqual([role, isClinical ? 200 : role === 'front_desk' ? 403 : 404])
      expect([role, await file(cookie, 'leads')]).toEqual([role, isReader ? 200 : role === 'front_desk' ? 403 : 404])
    }
  })

  it('are read by no API key, not even an administrator’s (issue 27)', () => {
    expect(mayReadReport({ role: 'admin' }, 'complications')).toBe(true)
    expect(mayReadReport({ role: 'admin', apiKey: { id: 'key', scopes: ['reports:read'] } }, 'complications')).toBe(false)
    expect(mayReadReport({ role: 'admin', apiKey: { id: 'key', scopes: ['reports:read'] } }, 'revenue')).toBe(true)
  })

  it('are neither shown to nor sent to those who may not read them (issue 27)', async () => {
    const [admin, sales] = await Promise.all([server.as('admin'), server.as('sales_rep')])
    const recipient = await server.account({ role: 'sales_rep' })
    const saved = await admin.reports.save({ name: 'Zqrates', ask: year, isShared: true })
    expect((await sales.reports.saved()).some(({ id }) => id === saved.id)).toBe(false)
    const refused = await refusal(
      admin.reports.schedule({ id: saved.id, every: 'week', weekday: 1, time: '08:00', recipientIds: [recipient.id] }),
    )
    expect(refused.data.fields).toEqual({ recipientIds: 'Only staff with access to reports can receive one' })
  })
})
