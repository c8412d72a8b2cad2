import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expiryOf, patientLinksIn, reopenMinutes, textLinkState } from './link-rules.ts'

const app = 'https://clinic.example'
const at = (text: string) => new Date(`2026-11-${text}Z`)

describe('the addresses of pages for patients in a text', () => {
  it.each([
    ['Open https://clinic.example/portal.', ['/portal']],
    ['Ouvrez https://clinic.example/portal?language=fr!', ['/portal?language=fr']],
    ['See https://clinic.example/PatientDocuments, please', ['/PatientDocuments']],
    ['https://clinic.example/forms/0a-1b?language=fr https://clinic.example/forms/0a-1b', ['/forms/0a-1b?language=fr', '/forms/0a-1b']],
    ['https://clinic.example/consents/0a-1b#top', ['/consents/0a-1b#top']],
    ['https://clinic.example/appointment/your-link', ['/appointment/your-link']],
    ['https://clinic.example/portal and https://clinic.example/portal', ['/portal']],
    ['https://clinic.example/contacts/0a', []],
    ['https://clinic.example/portals', []],
    ['https://other.example/portal', []],
    ['https://clinicXexample/portal', []],
    ['https://clinic.example', []],
  ])('%s', (text, paths) => {
    expect(patientLinksIn(text, app).map(({ path }) => path)).toEqual(paths)
  })

  it('are parts of the text, whatever stands around them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        for (const { url, path } of patientLinksIn(`${before}${app}/portal ${after}`, app)) {
          expect(`${before}${app}/portal ${after}`).toContain(url)
          expect(url.slice(app.length)).toBe(path)
        }
      }),
    )
  })
})

describe('a link in a text', () => {
  const expiresAt = at('30T12:00:00')
  it.each([
    ['is ready until it expires', null, at('30T11:59:59'), 'ready'],
    ['has expired from then on', null, at('30T12:00:00'), 'expired'],
    ['opens again for a few minutes', at('28T12:00:00'), new Date(at('28T12:00:00').getTime() + reopenMinutes * 60_000 - 1), 'ready'],
    ['is used after them', at('28T12:00:00'), new Date(at('28T12:00:00').getTime() + reopenMinutes * 60_000), 'used'],
    ['stays used once it has expired', at('28T12:00:00'), at('30T13:00:00'), 'used'],
    ['does not open again after it expired', at('30T11:59:00'), at('30T12:00:00'), 'expired'],
  ] as const)('%s', (_what, openedAt, now, state) => {
    expect(textLinkState(now, { openedAt, expiresAt })).toBe(state)
  })

  it('expires after two weeks, or when what it opens ends', () => {
    expect(expiryOf(at('01T12:00:00'), null)).toEqual(at('15T12:00:00'))
    expect(expiryOf(at('01T12:00:00'), at('20T12:00:00'))).toEqual(at('15T12:00:00'))
    expect(expiryOf(at('01T12:00:00'), at('02T12:00:00'))).toEqual(at('02T12:00:00'))
  })
})
