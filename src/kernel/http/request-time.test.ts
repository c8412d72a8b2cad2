import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { pdf, portalOf } from '../../../test/portal.ts'
import { sendRaw } from '../../../test/network/raw-http.ts'
import { useServer } from '../../../test/server.ts'

// Both tests wait for this time, so they run side by side.
const server = useServer({}, { requestTime: 3_000 })
const { signIn } = portalOf(server)

/** A call that only sends half of its body. */
const halfCall = () =>
  sendRaw(
    server.url,
    'POST /api/auth/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"email"',
  )

it.concurrent('returns 408 and closes the connection when a body does not arrive in time', async () => {
  const { status, body } = await halfCall()
  expect([status, JSON.parse(body)]).toMatchObject([408, { code: 'REQUEST_TIMEOUT' }])
})

it.concurrent('accepts slow uploads on every upload route', async () => {
  const account = await server.account({ role: 'admin' })
  const admin = server.client(account.cookie)
  const contactId = await insertContact(server)
  const made = await server.request('/api/imports?name=papers.csv&kind=documents', {
    method: 'POST',
    headers: { cookie: account.cookie },
    body: 'File,Email\na.pdf,ana@elsewhere.example\n',
  })
  const { id: importId } = (await made.json()) as { id: string }
  const draftId = randomUUID()
  await server.rows(
    `insert into mailbox_drafts (id, user_id, kind, "to", cc, bcc, subject, text, state, version, updated_at)
     values ($1, $2, 'new', '[]', '[]', '[]', '', '', 'draft', 1, now())`,
    [draftId, account.id],
  )
  const patient = await signIn()
  const form = new FormData()
  form.append('file', new File([new Uint8Array(pdf())], 'a.pdf', { type: 'application/pdf' }))
  form.append('contactId', patient.id)
  form.append('sessionToken', patient.token)
  const written = new Response(form)

  /** Sends the first half of an upload, and returns a function that sends the rest. */
  const begin = (address: string, bytes: Uint8Array, more: Record<string, string> = {}) => {
    const headers = { cookie: account.cookie, 'content-type': 'application/octet-stream', 'content-length': bytes.length, ...more }
    const sent = http.request(`${server.url}${address}`, { method: 'POST', headers })
    const middle = Math.floor(bytes.length / 2)
    const answered = new Promise<[string, number | undefined, unknown]>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (answer) => void json(answer).then((body) => resolve([address, answer.statusCode, body]), reject))
    })
    sent.write(bytes.subarray(0, middle))
    return () => {
      sent.end(bytes.subarray(middle))
      return answered
    }
  }
  const uploads = [
    begin('/api/imports?name=patients.csv', Buffer.from('First name,Last name\r\nAna,Silva\r\n')),
    begin(`/api/imports/${importId}/files?path=a.pdf`, pdf()),
    begin(`/api/contacts/${contactId}/documents?name=a.pdf`, pdf()),
    begin(`/api/mailbox/drafts/${draftId}/files?name=a.pdf`, pdf()),
    begin('/api/functions/patient-document-upload', new Uint8Array(await written.arrayBuffer()), {
      'content-type': written.headers.get('content-type') ?? '',
      'x-portal-session': patient.token,
    }),
  ]
  expect((await halfCall()).status).toBe(408) // started after the uploads
  for (const goOn of uploads) {
    const [address, status, body] = await goOn()
    expect([address, status, body]).toMatchObject([address, 201, { id: expect.any(String) }])
  }
  expect(await admin.documents.list({ contactId })).toHaveLength(1)
})
