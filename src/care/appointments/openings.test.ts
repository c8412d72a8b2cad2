import { beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../test/care/appointments.ts'
import { refusal } from '../../../test/refusal.ts'

const practice = usePractice()
const { server, book, clock } = practice

/** Tuesday, December 1, 2026. */
const day = '2026-12-01'
const openings = (given: object = {}) =>
  practice.desk.appointments.openings({ from: day, days: 1, minutes: 45, providerId: practice.provider.id, ...given })
const timesOf = async (given?: object) => (await openings(given)).days[0]!.times

describe('openings of a provider and a room', () => {
  beforeEach(async () => {
    clock.now = new Date('2026-11-21T15:00:00Z')
    await server.rows("update appointments set status = 'cancelled', cancel_reason = 'over'")
  })

  it('cover opening hours except when the provider or the room is booked', async () => {
    const roomId = practice.rooms[0]!.id
    const all = await timesOf()
    expect(all.length).toBeGreaterThan(10)
    await book({ providerId: practice.provider.id })
    const left = await timesOf()
    // 10:00 to 10:45 is booked: no 45-minute visit can start after 9:15 and before 10:45.
    expect(all.filter((time) => !left.includes(time))).toEqual(['09:30', '09:45', '10:00', '10:15', '10:30'])
    await book({ roomId, startsAt: '2026-12-01T18:00:00Z' })
    expect(await timesOf()).toEqual(left)
    expect(left.filter((time) => time >= '12:30' && time < '13:45')).not.toEqual([])
    expect((await timesOf({ roomId })).filter((time) => time >= '12:30' && time < '13:45')).toEqual([])
  })

  it('ignore the appointment that is being moved', async () => {
    const { id } = await book({ providerId: practice.provider.id })
    expect(await timesOf()).not.toContain('10:00')
    expect(await timesOf({ except: id })).toContain('10:00')
  })

  it('include the next opening from now on', async () => {
    // Tuesday at 2:00 p.m. in Toronto: the rest of the day is booked.
    clock.now = new Date('2026-12-01T19:00:00Z')
    await book({ providerId: practice.provider.id, startsAt: '2026-12-01T19:00:00Z', minutes: 240, outsideHours: true })
    const { days, next } = await openings({ days: 2 })
    expect(days.map((one) => [one.day, one.isClosed, one.times.length > 0])).toEqual([
      [day, false, false],
      ['2026-12-02', false, true],
    ])
    expect(next).toEqual({ day: '2026-12-02', time: days[1]!.times[0] })
  })

  it('mark closed days', async () => {
    // A Sunday.
    expect((await openings({ from: '2026-12-06' })).days).toEqual([{ day: '2026-12-06', isClosed: true, times: [] }])
  })

  it('refuse invalid days and durations', async () => {
    expect(await refusal(openings({ days: 63 }))).toMatchObject({ status: 422 })
    expect(await refusal(openings({ minutes: 1 }))).toMatchObject({ status: 422 })
    expect(await refusal(openings({ from: '2026-02-30' }))).toMatchObject({ status: 422 })
  })
})
