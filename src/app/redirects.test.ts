import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls, encode } from '../../test/access/calls.ts'
import { insertOneOfEach, type OneOfEach } from '../../test/factories.ts'
import { sendRaw, rawRequest } from '../../test/network/raw-http.ts'
import { useServer } from '../../test/server.ts'
import { createApp } from './app.ts'

/** The names under which other products take an address to lead to. */
const names = ['next', 'returnTo', 'return_to', 'redirect', 'redirect_uri', 'redirectTo', 'continue', 'url', 'callbackURL', 'thankYouUrl']
const elsewhere = ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'https:evil.example', 'javascript:alert(1)']

describe('no path or body can redirect to another site (spec 9)', () => {
  const server = useServer()
  let made: OneOfEach
  let cookie: string
  beforeAll(async () => {
    cookie = await server.signIn('admin')
    made = await insertOneOfEach(server)
  })
  const query = (to: string) => new URLSearchParams(names.map((name) => [name, to])).toString()
  const isElsewhere = (location: string | null) => location !== null && new URL(location, server.url).origin !== server.url

  it('pages, files and routes ignore every redirect parameter', async () => {
    const pages = ['/', '/auth', '/contacts', '/qbo/callback', '/auth/gmail/callback', '/auth/nylas/callback', '/u/none']
    const routes = createApp(server.running.runtime).routes.flatMap(({ method, path }) =>
      method === 'GET' && !path.includes('*') ? [path.replaceAll(/:\w+(\{[^}]+\})?/g, () => randomUUID())] : [],
    )
    const wrong: string[] = []
    for (const to of elsewhere)
      for (const path of [...pages, ...routes]) {
        const answer = await server.request(`${path}?${query(to)}`, { headers: { cookie } })
        await answer.arrayBuffer()
        if (isElsewhere(answer.headers.get('location'))) wrong.push(`${path}: ${answer.headers.get('location')}`)
      }
    expect(wrong).toEqual([])
  })

  it('paths that browsers read as another host', async () => {
    for (const target of [
      '//evil.example',
      '//evil.example/%2f..',
      '/\\evil.example',
      '/%5cevil.example',
      '/%2f%2fevil.example',
      '/.//evil.example',
    ]) {
      const { status, headers } = await sendRaw(server.url, rawRequest('GET', target, {}))
      expect([target, status < 500, /^location:/im.test(headers)]).toEqual([target, true, false])
    }
  })

  it('a visitor’s form redirects to its source’s thank-you page, whatever the form contains', async () => {
    const admin = await server.as('admin')
    const { webhookKey } = await admin.leadSources.create({ name: randomUUID(), thankYouUrl: 'https://www.clinic.example/thanks' })
    const form = new URLSearchParams([
      ...names.map((name) => [name, 'https://evil.example/'] as [string, string]),
      ['first_name', 'Ana'],
      ['last_name', 'Silva'],
      ['email', `${randomUUID()}@elsewhere.example`],
    ])
    const answer = await server.request(`/api/leads/${webhookKey}?${query('https://evil.example/')}`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://www.clinic.example/thanks'])
  })

  it('every call, including sign-in', async () => {
    const wrong: string[] = []
    for (const call of calls.filter(({ name }) => name !== 'events.subscribe' && name !== 'auth.signOut')) {
      const { path, body } = encode(call, call.validInput(made))
      const answer = await server.request(`${path}${path.includes('?') ? '&' : '?'}${query('https://evil.example/')}`, {
        method: call.method,
        headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body } : {}),
      })
      await answer.arrayBuffer()
      if (answer.headers.has('location')) wrong.push(`${call.name}: ${answer.headers.get('location')}`)
    }
    expect(wrong).toEqual([])
  })
})
