import { describe, expect, it } from 'vitest'
import type { Entry } from './entry.ts'
import { columnsOf, eventsOf, placeOf } from './entries.ts'

const timeZone = 'America/Toronto'
const [okafor, byrne, room] = ['provider-1', 'provider-2', 'room-1']
const entry: Entry = {
  id: 'a',
  title: 'Noor Haddad',
  providerId: byrne,
  roomId: null,
  startsAt: '2026-11-26T15:15:00.000Z',
  endsAt: '2026-11-26T16:00:00.000Z',
  isMovable: true,
  colors: '',
}
const columns = {
  by: 'provider' as const,
  day: '2026-11-26',
  columns: [
    { id: okafor, name: 'Dr. Okafor' },
    { id: byrne, name: 'Dr. Byrne' },
  ],
}

describe('the calendar’s time zone', () => {
  it('shows local times of the practice and converts them back to the same instant', () => {
    const [event] = eventsOf([entry], { timeZone, columns: null, mayChange: true })
    expect(event).toMatchObject({ id: 'a', title: 'Noor Haddad', start: '2026-11-26T10:15', end: '2026-11-26T11:00', editable: true })
    const place = placeOf({ startStr: '2026-11-26T10:15:00Z', endStr: '2026-11-26T11:00:00Z' }, { timeZone, columns: null })
    expect(place.startsAt.toISOString()).toBe(entry.startsAt)
    expect(place.endsAt.toISOString()).toBe(entry.endsAt)
  })

  it.each([
    ['before the clocks go back', '2026-10-31T09:00:00Z', '2026-10-31T13:00:00.000Z'],
    ['after it', '2026-11-01T09:00:00Z', '2026-11-01T14:00:00.000Z'],
    ['before they go forward', '2027-03-13T09:00:00Z', '2027-03-13T14:00:00.000Z'],
    ['after it', '2027-03-14T09:00:00Z', '2027-03-14T13:00:00.000Z'],
  ])('keeps 9 a.m. at 9 a.m. %s', (_, startStr, instant) => {
    expect(placeOf({ startStr, endStr: startStr }, { timeZone, columns: null }).startsAt.toISOString()).toBe(instant)
  })

  it('lets users drag only movable entries, and only with permission', () => {
    const editable = (given: Partial<Entry>, mayChange = true) =>
      eventsOf([{ ...entry, ...given }], { timeZone, columns: null, mayChange })[0]?.editable
    expect(editable({})).toBe(true)
    expect(editable({ isMovable: false })).toBe(false)
    expect(editable({}, false)).toBe(false)
  })
})

describe('day columns', () => {
  it('puts entries into their columns and assigns the provider of the column dropped on', () => {
    expect(eventsOf([entry], { timeZone, columns, mayChange: true })[0]).toMatchObject({
      start: '2001-01-02T10:15',
      end: '2001-01-02T11:00',
    })
    const place = placeOf({ startStr: '2001-01-01T13:30:00Z', endStr: '2001-01-01T14:15:00Z' }, { timeZone, columns })
    expect(place).toEqual({
      startsAt: new Date('2026-11-26T18:30:00Z'),
      endsAt: new Date('2026-11-26T19:15:00Z'),
      column: columns.columns[0],
    })
  })

  it('extends past midnight within its column', () => {
    const late = { ...entry, startsAt: '2026-11-27T04:30:00.000Z', endsAt: '2026-11-27T05:30:00.000Z' }
    expect(eventsOf([late], { timeZone, columns, mayChange: true })[0]).toMatchObject({
      start: '2001-01-02T23:30',
      end: '2001-01-03T00:30',
    })
    const place = placeOf({ startStr: '2001-01-02T23:30:00Z', endStr: '2001-01-03T00:30:00Z' }, { timeZone, columns })
    expect(place.endsAt.toISOString()).toBe(late.endsAt)
  })

  it('has a column for unassigned entries and for former staff only when needed', () => {
    const known = [{ id: byrne, name: 'Dr. Byrne' }]
    const nameOf = () => 'Former staff'
    expect(columnsOf('provider', known, [entry], nameOf)).toEqual(known)
    expect(columnsOf('provider', known, [entry, { ...entry, providerId: null }, { ...entry, providerId: okafor }], nameOf)).toEqual([
      ...known,
      { id: okafor, name: 'Former staff' },
      { id: null, name: 'No provider' },
    ])
    expect(columnsOf('room', [], [{ ...entry, roomId: room }], () => 'Room 1')).toEqual([
      { id: room, name: 'Room 1' },
      { id: null, name: 'No room' },
    ])
  })
})
