import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useInbox } from '../../../test/messages/inbox.ts'

describe('inbox search', () => {
  const server = useInbox()
  const arrive = (mail: { from: string; fromName?: string; subject: string; text: string }) => server.outbox.inbound(mail)
  const found = async (search: string, given: object = {}) =>
    (await (await server.as('sales_rep')).inbox.conversations({ show: 'all', search, ...given })).data.map(({ subject }) => subject)

  it('finds any part of subject, address, name and patient, and message words by prefix, ignoring case and accents', async () => {
    await insertContact(server, { firstName: 'Éloïse', lastName: 'Tremblay', email: 'eloise@fastmail.ca', phone: '(905) 555-0142' })
    await arrive({ from: 'eloise@fastmail.ca', subject: 'My quote', text: 'Is the anaesthesia in it? Référence A-1047/b, naïve.' })
    await arrive({ from: 'lab@results.example', fromName: 'Łukasz Öztürk', subject: 'Bloodwork 50%_done', text: 'Everything is normal.' })
    for (const search of ['eloise', 'TREMBLAY', 'loïse tremb', 'tremblay eloise', '5550142', 'quot', 'fastmail']) {
      expect([search, await found(search)]).toEqual([search, ['My quote']])
    }
    for (const search of ['anaesth', 'ANAESTHESIA in', 'reference', '1047', 'a 1047', 'naive it', 'Référence']) {
      expect([search, await found(search)]).toEqual([search, ['My quote']])
    }
    for (const search of ['lukasz ozturk', 'results.example', 'work 50%_', 'everything norm', '%_d']) {
      expect([search, await found(search)]).toEqual([search, ['Bloodwork 50%_done']])
    }
    for (const search of ['esthesia', 'quote normal', 'zz', "o'b", '!', ':*', "' & |", '%%', 'x%y']) {
      expect([search, await found(search)]).toEqual([search, []])
    }
  })

  it('requires all words in one message, not spread over several', async () => {
    const from = `${randomUUID()}@work.example`
    await arrive({ from, subject: 'Two mails', text: 'The caribou waits.' })
    await arrive({ from, subject: 'Two mails', text: 'The moose is late.' })
    expect(await found('caribou waits')).toEqual(['Two mails'])
    expect(await found('caribou moose')).toEqual([])
  })

  it('returns pages newest first, within the current filter', async () => {
    const client = await server.as('sales_rep')
    for (const subject of ['Lynx 1', 'Lynx 2', 'Lynx 3', 'Bear'])
      await arrive({ from: `${randomUUID()}@work.example`, subject, text: 'A walk at the wapiti ridge' })
    const [bear] = (await client.inbox.conversations({ search: 'bear' })).data
    await client.inbox.change({ id: bear!.id, status: 'archived' })
    const first = await client.inbox.conversations({ search: 'wapiti', limit: 2 })
    expect(first.data.map(({ subject }) => subject)).toEqual(['Lynx 3', 'Lynx 2'])
    expect(await found('wapiti', { show: 'active', limit: 2, cursor: first.nextCursor! })).toEqual(['Lynx 1'])
    expect(await found('wapiti', { show: 'archived' })).toEqual(['Bear'])
  })

  it('finds conversations beyond the newest that are looked at one by one', async () => {
    await insertContact(server, { firstName: 'Anouk', lastName: 'Beausoleil', email: 'anouk@fastmail.ca' })
    await arrive({ from: 'anouk@fastmail.ca', subject: 'Long ago', text: 'The narwhal has a tooth.' })
    await server.rows(
      `with newer as (
         insert into conversations (subject, thread_id, address, subject_key, last_message_at, created_at)
         select 'Newer', md5(n::text), n || '@work.example', 'newer', now() + n * interval '1 second', now() from generate_series(1, 300) as n returning id)
       insert into messages (conversation_id, direction, from_email, to_email, subject, body, status, created_at)
       select id, 'inbound', 'somebody@work.example', 'team@inbound.example', 'Newer', 'Nothing', 'received', now() from newer`,
    )
    for (const search of ['narwhal', 'long ago', 'beausoleil anouk', 'narw tooth']) {
      expect([search, await found(search)]).toEqual([search, ['Long ago']])
    }
    expect(await found('narwhals')).toEqual([])
    expect(await found('newer', { limit: 200 })).toHaveLength(200)
  })
})
