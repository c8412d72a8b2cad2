import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useInbox } from '../../../test/messages/inbox.ts'
import { refusal } from '../../../test/refusal.ts'

describe('quick replies', () => {
  const server = useInbox()

  it('are added, changed and deleted by those who have the inbox, one of a name in each language (issue 28)', async () => {
    const client = await server.as('sales_rep')
    const content = { name: 'Parking', language: 'en' as const, text: 'There is free parking behind the building.' }
    const { id } = await client.inbox.saveQuickReply(content)
    const french = await client.inbox.saveQuickReply({ ...content, language: 'fr', text: 'Le stationnement est gratuit.' })
    expect(await refusal(client.inbox.saveQuickReply({ ...content, name: 'PARKING' }))).toMatchObject({ status: 409, code: 'NAME_TAKEN' })
    await client.inbox.saveQuickReply({ ...content, id, text: 'It is free.' })
    await client.inbox.saveQuickReply({ ...content, name: 'Address' })
    const names = (await client.inbox.quickReplies()).map(({ name, language, text }) => [name, language, text.slice(0, 11)])
    expect(names).toEqual([
      ['Address', 'en', 'There is fr'],
      ['Parking', 'en', 'It is free.'],
      ['Parking', 'fr', 'Le stationn'],
    ])
    await client.inbox.deleteQuickReply({ id: french.id })
    expect(await refusal(client.inbox.deleteQuickReply({ id: french.id }))).toMatchObject({ status: 404 })
    expect(await refusal(client.inbox.saveQuickReply({ ...content, id: randomUUID() }))).toMatchObject({ status: 404 })
    expect(await refusal(client.inbox.saveQuickReply({ ...content, text: ' ' }))).toMatchObject({
      data: { fields: { text: 'Write a message' } },
    })
    expect(await client.inbox.quickReplies()).toHaveLength(2)
  })
})
