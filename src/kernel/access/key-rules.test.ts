import { describe, expect, it } from 'vitest'
import { calls } from '../../../test/access/calls.ts'
import { isLive, keyFeatures, keyIn, keyScopes, keyMayCall, scopeOf } from './key-rules.ts'

describe('API key scopes', () => {
  const features = new Set(calls.map(({ name }) => name.split('.')[0]!))

  it('cover every feature or exclude it on purpose', () => {
    const never = [...features].filter((feature) => !keyFeatures.some((known) => known === feature))
    expect(never.toSorted()).toEqual([
      'access',
      'account',
      'adverseEvents',
      'apiKeys',
      'appointmentLinks',
      'audit',
      'auth',
      'availability',
      'backups',
      'calendarFeeds',
      'campaigns',
      'cardTerminal',
      'checkIns',
      'connections',
      'consultGallery',
      'devices',
      'disputes',
      'events',
      'implants',
      'mailbox',
      'notifications',
      'payLinks',
      'payouts',
      'people',
      'photoUses',
      'photos',
      'portal',
      'prepaid',
      'quickbooks',
      'recalls',
      'retention',
      'safetyChecklists',
      'savedCards',
      'savedViews',
      'selfBooking',
      'sequences',
      'sharedPhotos',
      'signatures',
      'signingKeys',
      'subscribedCalendars',
      'system',
      'tablet',
      'textLinks',
      'visitFees',
      'waitingList',
      'waitingOffers',
      'webhooks',
      'wholeRecords',
    ])
  })

  it('each allow at least one call, and none to accounts or keys', () => {
    const opened = new Map(keyScopes.map((scope) => [scope, calls.filter(({ name, method }) => scopeOf(name, method) === scope)]))
    for (const [scope, open] of opened) expect([scope, open.length > 0]).toEqual([scope, true])
    const writing = keyFeatures.filter((feature) => calls.some(({ name, method }) => name.startsWith(`${feature}.`) && method !== 'GET'))
    expect(keyScopes.filter((scope) => scope.endsWith(':write'))).toEqual(writing.map((feature) => `${feature}:write`))
    const names = [...opened.values()].flat().map(({ name }) => name)
    expect(names.filter((name) => /^(auth|people|apiKeys|webhooks|events)\.|rotateKey$|changeSettings$/.test(name))).toEqual([])
  })

  it('separate reading from writing and one feature from another', () => {
    expect(keyMayCall(['contacts:read'], 'contacts.list', 'GET')).toBe(true)
    expect(keyMayCall(['contacts:read'], 'contacts.create', 'POST')).toBe(false)
    expect(keyMayCall(['contacts:write'], 'contacts.list', 'GET')).toBe(false)
    expect(keyMayCall(['contacts:read'], 'tasks.list', 'GET')).toBe(false)
    expect(keyMayCall([...keyScopes], 'auth.session', 'GET')).toBe(false)
    expect(keyMayCall([...keyScopes, 'people:read'], 'people.list', 'GET')).toBe(false)
    expect(keyMayCall([...keyScopes], 'leadSources.rotateKey', 'POST')).toBe(false)
    for (const call of ['notes.sign', 'notes.cosign']) expect([call, keyMayCall([...keyScopes], call, 'POST')]).toEqual([call, false])
  })

  it('recognize only bearer tokens with the key prefix', () => {
    expect(keyIn('Bearer refyne_abc-D_1')).toBe('refyne_abc-D_1')
    for (const header of [
      null,
      '',
      'Basic cmVmeW5lOg==',
      'Bearer abc',
      'refyne_abc',
      'Bearer refyne_a b',
      `Bearer refyne_${'a'.repeat(201)}`,
    ])
      expect([header, keyIn(header)]).toEqual([header, null])
  })

  it('are valid until the key expires or is revoked', () => {
    const now = new Date('2026-11-23T12:00:00Z')
    const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)]
    expect(isLive({ expiresAt: null, revokedAt: null }, now)).toBe(true)
    expect(isLive({ expiresAt: after, revokedAt: null }, now)).toBe(true)
    expect(isLive({ expiresAt: now, revokedAt: null }, now)).toBe(false)
    expect(isLive({ expiresAt: before, revokedAt: null }, now)).toBe(false)
    expect(isLive({ expiresAt: null, revokedAt: before }, now)).toBe(false)
  })
})
