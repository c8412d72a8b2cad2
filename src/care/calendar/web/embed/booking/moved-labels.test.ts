import { expect, it } from 'vitest'
import { formatMoved, type Placed } from './moved-labels.ts'

const clock = { timeZone: 'America/Toronto', now: '2026-11-21T15:00:00Z' }
const before: Placed = { startsAt: '2026-11-26T15:15:00.000Z', endsAt: '2026-11-26T16:00:00.000Z', providerId: 'mara', roomId: 'two' }

it.each([
  [
    'another time, whoever sees them then',
    { startsAt: '2026-11-27T15:15:00.000Z', endsAt: '2026-11-27T16:00:00.000Z', providerId: 'okafor' },
    'moved to Fri, Nov 27, 10:15 a.m.',
  ],
  ['someone else at the same time', { providerId: 'okafor' }, 'moved to Dr. Okafor'],
  ['another room at the same time', { roomId: 'one' }, 'moved to Consult room 1'],
  ['nobody', { providerId: null }, 'has no provider now'],
  ['no room', { roomId: null }, 'has no room now'],
  ['another length', { endsAt: '2026-11-26T16:15:00.000Z' }, 'takes 1 h now'],
])('issue 8: a move says what it has changed: %s', (_, given, words) => {
  const after = { ...before, ...given }
  const [provider, room] = [after.providerId && 'Dr. Okafor', after.roomId && 'Consult room 1']
  expect(formatMoved(before, after, provider, room, clock)).toBe(words)
})
