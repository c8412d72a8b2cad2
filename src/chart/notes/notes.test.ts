import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { KeyScope } from '../../kernel/access/key-rules.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { noteLimits } from './rules.ts'
import { verifyNotes } from './verify.ts'

let clock = new Date('2026-11-20T19:30:00Z')
const later = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000)
}
const server = useServer({ PRACTICE_NAME: 'Harbourview' }, { now: () => clock })

let surgeon: Client
let colleague: Client
let admin: Client
let surgeonAccount: Account
let templateId: string
beforeAll(async () => {
  surgeonAccount = await server.account({ role: 'provider' })
  surgeon = server.client(surgeonAccount.cookie)
  colleague = server.client((await server.account({ role: 'provider' })).cookie)
  admin = await server.as('admin')
  const made = await surgeon.notes.addTemplate({
    name: 'Test template',
    kind: 'consult',
    sections: [
      { id: 'plan', title: 'Plan', type: 'text', prefill: 'For {{patient_name}}.' },
      { id: 'asa', title: 'ASA class', type: 'choice', options: ['I', 'II'] },
      { id: 'risks', title: 'Risks', type: 'choices', options: ['Bleeding', 'Infection'] },
      { id: 'vitals', title: 'Vitals', type: 'values', options: ['Heart rate'] },
    ],
  })
  templateId = made.id
})

const patient = () => insertContact(server, { firstName: 'Ana', lastName: 'Silva' })
const start = async (client: Client, contactId?: string) => client.notes.create({ contactId: contactId ?? (await patient()), templateId })
const save = (client: Client, { id, version }: { id: string; version: number }, plan: string) =>
  client.notes.save({ id, version, answers: { plan } })
const signed = async (client: Client = surgeon, contactId?: string) => {
  const note = await save(client, await start(client, contactId), 'Rest for two weeks.')
  return surgeon.notes.sign({ id: note.id, version: note.version })
}
/** Runs statements as the owner of the tables, without the triggers. */
const tamper = async (table: string, statement: string, values: unknown[]) => {
  await server.rows(`alter table ${table} disable trigger user`)
  await server.rows(statement, values)
  await server.rows(`alter table ${table} enable trigger user`)
}

