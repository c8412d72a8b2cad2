import { describe, expect, it } from 'vitest'
import { insertContact } from '../../test/factories.ts'
import { refusal } from '../../test/refusal.ts'
import { useServer } from '../../test/server.ts'

const server = useServer()

/** Inserts two patient uploads waiting for review and an accepted one. */
async function insertPatientUploads(contactId: string) {
  await server.rows(
    `insert into documents (id, contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared,
       review_state, scan_state, created_at)
     select gen_random_uuid(), $1, name, 'image/png', 1, '', 'documents/' || gen_random_uuid(), 'patient', 'patient_upload', true,
       state, 'off', now() + at * interval '1 second'
     from (values ('one.png', 'pending', 0), ('two.png', 'pending', 1), ('three.png', 'accepted', 2)) as sent (name, state, at)`,
    [contactId],
  )
}

describe('patient uploads waiting for review', () => {
  it('are counted for the badge without a logged view, while the queue is logged as a view of its patients', async () => {
    const contactId = await insertContact(server)
    await insertPatientUploads(contactId)
    const staff = await server.as('front_desk')
    const views = async () => (await server.rows(`select 1 from audit_log where action = 'viewed' and kind = 'document'`)).length
    expect(await staff.documents.waitingCount({})).toEqual({ count: 2 })
    expect(await views()).toBe(0)
    const { total, data: documents } = await staff.documents.waiting({})
    expect(total).toBe(2)
    expect(documents.map(({ name, contact }) => [name, contact.id])).toEqual([
      ['one.png', contactId],
      ['two.png', contactId],
    ])
    expect(await views()).toBe(1)
  })

  it('are refused to billing with 403', async () => {
    const billing = await server.as('billing')
    expect(await refusal(billing.documents.waitingCount({}))).toMatchObject({ status: 403 })
    expect(await refusal(billing.documents.waiting({}))).toMatchObject({ status: 403 })
  })
})
