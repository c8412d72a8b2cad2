import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContacts } from '../../test/factories.ts'
import { refusal } from '../../test/refusal.ts'
import { type Client, useServer } from '../../test/server.ts'

describe('the message of an unexpected failure (spec 8)', () => {
  const server = useServer()
  /** Without a table, whatever asks for it fails. */
  async function without(table: string, work: () => Promise<void>) {
    await server.rows(`alter table ${table} rename to ${table}_away`)
    try {
      await work()
    } finally {
      await server.rows(`alter table ${table}_away rename to ${table}`)
    }
  }
  const id = randomUUID()
  const template = { name: 'Hello', subject: 'Hello', body: 'Hello', category: 'general' }

  it.each<[string, string, (client: Client) => Promise<unknown>]>([
    ['Failed to fetch unread messages', 'messages', (client) => client.inbox.unread({})],
    ['Failed to get unread count', 'messages', (client) => client.inbox.unreadCount()],
    ['Failed to mark message as read', 'messages', (client) => client.inbox.markRead({ id })],
    ['Failed to mark contact messages as read', 'messages', (client) => client.inbox.markContactRead({ contactId: id })],
    ['Failed to mark all messages as read', 'messages', (client) => client.inbox.markAllRead({ before: new Date().toISOString() })],
    ['Failed to fetch unread messages for contact', 'messages', (client) => client.inbox.unreadOfContact({ contactId: id })],
    ['Failed to list templates', 'email_templates', (client) => client.emailTemplates.list({})],
    ['Failed to create template', 'email_templates', (client) => client.emailTemplates.create(template)],
    ['Failed to update template', 'email_templates', (client) => client.emailTemplates.update({ id, version: 1, subject: 'Hello' })],
    ['Failed to delete template', 'email_templates', (client) => client.emailTemplates.delete({ id })],
    ['Something went wrong', 'tags', (client) => client.tags.list()],
  ])('%s', async (text, table, call) => {
    const client = await server.as('admin')
    await without(table, async () => {
      const failed = await refusal(call(client))
      expect(failed).toMatchObject({ status: 500, message: expect.stringMatching(new RegExp(`^${text}\\. Please quote [\\w-]+\\.$`)) })
    })
  })

  it('Failed to merge contacts', async () => {
    const client = await server.as('admin')
    const [target, source] = (await insertContacts(server, [{}, {}])) as [string, string]
    await without('contact_merges', async () => {
      const merge = client.contacts.merge({ id: target, sourceId: source, version: 1, sourceVersion: 1, choices: {} })
      expect(await refusal(merge)).toMatchObject({
        status: 500,
        message: expect.stringMatching(/^Failed to merge contacts\. Please quote /),
      })
    })
    // Nothing was transferred, not even partially.
    expect(await server.rows('select 1 from contacts where id = $1', [source])).toHaveLength(1)
  })
})
