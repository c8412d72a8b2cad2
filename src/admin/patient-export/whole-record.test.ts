import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeChildRows } from '../../../test/child-rows.ts'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/pdf.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { unzip } from '../../../test/zip.ts'
import { allContactTables, exportedTables, patientTableNames, recordParts } from '../../kernel/patient-tables/rules.ts'
import { hiddenColumns } from './parts.ts'
import { withheldReasons } from './rules.ts'

const server = useServer({ PRACTICE_NAME: 'Harbourview', PRACTICE_PHONE: '(905) 555-0118' })

const get = async (id: string, init: RequestInit = {}) =>
  server.request(`/api/contacts/${id}/whole-record.zip`, { headers: { cookie: await server.signIn('admin') }, ...init })

type Rows = Record<string, unknown>[]
async function recordOf(id: string) {
  const answer = await get(id)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const entries = await unzip(bytes)
  const record = JSON.parse(entries.get('record.json')!.toString()) as Record<string, Rows>
  const said = [entries.get('record.json')!, entries.get('index.html')!].map(String).join('\n')
  return { answer, entries, names: [...entries.keys()], record, page: entries.get('index.html')!.toString(), said }
}

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)
async function upload(contactId: string, name: string, bytes = pdf(randomUUID())): Promise<string> {
  const answer = await server.request(`/api/contacts/${contactId}/documents?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie: await server.signIn('admin') },
    body: new Uint8Array(bytes),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

/** A receipt of a customer, who is this patient, with everything that QuickBooks and a till know of it. */
async function insertReceipt(contactId: string, docNumber: string): Promise<void> {
  const customerId = randomUUID()
  await server.rows('insert into contact_customers (contact_id, customer_id, linked_at) values ($1, $2, now())', [contactId, customerId])
  await server.rows(
    `insert into sales_receipts (state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes, subtotal_cents,
       discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, doc_number, is_uncertain, created_at)
     values ('complete', gen_random_uuid(), 'payload-secret', gen_random_uuid()::text, 'realm-secret', $1, 'Ana Test', '[]', '[]', 100, 0, 0, 13, 113, '35',
       'Chequing', $2, false, now())`,
    [customerId, docNumber],
  )
}

/** Something in every table that a record is made of. */
async function fill(contactId: string, word: string): Promise<void> {
  await server.signIn('admin') // whose tasks they are
  await makeChildRows(server, contactId, word)
  await insertReceipt(contactId, word)
  await server.rows('update contacts set email = $2, notes = $3 where id = $1', [
    contactId,
    `${word}@elsewhere.example`,
    `Notes of ${word}`,
  ])
  await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [`${word}@elsewhere.example`])
  await server.rows(
    `insert into portal_codes (email, code_hash, contact_id, created_at, expires_at) values ($2, 'code-secret', $1, now(), now())`,
    [contactId, `${word}@elsewhere.example`],
  )
  await server.rows(
    `insert into portal_sessions (token_hash, contact_id, created_at, last_seen_at) values ('token-secret' || $2, $1, now(), now())`,
    [contactId, word],
  )
  await server.rows(
    `insert into lead_entries (source_id, status, raw_data, raw_body, content_type)
     select id, 'error', jsonb_build_object('email', $1::text, 'message', 'Unowned ' || $2), '', '' from lead_sources limit 1`,
    [`${word.toUpperCase()}@elsewhere.example`, word],
  )
}

describe('issue 9: what a record is made of', () => {
  it('no column of theirs that opens or proves something leaves with it', async () => {
    const columns = await server.rows<{ name: string }>(
      `select distinct column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = any($1) and column_name ~ 'hash|secret|token|sealed|password|_key$'`,
      [exportedTables],
    )
    // By which answers are found, and nothing else.
    const harmless = ['subject_key']
    const told = columns.map(({ name }) => name).filter((name) => !(hiddenColumns as readonly string[]).includes(name))
    expect(told.filter((name) => !harmless.includes(name))).toEqual([])
  })
})

describe('issue 9: one patient’s whole record, for access requests', () => {
  it('holds every row of theirs with names in the place of ids, and nothing of anyone else', async () => {
    const [id, other] = await insertContacts(server, [{ firstName: 'Éloïse' }, { firstName: 'No one', lastName: 'Elsewhere' }])
    const [word, otherWord] = [`mine${Date.now()}`, `other${Date.now()}`]
    await fill(id!, word)
    await fill(other!, otherWord)
    const { record, said, page } = await recordOf(id!)

    const empty = Object.keys(recordParts).filter((part) => record[part]!.length === 0)
    expect(empty).toEqual(['merged_patients'])
    for (const table of allContactTables) expect([table, record[patientTableNames[table].part]!.length > 0]).toEqual([table, true])
    expect(record.patient).toMatchObject([{ first_name: 'Éloïse', email: `${word}@elsewhere.example`, funnel_stage: 'Lead' }])
    expect(record.tasks![0]).toMatchObject({ assigned_to: expect.stringMatching(/\w+ \w+/) })
    expect(record.surgery_checklists).toMatchObject([{ words: 'Blood count' }])
    expect(record.tags).toMatchObject([{ tag_id: `tag ${word}` }])
    expect(record.stages).toMatchObject([{ to_stage: 'Contacted' }])
    expect(record.lead_forms!.map(({ raw_data }) => (raw_data as { message?: string }).message)).toContain(`Unowned ${word}`)
    expect(record.receipts).toMatchObject([{ doc_number: word, total_cents: 113, file: `pdf/Receipt ${word}.pdf` }])
    expect(record.audit_log!.at(-1)).toMatchObject({ action: 'exported', kind: 'whole-record', role: 'admin', by: expect.any(String) })
    // As PostgreSQL has it, digit by digit.
    expect(said).toContain('12345678901234567890')

    for (const trace of [other!, otherWord, 'Elsewhere']) expect(said).not.toContain(trace)
    for (const secret of ['code-secret', 'token-secret', 'payload-secret', 'realm-secret']) expect(said).not.toContain(secret)
    for (const column of hiddenColumns) expect(said).not.toContain(`"${column}"`)
    expect(page).toContain('Everything that Harbourview keeps of Éloïse Test')
    expect(page).toContain('(905) 555-0118')
  })

  it('a form without a patient that has an address which is someone else’s as well is no one’s', async () => {
    const email = `${randomUUID()}@elsewhere.example`
    const [id] = await insertContacts(server, [{ email }, { otherEmails: [email] }])
    await server.rows(
      `insert into lead_entries (source_id, status, raw_data, raw_body, content_type)
       select id, 'error', jsonb_build_object('email', $1::text), '', '' from lead_sources limit 1`,
      [email],
    )
    expect((await recordOf(id!)).record.lead_forms).toEqual([])
  })

  it('holds the files with names of their own that any computer takes, in every script, and the page leads to each', async () => {
    const id = await insertContact(server, { firstName: '<b>Ana' })
    const given = ['Référence 2.pdf', 'référence 2.pdf', '術前写真.pdf', '../../etc/passwd.pdf', 'CON.pdf', 'a&b <i>.pdf']
    const sent = new Map<string, Buffer>()
    for (const name of given) {
      const bytes = pdf(name)
      const documentId = await upload(id, 'Scan.pdf', bytes)
      // Whatever was let in by whom.
      await server.rows('update documents set name = $2 where id = $1', [documentId, name])
      sent.set(documentId, bytes)
    }
    const { names, entries, record, page } = await recordOf(id)
    const files = names.filter((name) => name.startsWith('documents/'))
    expect(files).toEqual([
      'documents/Référence 2.pdf',
      'documents/référence 2 (2).pdf',
      'documents/術前写真.pdf',
      'documents/passwd.pdf',
      'documents/CON_.pdf',
      'documents/a&b i.pdf',
    ])
    for (const { id: documentId, file } of record.documents! as { id: string; file: string }[])
      expect(entries.get(file)!.equals(sent.get(documentId)!)).toBe(true)
    const linked = [...page.matchAll(/href="(documents\/[^"]+)"/g)].map(([, href]) => decodeURIComponent(href!))
    expect(linked).toEqual(files)
    expect(page).toContain('a&amp;b i.pdf')
    expect(page).toContain('&lt;b&gt;Ana Test')
    expect(page).not.toMatch(/<[ib]>/)
  })

  it('holds receipts, quotes and the statement as PDFs', async () => {
    const id = await insertContact(server)
    await makeChildRows(server, id, randomUUID())
    await insertReceipt(id, '1042')
    await insertReceipt(id, '1042')
    const { entries, names, page } = await recordOf(id)
    const [quote] = await server.rows<{ number: number }>('select number from quotes where contact_id = $1', [id])
    const papers = names.filter((name) => name.startsWith('pdf/'))
    expect(papers).toEqual([
      'pdf/Receipt 1042.pdf',
      'pdf/Receipt 1042 (2).pdf',
      `pdf/Quote ${quote!.number}.pdf`,
      'pdf/Statement of account.pdf',
    ])
    for (const paper of papers) expect((await textOfPdf(new Uint8Array(entries.get(paper)!))).join(' ')).toContain('Harbourview')
    expect(page).toContain('href="pdf/Statement%20of%20account.pdf"')
  })

  it('names the files that are scanned, infected or lost, and holds the others; what was deleted is not in it', async () => {
    const id = await insertContact(server)
    const [fine, waiting, infected, lost, deleted] = [
      await upload(id, 'Fine.pdf'),
      await upload(id, 'Waiting.pdf'),
      await upload(id, 'Infected.pdf'),
      await upload(id, 'Lost.pdf'),
      await upload(id, 'Someone else’s.pdf'),
    ]
    await server.rows("update documents set scan_state = 'pending' where id = $1", [waiting])
    await server.rows("update documents set scan_state = 'infected' where id = $1", [infected])
    const [row] = await server.rows<{ storage_key: string }>('select storage_key from documents where id = $1', [lost])
    await server.running.runtime.files.delete(row!.storage_key)
    await (await server.as('admin')).documents.delete({ id: deleted })
    const { names, record, page } = await recordOf(id)
    expect(names.filter((name) => name.startsWith('documents/'))).toEqual(['documents/Fine.pdf'])
    expect(record.documents!.map(({ id: documentId }) => documentId)).toEqual([fine, waiting, infected, lost])
    for (const [name, reason] of [
      ['Waiting.pdf', withheldReasons.pending],
      ['Infected.pdf', withheldReasons.infected],
      ['Lost.pdf', withheldReasons.missing],
    ] as const)
      expect(page).toContain(`<li>${name}: ${reason}</li>`)

    const outline = await (await server.as('admin')).wholeRecords.outline({ contactId: id })
    expect(outline.files).toMatchObject({ count: 4, withheld: 2 })
  })

  it('holds what belonged to patients who were merged into them, who they were, and who saw them', async () => {
    const admin = await server.as('admin')
    const [id, source] = await insertContacts(server, [{}, { firstName: 'Former', lastName: 'Name' }])
    await makeChildRows(server, source!)
    await admin.contacts.get({ id: source! })
    const seen = await admin.contacts.mergePreview({ id: id!, sourceId: source! })
    await admin.contacts.merge({
      id: id!,
      version: seen.target.version,
      sourceId: source!,
      sourceVersion: seen.source.version,
      choices: {},
    })
    const { record } = await recordOf(id!)
    expect(record.merged_patients).toMatchObject([{ id: source, first_name: 'Former', last_name: 'Name', merged_by: 'Test admin' }])
    for (const part of ['timeline', 'tasks', 'appointments', 'messages', 'consents'])
      expect([part, record[part]!.length > 0]).toEqual([part, true])
    expect(record.audit_log!.some(({ action, by }) => action === 'viewed' && by === 'Test admin')).toBe(true)
  })

  it('the outline counts what it would hold, and is a view in the audit log; of no one it is 404', async () => {
    const admin = await server.as('admin')
    const id = await insertContact(server)
    expect(await admin.wholeRecords.outline({ contactId: id })).toEqual({
      parts: [],
      files: { count: 0, bytes: 0, withheld: 0 },
      papers: 0,
    })
    await makeChildRows(server, id)
    const outline = await admin.wholeRecords.outline({ contactId: id })
    expect(outline.parts).toEqual(
      ['timeline', 'tasks', 'appointments', 'surgeries', 'quotes', 'account', 'messages', 'consents'].map((part) => ({ part, count: 1 })),
    )
    expect(outline).toMatchObject({ files: { count: 1, bytes: 3 }, papers: 2 })
    const views = await server.rows(
      "select 1 from audit_log where kind = 'whole-record' and action = 'viewed' and contact_ids = array[$1::uuid]",
      [id],
    )
    expect(views).toHaveLength(2)
    expect((await server.send('GET', `/api/contacts/${randomUUID()}/whole-record`, undefined, await server.signIn('admin'))).status).toBe(
      404,
    )
  })

  it('needs a proof of the last five minutes; no API key may, whatever its scopes', async () => {
    const id = await insertContact(server)
    const account = await server.account({ role: 'admin' })
    const { token } = await server
      .client(account.cookie)
      .apiKeys.create({ name: 'All', scopes: ['contacts:read', 'documents:read'], days: 1 })
    await server.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [account.id])
    const answer = await get(id, { headers: { cookie: account.cookie } })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'STEP_UP_REQUIRED'])
    const byKey = await get(id, { headers: { authorization: `Bearer ${token}` } })
    expect([byKey.status, ((await byKey.json()) as { message: string }).message]).toEqual([403, 'This API key may not do this'])
    expect(await server.rows("select 1 from audit_log where action = 'exported' and contact_ids = array[$1::uuid]", [id])).toEqual([])
  })

  it('is in the audit log before it leaves: where that cannot be written, nothing leaves, and the next may', async () => {
    const id = await insertContact(server)
    await server.rows('revoke insert on audit_log from refyne_app')
    for (let i = 0; i < 3; i++) expect((await get(id)).status).toBe(500)
    await server.rows('grant insert on audit_log to refyne_app')
    const { answer } = await recordOf(id)
    const rows = await server.rows('select action, kind, contact_ids from audit_log where request_id = $1', [
      answer.headers.get('x-request-id'),
    ])
    expect(rows).toEqual([{ action: 'exported', kind: 'whole-record', contact_ids: [id] }])
    expect(decodeURIComponent(answer.headers.get('content-disposition')!)).toMatch(/Ana Test, whole record, \d{4}-\d{2}-\d{2}\.zip$/)
  })

  it('anyone who goes away ends the reading, and leaves room for the next; two at once, and no third', async () => {
    const id = await insertContact(server)
    await server.rows(
      `insert into interactions (contact_id, type, description)
       select $1, 'note', string_agg(md5(random()::text), '') from generate_series(1, 3000) as i, generate_series(1, 400) group by i`,
      [id],
    )
    const reading = `select count(*)::int as n from pg_stat_activity where state like 'idle in transaction%' and query like '%lines%' and datname = current_database()`
    const aborts = [new AbortController(), new AbortController()]
    for (const { signal } of aborts) {
      const answer = await get(id, { signal })
      expect(answer.status).toBe(200)
      await answer.body!.getReader().read()
    }
    const third = await get(id)
    expect(third.status).toBe(429)
    for (const abort of aborts) abort.abort()
    await until(async () => (await server.rows<{ n: number }>(reading))[0]!.n === 0)
    const next = await insertContact(server)
    const again = await until(async () => {
      const answer = await get(next)
      return answer.status === 200 && answer
    })
    expect((await unzip(Buffer.from(await again.arrayBuffer()))).has('index.html')).toBe(true)
  })
})
