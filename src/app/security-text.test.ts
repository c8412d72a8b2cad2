import { describe, expect, it } from 'vitest'
import { useServer } from '../../test/server.ts'
import { readEnv, SettingsError } from '../kernel/env.ts'
import { testSecret } from '../../test/database.ts'

const path = '/.well-known/security.txt'

describe('/.well-known/security.txt (RFC 9116)', () => {
  const named = useServer({ SECURITY_CONTACT: 'mailto:security@clinic.example' }, { now: () => new Date('2026-11-27T10:00:00Z') })
  const unnamed = useServer()

  it('names the operator’s contact, when the text expires and its own address', async () => {
    const answer = await named.request(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
    const lines = (await answer.text()).trimEnd().split('\n')
    expect(lines).toEqual([
      'Contact: mailto:security@clinic.example',
      'Expires: 2026-12-28T00:00:00Z',
      'Preferred-Languages: en',
      `Canonical: ${named.running.runtime.env.APP_URL}${path}`,
    ])
  })

  it('is not found without a contact: the product cannot speak for an operator who named none', async () => {
    const answer = await unnamed.request(path)
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })])
  })

  it.each(['security@clinic.example', 'http://clinic.example', 'mailto:', 'mailto:a@b\nExpires: never', 'https://'])(
    'refuses to start with the contact %j',
    (contact) => {
      expect(() => readEnv({ APP_SECRET: testSecret, SECURITY_CONTACT: contact })).toThrow(SettingsError)
    },
  )
})