describe('drafts of clinical notes', () => {
  it('begin with the sections of a template and what is known of the patient', async () => {
    const contactId = await patient()
    const note = await start(surgeon, contactId)
    expect(note).toMatchObject({
      contactId,
      templateId,
      kind: 'consult',
      title: 'Test template',
      occurredOn: '2026-11-20',
      status: 'draft',
      version: 1,
      authorId: surgeonAccount.id,
      needsCosign: false,
      signedBy: null,
      seal: null,
      isIntact: null,
      addenda: [],
    })
    expect(note.sections.map(({ id, answer }) => [id, answer])).toEqual([
      ['plan', 'For Ana Silva.'],
      ['asa', ''],
      ['risks', []],
      ['vitals', {}],
    ])
    expect(await surgeon.notes.ofContact({ contactId })).toMatchObject({
      data: [{ id: note.id, status: 'draft', addendumCount: 0 }],
      counts: { signed: 0, draft: 1 },
    })
  })

  it('are refused for a patient, template or day that does not exist, and write nothing', async () => {
    const contactId = await patient()
    const refusedWith = async (given: object) => {
      const { code, status, data } = await refusal(surgeon.notes.create({ contactId, templateId, ...given }))
      return [status, code, Object.keys(data?.fields ?? {})]
    }
    expect(await refusedWith({ contactId: randomUUID() })).toEqual([404, 'NOT_FOUND', []])
    expect(await refusedWith({ templateId: randomUUID() })).toEqual([422, 'INVALID_REFERENCE', ['templateId']])
    expect(await refusedWith({ occurredOn: '2026-11-21' })).toEqual([422, 'INVALID_REFERENCE', ['occurredOn']])
    expect(await refusedWith({ occurredOn: '2026-02-30' })).toEqual([422, 'INVALID_INPUT', ['occurredOn']])
    expect(await surgeon.notes.ofContact({ contactId })).toEqual({ data: [], nextCursor: null, counts: { signed: 0, draft: 0 } })
  })

  it('save the given answers as plain text, and refuse those that do not fit', async () => {
    const note = await start(surgeon)
    const answers = { plan: 'Pain\u0007 3/10\r\nÉloïse 痛み', asa: 'II', risks: ['Infection'], vitals: { 'Heart rate': '62' } }
    const saved = await surgeon.notes.save({ id: note.id, version: 1, title: 'Consult, nose', occurredOn: '2026-11-19', answers })
    expect(saved).toMatchObject({ version: 2, title: 'Consult, nose', occurredOn: '2026-11-19' })
    expect(Object.fromEntries(saved.sections.map(({ id, answer }) => [id, answer]))).toEqual({ ...answers, plan: 'Pain 3/10\nÉloïse 痛み' })
    const refusedWith = async (given: object) => {
      const { code, data } = await refusal(surgeon.notes.save({ id: note.id, version: 2, ...given }))
      return [code, ...Object.keys(data?.fields ?? {})]
    }
    expect(await refusedWith({ answers: { nothing: 'x' } })).toEqual(['INVALID_REFERENCE', 'answers.nothing'])
    expect(await refusedWith({ answers: { asa: 'V' } })).toEqual(['INVALID_REFERENCE', 'answers.asa'])
    expect(await refusedWith({ answers: { plan: 'x'.repeat(noteLimits.text + 1) } })).toEqual(['INVALID_INPUT', 'answers.plan'])
    expect(await refusedWith({ answers: { plan: 'a\u0000b' } })).toEqual(['INVALID_INPUT', 'answers.plan'])
    expect(await refusedWith({ occurredOn: '2026-11-21' })).toEqual(['INVALID_REFERENCE', 'occurredOn'])
    expect(await refusedWith({ title: ' ' })).toEqual(['INVALID_INPUT', 'title'])
    expect(await surgeon.notes.get({ id: note.id })).toEqual(saved)
  })

  it('are refused beyond the length of a note', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const sections = ids.map((id) => ({ id, title: id, type: 'text' as const }))
    const long = await surgeon.notes.addTemplate({ name: 'Long', kind: 'other', sections })
    const note = await surgeon.notes.create({ contactId: await patient(), templateId: long.id })
    const half = await surgeon.notes.save({
      id: note.id,
      version: 1,
      answers: Object.fromEntries(ids.slice(0, 4).map((id) => [id, 'x'.repeat(noteLimits.text)])),
    })
    const error = await refusal(surgeon.notes.save({ id: note.id, version: half.version, answers: { e: 'x' } }))
    expect(error).toMatchObject({
      status: 422,
      code: 'INVALID_REFERENCE',
      data: { fields: { answers: expect.stringContaining('80,000') } },
    })
  })

  it('lose nothing when two windows save: the second sees both texts', async () => {
    const note = await start(surgeon)
    await save(surgeon, note, 'From one window')
    const error = await refusal(save(surgeon, note, 'From the other'))
    expect(error).toMatchObject({ status: 409, code: 'CONFLICT', data: { current: { version: 2, authorId: surgeonAccount.id } } })
    expect(JSON.stringify(error.data)).toContain('From one window')
  })

  it('save one of many simultaneous edits, and refuse the others', async () => {
    const note = await start(surgeon)
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => save(surgeon, note, `Text ${index}`)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await surgeon.notes.get({ id: note.id })).version).toBe(2)
  })

  it('are edited and discarded by their author only, whom anyone else replaces explicitly', async () => {
    const note = await start(surgeon)
    for (const client of [admin, colleague])
      for (const call of [() => save(client, note, 'Mine'), () => client.notes.discard({ id: note.id })])
        expect(await refusal(call())).toMatchObject({ status: 409, code: 'NOT_AUTHOR', data: { current: { authorId: surgeonAccount.id } } })
    expect((await refusal(colleague.notes.takeOver({ id: note.id, version: 9 }))).code).toBe('CONFLICT')
    const taken = await colleague.notes.takeOver({ id: note.id, version: note.version })
    expect(taken).toMatchObject({ version: 2, needsCosign: false })
    expect(taken.authorId).not.toBe(surgeonAccount.id)
    expect((await refusal(save(surgeon, note, 'Late'))).code).toBe('NOT_AUTHOR')
    expect(await colleague.notes.takeOver({ id: note.id, version: taken.version })).toEqual(taken)
    const [entry] = await server.rows<{ before: object; after: object }>(
      `select before, after from audit_log where kind = 'clinical note' and action = 'changed' and after->>'id' = $1`,
      [note.id],
    )
    expect(entry).toEqual({ before: { id: note.id, authorId: surgeonAccount.id }, after: { id: note.id, authorId: taken.authorId } })
    await colleague.notes.discard({ id: note.id })
    expect(await refusal(colleague.notes.get({ id: note.id }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  it('keep an earlier state each minute, or when someone else has written, and at most fifty', async () => {
    let note = await start(surgeon)
    const write = async (client: Client, text: string) => {
      note = await save(client, note, text)
    }
    await write(surgeon, 'One')
    await write(surgeon, 'Two')
    later(61)
    await write(surgeon, 'Three')
    note = await colleague.notes.takeOver({ id: note.id, version: note.version })
    await write(colleague, 'Four')
    const revisions = await surgeon.notes.revisions({ id: note.id })
    const planOf = async (revisionId: string) => (await surgeon.notes.revision({ id: note.id, revisionId })).sections[0]!.answer
    expect(await Promise.all(revisions.map(({ id }) => planOf(id)))).toEqual(['Three', 'Two', 'For Ana Silva.'])
    expect(revisions.map(({ authorId }) => authorId === surgeonAccount.id)).toEqual([true, true, true])
    for (let i = 0; i < noteLimits.revisions; i++) {
      later(61)
      await write(colleague, `Text ${i}`)
    }
    const kept = await surgeon.notes.revisions({ id: note.id })
    expect(kept).toHaveLength(noteLimits.revisions)
    expect(await planOf(kept.at(-1)!.id)).toBe('Four')
    expect(await refusal(surgeon.notes.revision({ id: (await start(surgeon)).id, revisionId: kept[0]!.id }))).toMatchObject({ status: 404 })
  })
})

describe('signing a note', () => {
  it('seals it, writes the seal to the audit log, and ends every change', async () => {
    const note = await signed()
    expect(note).toMatchObject({ status: 'signed', signedBy: surgeonAccount.id, isIntact: true, version: 3 })
    const entries = await server.rows<{ after: { seal?: string }; contact_ids: string[] }>(
      `select after, contact_ids from audit_log where kind = 'clinical note' and after->>'id' = $1 and after ? 'seal'`,
      [note.id],
    )
    expect(entries).toEqual([{ after: { id: note.id, status: 'signed', seal: note.seal }, contact_ids: [note.contactId] }])
    for (const call of [
      () => save(surgeon, note, 'Later'),
      () => surgeon.notes.sign({ id: note.id, version: note.version }),
      () => surgeon.notes.takeOver({ id: note.id, version: note.version }),
      () => surgeon.notes.discard({ id: note.id }),
    ])
      expect(await refusal(call())).toMatchObject({ status: 409, code: 'SIGNED', data: { current: { seal: note.seal } } })
  })

  it('is refused for an empty note, an old version, another’s draft, and to administrators', async () => {
    const note = await start(surgeon)
    const blank = await surgeon.notes.save({ id: note.id, version: 1, answers: { plan: ' \n', vitals: { 'Heart rate': ' ' } } })
    expect(await refusal(surgeon.notes.sign({ id: note.id, version: blank.version }))).toMatchObject({ status: 422, code: 'EMPTY' })
    const written = await save(surgeon, blank, 'Rest')
    expect(await refusal(surgeon.notes.sign({ id: note.id, version: blank.version }))).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect((await refusal(colleague.notes.sign({ id: note.id, version: written.version }))).code).toBe('NOT_AUTHOR')
    expect(await refusal(admin.notes.sign({ id: note.id, version: written.version }))).toMatchObject({ status: 403 })
    expect((await surgeon.notes.get({ id: note.id })).status).toBe('draft')
  })

  it('needs a provider for an administrator’s draft', async () => {
    const note = await save(admin, await start(admin), 'Dictated')
    expect(note.needsCosign).toBe(true)
    expect(await surgeon.notes.sign({ id: note.id, version: note.version })).toMatchObject({
      signedBy: surgeonAccount.id,
      needsCosign: true,
    })
  })

  it('can be confirmed once, by another provider', async () => {
    const { id } = await signed()
    expect(await refusal(surgeon.notes.cosign({ id }))).toMatchObject({ status: 409, code: 'OWN_SIGNATURE' })
    expect(await refusal(admin.notes.cosign({ id }))).toMatchObject({ status: 403 })
    expect(await colleague.notes.cosign({ id })).toMatchObject({ isIntact: true, cosignedBy: expect.any(String), version: 3 })
    expect(await refusal(colleague.notes.cosign({ id }))).toMatchObject({ status: 409, code: 'ALREADY_COSIGNED' })
    expect((await refusal(colleague.notes.cosign({ id: (await start(surgeon)).id }))).code).toBe('NOT_SIGNED')
  })

  it('leaves addenda, which are sealed as well, and none for drafts', async () => {
    const { id } = await signed()
    const after = await admin.notes.addAddendum({ id, text: 'Called back:\u0007 no fever.' })
    expect(after).toMatchObject({ isIntact: true, version: 3, addenda: [{ text: 'Called back: no fever.' }] })
    expect((await surgeon.notes.ofContact({ contactId: after.contactId })).data[0]).toMatchObject({ addendumCount: 1 })
    expect((await refusal(surgeon.notes.addAddendum({ id: (await start(surgeon)).id, text: 'Too early' }))).code).toBe('NOT_SIGNED')
    expect(await refusal(surgeon.notes.addAddendum({ id, text: ' ' }))).toMatchObject({ status: 422, code: 'INVALID_INPUT' })
  })
})

describe('a signed note in the database', () => {
  const changes: [string, string][] = [
    ['its text', `sections = jsonb_set(sections, '{0,answer}', '"Altered"')`],
    ['its title', `title = 'Altered'`],
    ['its day', `occurred_on = '2020-01-01'`],
    ['its author', 'author_id = updated_by, updated_by = author_id, needs_cosign = not needs_cosign'],
    ['its signature', `signed_at = signed_at + interval '1 second'`],
    ['its patient at signing', 'patient_at_signing = gen_random_uuid()'],
    ['its status', `status = 'draft', signed_by = null, signed_at = null, patient_at_signing = null, seal = null`],
  ]
  it.each(changes)('refuses a change of %s, and shows one that was made nevertheless', async (_, change) => {
    const { id } = await signed()
    const update = `update clinical_notes set ${change} where id = $1`
    await expect(server.rows(update, [id])).rejects.toThrow('A signed note cannot be changed')
    expect((await surgeon.notes.get({ id })).isIntact).toBe(true)
    if (change.startsWith('status')) return
    await tamper('clinical_notes', update, [id])
    expect((await surgeon.notes.get({ id })).isIntact).toBe(false)
    const pdf = await server.request(`/api/notes/${id}.pdf`, { headers: { cookie: surgeonAccount.cookie } })
    expect((await textOfPdf(new Uint8Array(await pdf.arrayBuffer()))).join()).toContain('Altered after it was signed')
  })

  it('refuses a change of a co-signature and of an addendum, and shows one', async () => {
    const { id } = await signed()
    await colleague.notes.cosign({ id })
    const cosigner = 'update clinical_notes set cosigned_by = signed_by where id = $1'
    await expect(server.rows(cosigner, [id])).rejects.toThrow('A signed note cannot be changed')
    await surgeon.notes.addAddendum({ id, text: 'Called back' })
    const text = `update note_addenda set text = 'Altered' where note_id = $1`
    await expect(server.rows(text, [id])).rejects.toThrow('A signed note cannot be changed')
    await tamper('note_addenda', text, [id])
    expect((await surgeon.notes.get({ id })).isIntact).toBe(false)
    await tamper('note_addenda', `update note_addenda set text = 'Called back' where note_id = $1`, [id])
    expect((await surgeon.notes.get({ id })).isIntact).toBe(true)
    await tamper('clinical_notes', cosigner, [id])
    expect((await surgeon.notes.get({ id })).isIntact).toBe(false)
  })

  it('refuses its deletion, and that of an addendum, unless the patient is deleted', async () => {
    const { id } = await signed()
    await surgeon.notes.addAddendum({ id, text: 'Called back' })
    await expect(server.rows('delete from note_addenda where note_id = $1', [id])).rejects.toThrow('deleted only with its note')
    await server.rows('delete from note_revisions where note_id = $1', [id])
    await expect(
      server.rows('with a as (delete from note_addenda where note_id = $1) delete from clinical_notes where id = $1', [id]),
    ).rejects.toThrow('deleted only with its patient')
    for (const table of ['clinical_notes', 'note_addenda'])
      await expect(server.rows(`truncate ${table} cascade`)).rejects.toThrow('cannot be changed')
    expect((await surgeon.notes.get({ id })).addenda).toHaveLength(1)
  })

  it('shows a note that was put into another patient’s record', async () => {
    const { id } = await signed()
    await server.rows('update clinical_notes set contact_id = $2 where id = $1', [id, await patient()])
    expect((await surgeon.notes.get({ id })).isIntact).toBe(false)
  })

  it('is compared with the audit log by the verification', async () => {
    const { db, env } = server.running.runtime
    const before = new Set((await verifyNotes(db, env)).problems)
    const found = async () => (await verifyNotes(db, env)).problems.filter((problem) => !before.has(problem)).toSorted()
    const [kept, removed, altered] = [await signed(), await signed(), await signed()]
    await surgeon.notes.addAddendum({ id: kept.id, text: 'Called back' })
    expect(await found()).toEqual([])
    await server.rows('delete from note_revisions where note_id = $1', [removed.id])
    await tamper('clinical_notes', 'delete from clinical_notes where id = $1', [removed.id])
    await tamper('clinical_notes', `update clinical_notes set title = 'Altered' where id = $1`, [altered.id])
    const [addendum] = await server.rows<{ id: string }>('select id from note_addenda where note_id = $1', [kept.id])
    await tamper('note_addenda', 'delete from note_addenda where id = $1', [addendum!.id])
    expect(await found()).toEqual(
      [
        `Addendum ${addendum!.id} was removed, or sealed again`,
        `Clinical note ${altered.id} was altered, or moved to another patient`,
        `Clinical note ${removed.id} was removed, or sealed again`,
      ].toSorted(),
    )
  })
})

describe('a patient’s notes', () => {
  const merge = async (id: string, sourceId: string) => {
    const seen = await admin.contacts.mergePreview({ id, sourceId })
    return admin.contacts.merge({ id, version: seen.target.version, sourceId, sourceVersion: seen.source.version, choices: {} })
  }

  it('move in a merge and back with its undo, sealed all the time', async () => {
    const [target, source] = [await patient(), await patient()]
    const moved = await signed(surgeon, source)
    const draft = await start(surgeon, source)
    const { mergeId } = await merge(target, source)
    expect(await surgeon.notes.get({ id: moved.id })).toMatchObject({ contactId: target, isIntact: true })
    const signedMeanwhile = await save(surgeon, draft, 'Signed after the merge')
    await surgeon.notes.sign({ id: draft.id, version: signedMeanwhile.version })
    await admin.contacts.undoMerge({ id: mergeId })
    expect(await surgeon.notes.get({ id: moved.id })).toMatchObject({ contactId: source, isIntact: true })
    expect(await surgeon.notes.get({ id: draft.id })).toMatchObject({ contactId: source, isIntact: true, status: 'signed' })
  })

  it('are deleted with the patient and restored unchanged, with valid seals', async () => {
    const contactId = await patient()
    const note = await signed(surgeon, contactId)
    await surgeon.notes.addAddendum({ id: note.id, text: 'Called back' })
    await colleague.notes.cosign({ id: note.id })
    const before = await surgeon.notes.get({ id: note.id })
    const settled = ({ id }: { id: string }) =>
      until(async () => {
        const progress = await admin.bulkChanges.get({ id })
        return progress.status !== 'running' && progress.status !== 'undoing' && progress
      })
    const deletion = await settled(
      await admin.bulkChanges.start({ selection: { ids: [contactId] }, change: { kind: 'delete', forGood: false } }),
    )
    expect(await refusal(surgeon.notes.get({ id: note.id }))).toMatchObject({ status: 404 })
    await settled(await admin.bulkChanges.undo({ id: deletion.id }))
    expect(await surgeon.notes.get({ id: note.id })).toEqual(before)
    expect(before).toMatchObject({ isIntact: true, addenda: [{ text: 'Called back' }] })
    await admin.contacts.delete({ id: contactId })
    expect(await server.rows('select from clinical_notes where id = $1', [note.id])).toEqual([])
  })

  it('are in the export of the whole record, as rows and as PDFs', async () => {
    const contactId = await patient()
    await server.rows(`update contacts set date_of_birth = '1988-03-14' where id = $1`, [contactId])
    const note = await signed(surgeon, contactId)
    await surgeon.notes.addAddendum({ id: note.id, text: 'Called back' })
    const draft = await start(surgeon, contactId)
    const response = await server.request(`/api/contacts/${contactId}/whole-record.zip`, {
      headers: { cookie: await server.signIn('admin') },
    })
    const entries = await unzip(Buffer.from(await response.arrayBuffer()))
    const record = JSON.parse(entries.get('record.json')!.toString()) as Record<string, { id: string; file?: string }[]>
    expect(record.clinical_notes!.map(({ id }) => id).toSorted()).toEqual([note.id, draft.id].toSorted())
    expect(record.note_addenda).toMatchObject([{ text: 'Called back' }])
    const { file } = record.clinical_notes!.find(({ id }) => id === note.id)!
    expect((await textOfPdf(entries.get(file!)!)).join()).toContain('Rest for two weeks.')
  })

  it('print with both identifiers on each page, the signature, addenda and the seal', async () => {
    const contactId = await patient()
    await server.rows(`update contacts set date_of_birth = '1988-03-14' where id = $1`, [contactId])
    const long = await save(surgeon, await start(surgeon, contactId), 'A long line of text.\n'.repeat(120))
    const note = await surgeon.notes.sign({ id: long.id, version: long.version })
    await admin.notes.addAddendum({ id: note.id, text: 'Called back' })
    const get = (cookie: string) => server.request(`/api/notes/${note.id}.pdf`, { headers: { cookie } })
    const response = await get(surgeonAccount.cookie)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    const pages = await textOfPdf(new Uint8Array(await response.arrayBuffer()))
    expect(pages.length).toBeGreaterThan(1)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('Ana Silva · Born Mar 14, 1988')
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    }
    expect(pages.at(-1)).toContain('Signed electronically by Test provider on Nov 20, 2026')
    expect(pages.at(-1)).toContain('Addendum by Test admin')
    expect(pages.at(-1)).toContain(note.seal)
    const [entry] = await server.rows(`select action, contact_ids from audit_log where after->>'id' = $1 and action = 'exported'`, [
      note.id,
    ])
    expect(entry).toEqual({ action: 'exported', contact_ids: [contactId] })
    expect((await get(await server.signIn('sales_rep'))).status).toBe(403)
    const draft = await start(surgeon, contactId)
    const early = await server.request(`/api/notes/${draft.id}.pdf`, { headers: { cookie: surgeonAccount.cookie } })
    expect([early.status, await early.json()]).toMatchObject([409, { code: 'NOT_SIGNED' }])
  })

  it('are recorded as viewed, each time they are read', async () => {
    const contactId = await patient()
    const note = await signed(surgeon, contactId)
    const views = async () =>
      (
        await server.rows<{ n: number }>(
          `select count(*)::int as n from audit_log where kind = 'clinical note' and action = 'viewed' and contact_ids = array[$1::uuid]`,
          [contactId],
        )
      )[0]!.n
    const before = await views()
    await surgeon.notes.ofContact({ contactId })
    await surgeon.notes.get({ id: note.id })
    await surgeon.notes.revisions({ id: note.id })
    expect(await views()).toBe(before + 3)
    // A refusal shows the note as well.
    await refusal(admin.notes.save({ id: note.id, version: 1, answers: {} }))
    expect(await views()).toBe(before + 4)
  })

  it.each<Role>(['sales_rep', 'front_desk', 'billing'])('are not shown to %s by any path', async (role) => {
    const word = `secretive${randomUUID().slice(0, 8)}`
    const [contactId, other] = [await patient(), await patient()]
    const note = await save(surgeon, await start(surgeon, contactId), word)
    await surgeon.notes.sign({ id: note.id, version: note.version })
    const cookie = await server.signIn(role)
    const text = async (path: string) => (await server.request(path, { headers: { cookie } })).text()
    const paths = [
      `/api/contacts/${contactId}`,
      `/api/contacts/${contactId}/notes`,
      `/api/notes/${note.id}`,
      `/api/contacts/${contactId}/interactions`,
      `/api/contacts/${contactId}/history`,
      `/api/contacts/${other}/merge-preview?sourceId=${contactId}`,
      `/api/contacts/find?query=${word}`,
      `/api/contacts?search=${word}`,
      '/api/contacts/export.csv',
      '/api/dashboard',
    ]
    for (const path of paths) {
      const body = await text(path)
      expect([path, body.includes(word), body.includes('clinical_note')]).toEqual([path, false, false])
    }
  })

  it('are open to API keys with the scope only, which never sign', async () => {
    const contactId = await patient()
    const note = await signed(surgeon, contactId)
    const keyWith = async (scopes: KeyScope[]) => (await admin.apiKeys.create({ name: randomUUID(), scopes, days: 1 })).token
    const ask = async (key: string, method: string, path: string, body?: object) =>
      (
        await server.request(path, {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
      ).status
    const [reader, writer, other] = [await keyWith(['notes:read']), await keyWith(['notes:write']), await keyWith(['contacts:read'])]
    expect(await ask(reader, 'GET', `/api/notes/${note.id}`)).toBe(200)
    expect(await ask(other, 'GET', `/api/notes/${note.id}`)).toBe(403)
    expect(await ask(reader, 'POST', `/api/contacts/${contactId}/notes`, { templateId })).toBe(403)
    expect(await ask(writer, 'POST', `/api/contacts/${contactId}/notes`, { templateId })).toBe(200)
    expect(await ask(writer, 'POST', `/api/notes/${note.id}/sign`, { version: 3 })).toBe(403)
  })
})

describe('note templates', () => {
  it('come with five starters, for each kind of visit', async () => {
    const list = await surgeon.notes.templates()
    const starters = list.filter(({ updatedBy }) => updatedBy === null).map(({ name, kind }) => [name, kind])
    expect(starters).toEqual([
      ['Consultation', 'consult'],
      ['Pre-operative assessment', 'pre_op'],
      ['Operative note', 'operative'],
      ['Post-operative visit', 'post_op'],
      ['Phone call', 'phone'],
    ])
    const contactId = await patient()
    for (const { id, sections } of list)
      expect((await surgeon.notes.create({ contactId, templateId: id })).sections).toHaveLength(sections.length)
  })

  it('are changed in the version that was read, under a name of their own, without changing notes', async () => {
    const { id } = await surgeon.notes.addTemplate({
      name: 'Botox visit',
      kind: 'other',
      sections: [{ id: 'plan', title: 'Plan', type: 'text' }],
    })
    const note = await surgeon.notes.create({ contactId: await patient(), templateId: id })
    const change = {
      id,
      version: 1,
      name: 'Injection visit',
      kind: 'other' as const,
      sections: [{ id: 'site', title: 'Site', type: 'text' as const }],
    }
    expect(await admin.notes.changeTemplate({ ...change, isActive: false })).toMatchObject({ version: 2, isActive: false })
    expect(await refusal(admin.notes.changeTemplate(change))).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect((await refusal(admin.notes.changeTemplate({ ...change, version: 2, name: 'OPERATIVE NOTE' }))).code).toBe('NAME_TAKEN')
    expect((await refusal(surgeon.notes.create({ contactId: note.contactId, templateId: id }))).code).toBe('INVALID_REFERENCE')
    expect((await surgeon.notes.get({ id: note.id })).sections).toMatchObject([{ id: 'plan' }])
  })

  it('are refused without sections, options or headings, and with ids twice', async () => {
    const fieldsOf = async (sections: object[]) =>
      Object.keys(
        (await refusal(surgeon.notes.addTemplate({ name: randomUUID(), kind: 'other', sections: sections as never }))).data?.fields ?? {},
      )
    expect(await fieldsOf([])).toEqual(['sections'])
    expect(await fieldsOf([{ id: 'a', title: ' ', type: 'text' }])).toEqual(['sections.0.title'])
    expect(await fieldsOf([{ id: 'a', title: 'A', type: 'choice' }])).toEqual(['sections.0.options'])
    expect(await fieldsOf([1, 2].map(() => ({ id: 'a', title: 'A', type: 'text' })))).toEqual(['sections'])
    expect(await fieldsOf(Array.from({ length: 41 }, (_, i) => ({ id: `s${i}`, title: 'A', type: 'text' })))).toEqual(['sections'])
  })
})
