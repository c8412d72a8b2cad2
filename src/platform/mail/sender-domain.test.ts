import dgram from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askSenderDomain } from './sender-domain.ts'

/** The TXT records that the name server of this test answers with. */
const records = new Map<string, string[]>()
const socket = dgram.createSocket('udp4')
let server: string
beforeAll(async () => {
  socket.on('message', (query, { address, port }) => socket.send(answerTo(query), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server = `127.0.0.1:${socket.address().port}`
})
afterAll(() => void socket.close())

/** Answers one question for TXT records (RFC 1035): NXDOMAIN for a name without any. */
function answerTo(query: Buffer): Buffer {
  const labels: string[] = []
  let end = 12
  for (let length = query[end]!; length > 0; length = query[end]!) {
    labels.push(query.toString('ascii', end + 1, end + 1 + length))
    end += 1 + length
  }
  const question = query.subarray(12, end + 5)
  const found = records.get(labels.join('.').toLowerCase()) ?? []
  const answers = found.map((text) => {
    const parts = text.match(/.{1,255}/gs)!.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)]))
    const data = Buffer.concat(parts)
    const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 1, 0, 0])
    head.writeUInt16BE(data.length, 10)
    return Buffer.concat([head, data])
  })
  const header = Buffer.from([query[0]!, query[1]!, 0x81, found.length > 0 ? 0x80 : 0x83, 0, 1, 0, found.length, 0, 0, 0, 0])
  return Buffer.concat([header, question, ...answers])
}

const ask = (from: string, selector = 'pm') => askSenderDomain({ MAIL_FROM: from, DKIM_SELECTOR: selector, DNS_SERVERS: [server] })

it('finds SPF, DKIM and DMARC of the sender’s domain, also in several parts (issue 28)', async () => {
  records.set('clinic.example', ['google-site-verification=x', 'v=spf1 include:spf.mtasv.net ~all'])
  records.set('pm._domainkey.clinic.example', [`k=rsa; p=${'MIGf'.repeat(100)}`])
  records.set('_dmarc.clinic.example', ['v=DMARC1; p=none'])
  expect(await ask('Team@Clinic.example')).toEqual({
    domain: 'clinic.example',
    spf: { state: 'found', name: 'clinic.example', found: 'v=spf1 include:spf.mtasv.net ~all' },
    dkim: { state: 'found', name: 'pm._domainkey.clinic.example', found: `k=rsa; p=${'MIGf'.repeat(100)}`.slice(0, 300) },
    dmarc: { state: 'found', name: '_dmarc.clinic.example', found: 'v=DMARC1; p=none' },
  })
})

it('says what is missing, takes DMARC from the domain above, and knows nothing of DKIM without a selector (issue 28)', async () => {
  records.set('above.example', [])
  records.set('_dmarc.above.example', ['v=DMARC1; p=reject'])
  const found = await ask('no-reply@mail.above.example', '')
  expect([found.spf.state, found.dkim.state, found.dmarc]).toEqual([
    'missing',
    'unknown',
    { state: 'found', name: '_dmarc.above.example', found: 'v=DMARC1; p=reject' },
  ])
  expect((await ask('no-reply@none.example')).dmarc.state).toBe('missing')
})

it('says that it is not known where no name server answers (issue 28)', async () => {
  const silent = dgram.createSocket('udp4')
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const found = await askSenderDomain({
    MAIL_FROM: 'no-reply@clinic.example',
    DKIM_SELECTOR: '',
    DNS_SERVERS: [`127.0.0.1:${silent.address().port}`],
  })
  expect(found.spf.state).toBe('unknown')
  silent.close()
})
