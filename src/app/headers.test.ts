import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { calls, encode } from '../../test/access/calls.ts'
import { databaseFingerprint } from '../../test/database-fingerprint.ts'
import { insertOneOfEach } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { createApp } from './app.ts'
import { pageHeaders, plainHeaders } from './headers.ts'
import type { Env } from '../kernel/env.ts'

const https = { APP_URL: 'https://clinic.example' } as Env

describe('security headers of every response (spec 9)', () => {
  const directives = (policy: string | undefined) =>
    Object.fromEntries((policy ?? '').split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]))

  it('allows only our own scripts, forbids framing, enforces HTTPS, and prevents sniffing and referrer leaks', () => {
    for (const headers of [pageHeaders(https, 'nonce', false), plainHeaders(https)]) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'strict-transport-security': expect.stringMatching(/^max-age=31536000; includeSubDomains/),
      })
      const policy = directives(headers['content-security-policy'])
      expect(policy['frame-ancestors']).toEqual(["'none'"])
      expect(policy['script-src'] ?? policy['default-src']).toEqual(headers['cache-control'] ? ["'none'"] : ["'self'"])
      expect(policy['style-src']?.join(' ')).toBe(headers['cache-control'] ? "'unsafe-inline'" : "'self' 'nonce-nonce'")
      expect(policy['object-src'] ?? policy['default-src']).toEqual(["'none'"])
    }
    expect(directives(pageHeaders(https, 'n', false)['content-security-policy'])).toMatchObject({
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
    })
    expect(plainHeaders(https)['cache-control']).toBe('no-store')
    expect(pageHeaders({ APP_URL: 'http://localhost:3000' } as Env, 'n', false)).not.toHaveProperty('strict-transport-security')
  })

  it('opens for Stripe on pages where patients pay, and nowhere else (issue 29)', () => {
    const env = { ...https, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_JS_URL: 'https://js.stripe.com/v3/' } as Env
    const policyOf = (given: Env, paysByCard: boolean) => pageHeaders(given, 'n', paysByCard)['content-security-policy']
    expect(directives(policyOf(env, true))).toMatchObject({
      'script-src': ["'self'", 'https://js.stripe.com'],
      'connect-src': ["'self'", 'https://api.stripe.com'],
      'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    })
    expect(pageHeaders(env, 'n', true)['permissions-policy']).toContain('payment=(self "https://js.stripe.com")')
    expect(policyOf(env, false)).not.toContain('stripe')
    expect(pageHeaders(env, 'n', false)['permissions-policy']).not.toContain('payment')
    expect(policyOf(https, true)).not.toContain('stripe')
  })

  it('uses a different nonce for each page', async () => {
    const server = await Promise.all([1, 2].map(() => served.request('/auth')))
    const [one, two] = server.map(({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1])
    expect(one).toMatch(/^[\w-]{22}$/)
    expect(two).not.toBe(one)
  })

  const served = useServer()
})

describe('every endpoint refuses a change sent by another site’s page (spec 9)', () => {
  const server = useServer()
  /** What comes from outside proves itself by a key, a signature or a link, never by a cookie: so forms of any site may send it. */
  const fromAnywhere = [
    '/api/leads/:key',
    '/api/hooks/nylas',
    '/api/hooks/postmark/events',
    '/api/hooks/postmark/inbound',
    '/api/hooks/stripe',
    '/api/hooks/twilio/call',
    '/api/hooks/twilio/inbound',
    '/api/hooks/twilio/status',
    '/u/:token',
  ]

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
  ])('%j', async (headers) => {
    const cookie = await server.signIn('admin')
    const made = await insertOneOfEach(server)
    const before = await databaseFingerprint(server)
    const wrong: string[] = []
    const ask = async (method: string, path: string, body: string | null) => {
      const sent = { ...headers, cookie, ...(body ? { 'content-type': 'application/json' } : {}) }
      const answer = await server.request(path, { method, headers: sent, ...(body ? { body } : {}) })
      const text = await answer.text()
      if (answer.status !== 403 || !text.includes('FOREIGN_ORIGIN')) wrong.push(`${method} ${path}: ${answer.status} ${text.slice(0, 80)}`)
    }
    for (const call of calls) {
      if (call.method === 'GET') continue
      const { path, body } = encode(call, call.validInput(made))
      await ask(call.method, path, body)
    }
    const raw = createApp(server.running.runtime).routes.filter(({ method }) => !['GET', 'OPTIONS', 'ALL'].includes(method))
    for (const { method, path } of raw) {
      if (!fromAnywhere.includes(path)) await ask(method, path.replaceAll(/:\w+/g, randomUUID()), null)
    }
    expect(raw.map(({ path }) => path)).toEqual(expect.arrayContaining(fromAnywhere))
    expect(wrong).toEqual([])
    expect(await databaseFingerprint(server)).toEqual(before)
  })
})
