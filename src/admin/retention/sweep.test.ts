import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useInbox } from '../../../test/messages/inbox.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sweepFiles } from './sweep.ts'

const day = 24 * 3_600_000
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

describe('file sweep', () => {
  const server = useInbox()
  const sweepIn = (days: number) =>
    sweepFiles.run({ ...(server.running.runtime as unknown as Scope), now: () => new Date(Date.now() + days * day) }, {}, { last: true })

  it('keeps attachments from an unknown sender until the conversation is linked, and then adds them to the patient', async () => {
    const client = await server.as('sales_rep')
    const from = `${randomUUID()}@unknown-sender.example`
    const attachments = [{ name: 'letter.pdf', contentType: 'application/pdf', contentBase64: pdf.toString('base64') }]
    await server.outbox.inbound({ from, subject: 'Hello', text: 'My letter', attachments })
    for (const days of [1, 34, 68]) await sweepIn(days)
    const [row] = (await client.inbox.conversations({ show: 'unknown', search: from })).data
    const { contact } = await client.inbox.link({ id: row!.id, firstName: 'Odile', lastName: 'Roy' })
    const [document] = await client.documents.list({ contactId: contact!.id })
    const cookie = await server.signIn('sales_rep')
    const file = await server.request(`/api/documents/${document!.id}/file`, { headers: { cookie } })
    expect([file.status, Buffer.from(await file.arrayBuffer()).equals(pdf)]).toEqual([200, true])
  })
})
