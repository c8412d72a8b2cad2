import { expect, it } from 'vitest'
import { formatMoved, type Slot } from './move-labels.ts'

const clock = { timeZone: 'America/Toronto', now: '2026-11-21T15:00:00Z' }
const before: Slot = { startsAt: '2026-11-26T15:15:00.000Z', endsAt: '2026-11-26T16:00:00.000Z', providerId: 'mara', roomId: 'two' }

it.each([
  [
    'another time, with another provider',
    { startsAt: '2026-11-27T15:15:00.000Z', endsAt: '2026-11-27T16:00:00.000Z', providerId: 'okafor' },
    'moved to Fri, Nov 27, 10:15 a.m.',
  ],
  ['another provider at the same time', { providerId: 'okafor' }, 'moved to Dr. Okafor'],
  ['another room at the same time', { roomId: 'one' }, 'moved to Consult room 1'],
  ['no provider', { providerId: null }, 'now has no provider'],
  ['no room', { roomId: null }, 'now has no room'],
  ['another duration', { endsAt: '2026-11-26T16:15:00.000Z' }, 'now takes 1 h'],
])('describes a move: %s', (_, given, text) => {
  const after = { ...before, ...given }
  const [provider, room] = [after.providerId && 'Dr. Okafor', after.roomId && 'Consult room 1']
  expect(formatMoved(before, after, provider, room, clock)).toBe(text)
})
