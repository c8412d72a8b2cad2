import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertChildRows } from '../../../test/crm/child-rows.ts'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { textOfPdf } from '../../../test/formats/pdf.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { unzip } from '../../../test/formats/zip.ts'
import { allContactTables, exportedTables, patientTableNames, recordParts } from '../../kernel/patient-tables/rules.ts'
import { hiddenColumns } from './parts.ts'
import { withheldReasons } from './rules.ts'

const server = useServer({ PRACTICE_NAME: 'Harbourview', PRACTICE_PHONE: '(905) 555-0118' })

const get = async (id: string, init: RequestInit = {}) =>
  server.request(`/api/contacts/${id}/whole-record.zip`, { headers: { cookie: await server.signIn('admin') }, ...init })

type Rows = Record<string, unknown>[]
async function recordOf(id: string) {
  const response = await get(id)
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  const entries = await unzip(bytes)
  const record = JSON.parse(entries.get('record.json')!.toString()) as Record<string, Rows>
  const text = [entries.get('record.json')!, entries.get('index.html')!].map(String).join('\n')
  return { response, entries, names: [...entries.keys()], record, page: entries.get('index.html')!.toString(), text }
}

const pdf = (comment: string) => Buffer.from(`%PDF-1.4\n% ${comment}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)
async function upload(contactId: string, name: string, bytes = pdf(randomUUID())): Promise<string> {
  const response = await server.request(`/api/contacts/${contactId}/documents?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { cookie: await server.signIn('admin') },
    body: new Uint8Array(bytes),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

/** Inserts a receipt for the patient's QuickBooks customer, with every column filled. */
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

/** Inserts a row in every table that the export reads. */
async function fillRecord(contactId: string, word: string): Promise<void> {
  await server.signIn('admin') // the assignee of the tasks
  await insertChildRows(server, contactId, word)
  await insertReceipt(contactId, word)
  await server.rows(
    `with receipt as (select id, customer_id from sales_receipts where doc_number = $1),
       account as (insert into prepaid_accounts (kind, customer_id, code_hash, sealed_code, last4, created_at)
         select 'gift-card', customer_id, 'code-secret' || $1, 'code-secret', 'ABCD', now() from receipt returning id)
     insert into prepaid_entries (account_id, kind, amount_cents, receipt_id, created_at)
     select account.id, 'sold', 100, receipt.id, now() from account, receipt`,
    [word],
  )
  await server.rows(
    `insert into quote_financings (quote_id, provider, applied_on, created_at, updated_at)
     select id, 'Medicard', current_date, now(), now() from quotes where contact_id = $1 limit 1`,
    [contactId],
  )
  await server.rows(
    `insert into visit_fees (appointment_id, kind, amount_cents, state, reason, created_at, updated_at)
     select id, 'no_show', 10000, 'waived', 'Was ill', now(), now() from appointments where contact_id = $1 limit 1`,
    [contactId],
  )
  await server.rows('update contacts set email = $2, notes = $3 where id = $1', [
    contactId,
    `${word}@elsewhere.example`,
    `Notes of ${word}`,
  ])
  await server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [`${word}@elsewhere.example`])
  await server.rows(
    `insert into tablet_sessions (contact_id, items, opened_by, opened_at, code_hash, code_expires_at)
     values ($1, '[]', (select id from profiles limit 1), now(), 'code-secret', now())`,
    [contactId],
  )
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

describe('exported columns', () => {
  it('hides every column that holds a secret or a proof', async () => {
    const columns = await server.rows<{ name: string }>(
      `select distinct column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = any($1) and column_name ~ 'hash|secret|token|sealed|password|_key$'`,
      [exportedTables],
    )
    // Only used to look up answers.
    const harmless = ['subject_key', 'hash', 'text_hash', 'sealed_at']
    const exposed = columns.map(({ name }) => name).filter((name) => !(hiddenColumns as readonly string[]).includes(name))
    expect(exposed.filter((name) => !harmless.includes(name))).toEqual([])
  })
})

describe('patient record export', () => {
  it('contains every row of the patient with names instead of ids, and nothing about anyone else', async () => {
    const [id, other] = await insertContacts(server, [{ firstName: 'Éloïse' }, { firstName: 'No one', lastName: 'Elsewhere' }])
    const [word, otherWord] = [`mine${Date.now()}`, `other${Date.now()}`]
    await fillRecord(id!, word)
    await fillRecord(other!, otherWord)
    await server.rows(`update contacts set phone = '905 555 0161' where id = $1`, [id])
    await server.rows(
      `insert into suppressed_addresses (address, reason, since) values ('+19055550161', 'stopped', now()), ('+19055550162', 'stopped', now())`,
    )
    const { record, text, page } = await recordOf(id!)

    const empty = Object.keys(recordParts).filter((part) => record[part]!.length === 0)
    expect(empty).toEqual(['merged_patients'])
    for (const table of allContactTables) expect([table, record[patientTableNames[table].part]!.length > 0]).toEqual([table, true])
    expect(record.blocked_addresses!.map(({ address }) => address).toSorted()).toEqual(['+19055550161', `${word}@elsewhere.example`])
    expect(record.patient).toMatchObject([{ first_name: 'Éloïse', email: `${word}@elsewhere.example`, funnel_stage: 'Lead' }])
    expect(record.tasks![0]).toMatchObject({ assigned_to: expect.stringMatching(/\w+ \w+/) })
    expect(record.surgery_checklists).toMatchObject([{ words: 'Blood count' }])
    expect(record.tags).toMatchObject([{ tag_id: `tag ${word}` }])
    expect(record.stages).toMatchObject([{ to_stage: 'Contacted' }])
    expect(record.lead_forms!.map(({ raw_data }) => (raw_data as { message?: string }).message)).toContain(`Unowned ${word}`)
    expect(record.receipts).toMatchObject([{ doc_number: word, total_cents: 113, file: `pdf/Receipt ${word}.pdf` }])
    expect(record.audit_log!.at(-1)).toMatchObject({ action: 'exported', kind: 'whole-record', role: 'admin', by: expect.any(String) })
    // Every digit, as PostgreSQL writes it.
    expect(text).toContain('12345678901234567890')

    for (const trace of [other!, otherWord, 'Elsewhere']) expect(text).not.toContain(trace)
    for (const secret of ['code-secret', 'token-secret', 'payload-secret', 'realm-secret']) expect(text).not.toContain(secret)
    for (const column of hiddenColumns) expect(text).not.toContain(`"${column}"`)
    expect(page).toContain('Everything Harbourview has on file for Éloïse Test')
    expect(page).toContain('(905) 555-0118')
  })

  it('leaves out an unmatched form whose address belongs to two patients', async () => {
    const email = `${randomUUID()}@elsewhere.example`
    const [id] = await insertContacts(server, [{ email }, { otherEmails: [email] }])
    await server.rows(
      `insert into lead_entries (source_id, status, raw_data, raw_body, content_type)
       select id, 'error', jsonb_build_object('email', $1::text), '', '' from lead_sources limit 1`,
      [email],
    )
    expect((await recordOf(id!)).record.lead_forms).toEqual([])
  })

  it('gives files unique names in any script that every operating system accepts, and links to each from the index page', async () => {
    const id = await insertContact(server, { firstName: '<b>Ana' })
    const uploadedNames = ['Référence 2.pdf', 'référence 2.pdf', '術前写真.pdf', '../../etc/passwd.pdf', 'CON.pdf', 'a&b <i>.pdf']
    const uploaded = new Map<string, Buffer>()
    for (const name of uploadedNames) {
      const bytes = pdf(name)
      const documentId = await upload(id, 'Scan.pdf', bytes)
      // Sets the name directly, past the checks at upload.
      await server.rows('update documents set name = $2 where id = $1', [documentId, name])
      uploaded.set(documentId, bytes)
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
      expect(entries.get(file)!.equals(uploaded.get(documentId)!)).toBe(true)
    const links = [...page.matchAll(/href="(documents\/[^"]+)"/g)].map(([, href]) => decodeURIComponent(href!))
    expect(links).toEqual(files)
    expect(page).toContain('a&amp;b i.pdf')
    expect(page).toContain('&lt;b&gt;Ana Test')
    expect(page).not.toMatch(/<[ib]>/)
  })

  it('contains clinical notes, receipts, quotes and the statement as PDFs, each with the name and the birth date', async () => {
    const id = await insertContact(server)
    await server.rows("update contacts set date_of_birth = '1984-02-29' where id = $1", [id])
    await insertChildRows(server, id, randomUUID())
    await insertReceipt(id, '1042')
    await insertReceipt(id, '1042')
    const { entries, names, page } = await recordOf(id)
    const [quote] = await server.rows<{ number: number }>('select number from quotes where contact_id = $1', [id])
    const [note] = await server.rows<{ title: string }>('select title from clinical_notes where contact_id = $1', [id])
    const pdfNames = names.filter((name) => name.startsWith('pdf/'))
    expect(pdfNames).toEqual([
      `pdf/2026-01-15 ${note!.title}.pdf`,
      'pdf/Receipt 1042.pdf',
      'pdf/Receipt 1042 (2).pdf',
      `pdf/Quote ${quote!.number}.pdf`,
      'pdf/Statement of account.pdf',
    ])
    for (const name of pdfNames) {
      const text = (await textOfPdf(new Uint8Array(entries.get(name)!))).join(' ')
      for (const words of ['Harbourview', 'Patient Ana Test', 'Date of birth Feb 29, 1984'])
        expect([name, text]).toEqual([name, expect.stringContaining(words)])
    }
    expect(page).toContain('<p>Born Feb 29, 1984</p>')
    expect(page).toContain('href="pdf/Statement%20of%20account.pdf"')
  })

  it('lists unscanned, infected and missing files by name, contains the others, and leaves out deleted documents', async () => {
    const id = await insertContact(server)
    const [clean, pending, infected, lost, deleted] = [
      await upload(id, 'Fine.pdf'),
      await upload(id, 'Waiting.pdf'),
      await upload(id, 'Infected.pdf'),
      await upload(id, 'Lost.pdf'),
      await upload(id, 'Someone else’s.pdf'),
    ]
    await server.rows("update documents set scan_state = 'pending' where id = $1", [pending])
    await server.rows("update documents set scan_state = 'infected' where id = $1", [infected])
    const [row] = await server.rows<{ storage_key: string }>('select storage_key from documents where id = $1', [lost])
    await server.running.runtime.files.delete(row!.storage_key)
    await (await server.as('admin')).documents.delete({ id: deleted })
    const { names, record, page } = await recordOf(id)
    expect(names.filter((name) => name.startsWith('documents/'))).toEqual(['documents/Fine.pdf'])
    expect(record.documents!.map(({ id: documentId }) => documentId)).toEqual([clean, pending, infected, lost])
    for (const [name, reason] of [
      ['Waiting.pdf', withheldReasons.pending],
      ['Infected.pdf', withheldReasons.infected],
      ['Lost.pdf', withheldReasons.missing],
    ] as const)
      expect(page).toContain(`<li>${name}: ${reason}</li>`)

    const outline = await (await server.as('admin')).wholeRecords.outline({ contactId: id })
    expect(outline.files).toMatchObject({ count: 4, withheld: 2 })
  })

  it('contains the rows and details of merged patients and who viewed them', async () => {
    const admin = await server.as('admin')
    const [id, source] = await insertContacts(server, [{}, { firstName: 'Former', lastName: 'Name' }])
    await insertChildRows(server, source!)
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
    for (const part of ['timeline', 'tasks', 'health_summary', 'clinical_notes', 'appointments', 'messages', 'consents'])
      expect([part, record[part]!.length > 0]).toEqual([part, true])
    expect(record.audit_log!.some(({ action, by }) => action === 'viewed' && by === 'Test admin')).toBe(true)
  })

  it('previews the contents, records the view in the audit log, and answers 404 for an unknown patient', async () => {
    const admin = await server.as('admin')
    const id = await insertContact(server)
    expect(await admin.wholeRecords.outline({ contactId: id })).toEqual({
      parts: [],
      files: { count: 0, bytes: 0, withheld: 0 },
      pdfs: 0,
    })
    await insertChildRows(server, id)
    const outline = await admin.wholeRecords.outline({ contactId: id })
    expect(outline.parts).toEqual(
      [
        'timeline',
        'tasks',
        'clinical_notes',
        'health_summary',
        'forms',
        'consent_forms',
        'appointments',
        'surgeries',
        'adverse_events',
        'quotes',
        'photos',
        'account',
        'messages',
        'consents',
      ].map((part) => ({
        part,
        count: 1,
      })),
    )
    expect(outline).toMatchObject({ files: { count: 3, bytes: 12 }, pdfs: 3 })
    const views = await server.rows(
      "select 1 from audit_log where kind = 'whole-record' and action = 'viewed' and contact_ids = array[$1::uuid]",
      [id],
    )
    expect(views).toHaveLength(2)
    expect((await server.send('GET', `/api/contacts/${randomUUID()}/whole-record`, undefined, await server.signIn('admin'))).status).toBe(
      404,
    )
  })

  it('requires re-authentication in the last five minutes and refuses every API key', async () => {
    const id = await insertContact(server)
    const account = await server.account({ role: 'admin' })
    const { token } = await server
      .client(account.cookie)
      .apiKeys.create({ name: 'All', scopes: ['contacts:read', 'documents:read'], days: 1 })
    await server.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [account.id])
    const response = await get(id, { headers: { cookie: account.cookie } })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'STEP_UP_REQUIRED'])
    const byKey = await get(id, { headers: { authorization: `Bearer ${token}` } })
    expect([byKey.status, ((await byKey.json()) as { message: string }).message]).toEqual([403, 'This API key may not do this'])
    expect(await server.rows("select 1 from audit_log where action = 'exported' and contact_ids = array[$1::uuid]", [id])).toEqual([])
  })

  it('writes the audit entry before sending anything, and releases its slot when that fails', async () => {
    const id = await insertContact(server)
    await server.rows('revoke insert on audit_log from refyne_app')
    for (let i = 0; i < 3; i++) expect((await get(id)).status).toBe(500)
    await server.rows('grant insert on audit_log to refyne_app')
    const { response } = await recordOf(id)
    const rows = await server.rows('select action, kind, contact_ids from audit_log where request_id = $1', [
      response.headers.get('x-request-id'),
    ])
    expect(rows).toEqual([{ action: 'exported', kind: 'whole-record', contact_ids: [id] }])
    expect(decodeURIComponent(response.headers.get('content-disposition')!)).toMatch(/Ana Test, patient record, \d{4}-\d{2}-\d{2}\.zip$/)
  })

  it('allows two exports at a time, and frees the slot and the database cursor when a client disconnects', async () => {
    const id = await insertContact(server)
    // 38 MB, more than connections buffer; the texts repeat too far apart to be compressed.
    await server.rows(
      `insert into interactions (contact_id, type, description)
       select $1, 'note', text from generate_series(1, 50),
         (select string_agg(md5(random()::text), '') as text from generate_series(1, 60) as i, generate_series(1, 400) group by i) as texts`,
      [id],
    )
    const openCursors = `select count(*)::int as n from pg_stat_activity where state like 'idle in transaction%' and query like '%lines%' and datname = current_database()`
    const aborts = [new AbortController(), new AbortController()]
    for (const { signal } of aborts) {
      const response = await get(id, { signal })
      expect(response.status).toBe(200)
      await response.body!.getReader().read()
    }
    const third = await get(id)
    expect(third.status).toBe(429)
    for (const abort of aborts) abort.abort()
    await until(async () => (await server.rows<{ n: number }>(openCursors))[0]!.n === 0)
    const next = await insertContact(server)
    const again = await until(async () => {
      const response = await get(next)
      return response.status === 200 && response
    })
    expect((await unzip(Buffer.from(await again.arrayBuffer()))).has('index.html')).toBe(true)
  })
})
