import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sendSteps } from './send-step.ts'

const server = useInbox()

it.each([
  ['<p>Find us: <img src="https://clinic.example/map.png" alt="Map"></p>', []],
  ['<p>Book <a href="https://clinic.example/book">here</a></p>', ['https://clinic.example/book']],
  [null, ['https://clinic.example/a']],
])('the email of a sequence that counts links keeps its pictures: %s (issue 28)', async (html, links) => {
  const contact = await createPatient(server)
  const [template] = await server.rows<{ id: string }>(
    `insert into email_templates (name, subject, body, category, variables) values ($1, 'Hello', 'See "https://clinic.example/a".', 'lead', $2) returning id`,
    [randomUUID(), { html_content: html }],
  )
  const runtime = server.running.runtime as unknown as Scope
  const scope: Scope = { ...runtime, actor: null, origin: { requestId: 'test', address: null } }
  const recipient = { contactId: contact.id, name: 'New lead', idempotencyKey: randomUUID(), countsLinks: true }
  const sent = await scope.db.transaction((tx) => sendSteps(tx, scope, template!.id, [recipient]))
  const done = sent.get(contact.id)!
  expect(done).toMatchObject({ outcome: 'sent', ...(links.length > 0 && { links }) })
  const [message] = await server.rows<{ html: string }>('select html_body as html from messages where id = $1', [
    (done as { refId: string }).refId,
  ])
  const pictures = /<img[^>]*>/g
  expect(message!.html.match(pictures)).toEqual(html?.match(pictures) ?? null)
  expect(message!.html.match(/href="[^"]*\/c\/[\w-]{22}\/0"/g) ?? []).toHaveLength(links.length)
})
