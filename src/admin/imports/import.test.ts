import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { ImportField, MatchChoice } from './contract.ts'

type Import = Awaited<ReturnType<Client['imports']['get']>>

describe('import of patients from CSV files', () => {
  const server = useServer()
  let client: Client
  let cookie: string
  beforeAll(async () => {
    cookie = await server.signIn('sales_rep')
    client = await server.as('sales_rep')
  })

  const send = (body: string | Uint8Array<ArrayBuffer>, name = 'patients.csv', by = cookie) =>
    server.request(`/api/imports?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      body,
      headers: { cookie: by, 'content-type': 'text/csv' },
    })
  const upload = async (body: string | Uint8Array<ArrayBuffer>, by = client): Promise<Import> => {
    const response = await send(body)
    expect([response.status, response.status === 201 ? '' : await response.clone().text()]).toEqual([201, ''])
    return by.imports.get({ id: ((await response.json()) as { id: string }).id })
  }
  const untilSettled = (id: string): Promise<Import> =>
    until(async () => {
      const now = await client.imports.get({ id })
      return !['checking', 'running', 'undoing'].includes(now.status) && now
    })
  const check = async ({ id, columns }: Import, fields: Record<string, ImportField | null> = {}) => {
    const chosen = columns.map(({ header, field, dateOrder }) => ({ field: header in fields ? fields[header]! : field, dateOrder }))
    await client.imports.check({ id, columns: chosen })
    return untilSettled(id)
  }
  const run = async ({ id }: Import, onMatch: MatchChoice = 'skip') => {
    await client.imports.run({ id, onMatch })
    return untilSettled(id)
  }
  const undo = async ({ id }: Import) => {
    await client.imports.undo({ id })
    return untilSettled(id)
  }
  const importAll = async (text: string, onMatch: MatchChoice = 'skip') => run(await check(await upload(text)), onMatch)
  const patients = (email: string) => client.contacts.list({ search: email }).then(({ data }) => data)
  const unique = (name = 'p') => `${name}-${randomUUID()}@import.example`

  it('guesses the columns, checks the file, and imports patients with history, timeline, tags and audit entries', async () => {
    const [anna, ben] = [unique('anna'), unique('ben')]
    const text = `First Name,Last Name,Email Address,Phone Number,Contact owner,Lifecycle Stage,Original Source,Tags,Total revenue,Surgery date,Consent\r
Anna,Łukasz,${anna},(416) 555-0101,,Contacted,Billboard,"VIP; spring 2026","$13,337.50",2026-11-20,yes\r
Ben,O'Neil,${ben},,,,,,,,no\r
`
    const uploaded = await upload(text)
    expect(uploaded).toMatchObject({ status: 'mapping', rows: 2, fileName: 'patients.csv', encoding: 'utf-8' })
    expect(uploaded.columns.map(({ field }) => field).join(' ')).toBe(
      'firstName lastName email phone assignedSalesRepId funnelStage leadSource tags revenueCents surgicalDate consentToCommunicate',
    )
    const checked = await check(uploaded)
    expect(checked).toMatchObject({ status: 'checked', checked: { fresh: 2, matches: 0, duplicates: 0, errors: 0 } })
    expect(checked.newTags).toEqual(expect.arrayContaining(['VIP', 'spring 2026']))
    expect(await patients(anna)).toEqual([])

    expect(await run(checked)).toMatchObject({ status: 'done', result: { added: 2, filled: 0, skipped: 0, errors: 0 }, canUndo: true })
    const [summary] = await patients(anna)
    const patient = await client.contacts.get({ id: summary!.id })
    expect(patient).toMatchObject({
      firstName: 'Anna',
      lastName: 'Łukasz',
      phone: '(416) 555-0101',
      revenueCents: 1_333_750,
      surgicalDate: '2026-11-20',
      consentToCommunicate: true,
      leadSourceText: 'Billboard',
      importSource: 'Import: patients.csv',
      version: 1,
      status: 'active',
    })
    expect((await client.contacts.stageHistory({ id: patient.id })).map(({ toStageId }) => toStageId)).toEqual([patient.funnelStageId])
    expect((await client.interactions.list({ contactId: patient.id })).data).toMatchObject([
      { type: 'contact_created', description: 'Imported from patients.csv' },
    ])
    expect((await client.contacts.tags({ id: patient.id })).map(({ name }) => name)).toEqual(['spring 2026', 'VIP'])
    const audit = await server.rows(
      "select action, after->>'email' as email from audit_log where contact_ids[1] = $1 and action = 'created'",
      [patient.id],
    )
    expect(audit).toEqual([{ action: 'created', email: anna }])
    const { total } = await client.contacts.count({})
    expect(await server.rows('select count(*)::int as total from contacts')).toEqual([{ total }])
  })

  it('matches existing patients by email in any letter case and by phone in any format, and finds duplicates in the file', async () => {
    const email = unique('known')
    const digits = String(Date.now()).slice(-3)
    const phone = `416-${digits}-0177`.replace(/-[01]/, '-2')
    const [byMail, byPhone] = [await insertContact(server, { email }), await insertContact(server, { phone })]
    const checked = await check(
      await upload(`Name,Email,Phone
Ana Test,${email.toUpperCase()},
Ana Test,,+1 ${phone.replaceAll('-', ' ')}
New Person,${unique()},(647) 555-9${digits}
New Person,,1-647-555-9${digits}
`),
    )
    expect(checked.checked).toEqual({ fresh: 1, matches: 2, duplicates: 1, errors: 0 })
    const { data } = await client.imports.findings({ id: checked.id, kind: 'match' })
    expect(data.map(({ row, contact, note }) => [row, contact?.id, note])).toEqual([
      [2, byMail, 'Same email'],
      [3, byPhone, 'Same phone number'],
    ])
    expect((await client.imports.findings({ id: checked.id, kind: 'duplicate' })).data).toMatchObject([
      { row: 5, note: 'Same patient as row 4' },
    ])
    expect((await run(checked)).result).toEqual({ added: 1, filled: 0, skipped: 3, errors: 0 })
  })

  it('fills empty fields on request, keeps existing values, and skips a relative with the same phone number', async () => {
    const email = unique('fill')
    const id = await insertContact(server, { email, phone: '416 555 7171', firstName: 'Ana' })
    const done = await importAll(
      `First,Last,Email,Phone,City,Procedure,Tag\nAna,Other,${email},111,Toronto,Something new,Filled\nPeter,Test,,(416) 555-7171,Ottawa,,\n`,
      'fill',
    )
    expect(done.result).toEqual({ added: 0, filled: 1, skipped: 1, errors: 0 })
    const patient = await client.contacts.get({ id })
    expect(patient).toMatchObject({ lastName: 'Test', phone: '416 555 7171', city: 'Toronto', procedureText: 'Something new', version: 2 })
    expect((await client.interactions.list({ contactId: id })).data.map(({ description }) => description).toSorted()).toEqual([
      'City and Procedure of interest changed',
      'Tag Filled added',
    ])

    const back = await undo(done)
    expect(back).toMatchObject({ status: 'undone', undone: 1, kept: 0 })
    expect(await client.contacts.get({ id })).toMatchObject({ city: null, procedureText: null, phone: '416 555 7171' })
    expect(await client.contacts.tags({ id })).toEqual([])
  })

  it('adds duplicates on request', async () => {
    const email = unique('again')
    await insertContact(server, { email })
    const done = await importAll(`Name,Email\nAna One,${email}\nAna Two,${email}\n`, 'add')
    expect(done.result).toEqual({ added: 2, filled: 0, skipped: 0, errors: 0 })
    expect(await patients(email)).toHaveLength(3)
  })

  it('reports row, column, value and reason of each error, returns rejected rows as a file, and imports the others', async () => {
    const email = unique('good')
    const uploaded = await upload(`First name,Last name,Email,Stage,Owner,Revenue,Surgical date,Consent,Appointment time
Ana,Silva,${email},,,,,,
Bo,,not-an-address,Nowhere,No one,twelve,2026-02-30,perhaps,25:00
Cy,"Long, name",,,,,,,
,Only,,,,,,,,extra
`)
    const checked = await check(uploaded)
    expect(checked.checked).toEqual({ fresh: 2, matches: 0, duplicates: 0, errors: 2 })
    const { data } = await client.imports.findings({ id: checked.id, kind: 'error' })
    expect(data[0]).toMatchObject({ row: 3, name: 'Bo' })
    expect(data[0]!.problems).toEqual([
      { column: 'Email', value: 'not-an-address', reason: 'Please enter a valid email address' },
      { column: 'Stage', value: 'Nowhere', reason: 'Stage not found' },
      { column: 'Owner', value: 'No one', reason: 'No staff member who can own a patient has this name' },
      { column: 'Revenue', value: 'twelve', reason: 'This is not an amount' },
      { column: 'Surgical date', value: '2026-02-30', reason: 'This is not a date' },
      { column: 'Consent', value: 'perhaps', reason: 'Enter yes or no' },
      { column: 'Appointment time', value: '25:00', reason: 'This is not a time' },
      { column: 'Last name', value: '', reason: 'Last name is required' },
    ])
    expect(data[1]!.problems.map(({ reason }) => reason)).toEqual(['This row has more cells than headers', 'First name is required'])
    expect((await run(checked)).result).toEqual({ added: 2, filled: 0, skipped: 0, errors: 2 })

    const file = await server.request(`/api/imports/${checked.id}/errors.csv`, { headers: { cookie } })
    expect(file.headers.get('content-disposition')).toContain('patients%20-%20not%20imported.csv')
    const bytes = new Uint8Array(await file.arrayBuffer())
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).split('\r\n')
    expect(lines[0]).toBe('First name,Last name,Email,Stage,Owner,Revenue,Surgical date,Consent,Appointment time,Row,Reason')
    expect(lines[1]).toMatch(/^Bo,,not-an-address,Nowhere,No one,twelve,2026-02-30,perhaps,25:00,3,"?Email: Please enter/)
    expect(lines).toHaveLength(4)
  })

  it('refuses names with a web address or a line break, as full names and in parts', async () => {
    const reason = (label: string) => `${label} can't contain a web address or a line break`
    for (const [file, expected] of [
      ['Name\nBo https://evil.example\n"Ana\nSilva"\nCy Long\n', [[reason('Full name')], [reason('Full name')]]],
      ['First name,Last name\nBo,www.evil.example\n"Ana\nMaria",Silva\nCy,Long\n', [[reason('Last name')], [reason('First name')]]],
    ] as const) {
      const checked = await check(await upload(file))
      expect(checked.checked).toMatchObject({ errors: 2 })
      const { data } = await client.imports.findings({ id: checked.id, kind: 'error' })
      expect(data.map(({ problems }) => problems.map((problem) => problem.reason))).toEqual(expected)
    }
  })

  it('removes unchanged patients and their tags on undo, and keeps and reports the others', async () => {
    const emails = Array.from({ length: 5 }, (_, i) => unique(`undo${i}`))
    const done = await importAll(`Name,Email,Tags\n${emails.map((email, i) => `Ana Number${i},${email},Undone`).join('\n')}\n`)
    const ids = await Promise.all(emails.map(async (email) => (await patients(email))[0]!.id))
    await client.contacts.update({ id: ids[0]!, version: 1, city: 'Toronto' })
    await client.interactions.create({ contactId: ids[1]!, type: 'call', description: 'Called', outcome: 'reached' })
    await client.contacts.delete({ id: ids[2]! })
    const back = await undo(done)
    expect(back).toMatchObject({ status: 'undone', undone: 2, kept: 3, canUndo: false })
    const kept = await client.imports.findings({ id: done.id, kind: 'kept' })
    expect(kept.data.map(({ row, note }) => [row, note])).toEqual([
      [2, 'Someone has worked with this patient since'],
      [3, 'Someone has worked with this patient since'],
      [4, 'This patient has been deleted or merged since'],
    ])
    const left = await Promise.all(emails.map(async (email) => (await patients(email)).length))
    expect(left).toEqual([1, 1, 0, 0, 0])
    expect(await server.rows("select action from audit_log where contact_ids[1] = $1 and action = 'deleted'", [ids[4]])).toHaveLength(1)
    expect((await refusal(client.imports.undo({ id: done.id }))).code).toBe('WRONG_MOMENT')
    const { total } = await client.contacts.count({})
    expect(await server.rows('select count(*)::int as total from contacts')).toEqual([{ total }])
  })

  it('reverts filled fields on undo, except those changed since', async () => {
    const [one, two] = [unique('one'), unique('two')]
    const ids = [await insertContact(server, { email: one }), await insertContact(server, { email: two })]
    const done = await importAll(`Name,Email,City,Company\nAna Test,${one},Toronto,Acme\nAna Test,${two},Ottawa,Acme\n`, 'fill')
    expect(done.result?.filled).toBe(2)
    await client.contacts.update({ id: ids[0]!, version: 2, city: 'Hamilton' })
    expect(await undo(done)).toMatchObject({ undone: 1, kept: 1 })
    expect((await client.imports.findings({ id: done.id, kind: 'kept' })).data).toMatchObject([{ row: 2, note: 'Changed since: City' }])
    expect(await client.contacts.get({ id: ids[0]! })).toMatchObject({ city: 'Hamilton', company: null })
    expect(await client.contacts.get({ id: ids[1]! })).toMatchObject({ city: null, company: null })
  })

  it('fills a patient created by an earlier row of the file, and undoes both', async () => {
    const email = unique('twice')
    const done = await importAll(`Name,Email,City,Tags\nAna Twice,${email},,\nAna Twice,${email},Toronto,Twice\n`, 'fill')
    expect(done.result).toEqual({ added: 1, filled: 1, skipped: 0, errors: 0 })
    expect((await client.contacts.get({ id: (await patients(email))[0]!.id })).city).toBe('Toronto')
    expect(await undo(done)).toMatchObject({ undone: 1, kept: 0 })
    expect(await patients(email)).toEqual([])
  })

  it('remembers the column mapping for the next file with the same headers', async () => {
    const header = `Name,Mail,${randomUUID()}`
    const first = await upload(`${header}\nAna Test,${unique()},Toronto\n`)
    expect(first.columns.map(({ field }) => field)).toEqual(['fullName', 'email', null])
    await check(first, { [first.columns[2]!.header]: 'city' })
    const second = await upload(`${header.toUpperCase()}\nAna Test,${unique()},Toronto\n`)
    expect(second.columns.map(({ field }) => field)).toEqual(['fullName', 'email', 'city'])
  })

  it('asks for the order of ambiguous dates', async () => {
    const email = unique('dates')
    const uploaded = await upload(`Name,Email,Surgery date,Follow up\nAna Test,${email},03/04/2026,25/12/2026 14:30\n`)
    expect(uploaded.columns.map(({ dates }) => dates)).toEqual(['none', 'none', 'either', 'dmy'])
    const columns = uploaded.columns.map(({ field, dateOrder }) => ({ field, dateOrder }))
    const unclear = await refusal(client.imports.check({ id: uploaded.id, columns }))
    expect([unclear.code, unclear.data.fields]).toEqual(['INVALID_MAPPING', { 'columns.2.dateOrder': 'Choose the order of day and month' }])
    columns[2]!.dateOrder = 'dmy'
    await client.imports.check({ id: uploaded.id, columns })
    await run(await untilSettled(uploaded.id))
    const patient = await client.contacts.get({ id: (await patients(email))[0]!.id })
    expect([patient.surgicalDate, patient.nextFollowUpDate]).toEqual(['2026-04-03', '2026-12-25T19:30:00.000Z'])
  })

  it.each([
    ['no name', 'Email\na@b.example\n', {}, 'columns'],
    ['a field twice', 'Name,Email,Work\nAna Test,a@b.example,a@b.example\n', { Work: 'email' }, 'columns.2.field'],
    ['the name twice', 'Name,First,Last\nAna Test,Ana,Test\n', { Name: 'fullName' }, 'columns'],
  ] as const)('refuses a column mapping with %s', async (_what, text, fields, at) => {
    const uploaded = await upload(text)
    const columns = uploaded.columns.map(({ header, field, dateOrder }) => ({
      field: header in fields ? (fields as Record<string, ImportField>)[header]! : field,
      dateOrder,
    }))
    const refused = await refusal(client.imports.check({ id: uploaded.id, columns }))
    expect([refused.code, Object.keys(refused.data.fields ?? {})]).toEqual(['INVALID_MAPPING', [at]])
  })

  it('hides imports from everyone but their creator and administrators', async () => {
    const mine = await upload(`Name\nAna Test\n`)
    const other = await server.account({ role: 'sales_rep' })
    const theirs = server.client(other.cookie)
    const calls = [
      () => theirs.imports.get({ id: mine.id }),
      () => theirs.imports.check({ id: mine.id, columns: [{ field: 'fullName', dateOrder: null }] }),
      () => theirs.imports.findings({ id: mine.id, kind: 'error' }),
      () => theirs.imports.run({ id: mine.id, onMatch: 'skip' }),
      () => theirs.imports.cancel({ id: mine.id }),
      () => theirs.imports.undo({ id: mine.id }),
      () => theirs.imports.discard({ id: mine.id }),
    ]
    for (const call of calls) expect((await refusal(call())).code).toBe('NOT_FOUND')
    expect((await server.request(`/api/imports/${mine.id}/errors.csv`, { headers: { cookie: other.cookie } })).status).toBe(404)
    expect((await theirs.imports.list({})).data.map(({ id }) => id)).not.toContain(mine.id)
    expect(await (await server.as('admin')).imports.get({ id: mine.id })).toMatchObject({ id: mine.id })
  })

  it('stops a cancelled run after a batch, which can be undone, and returns a cancelled check to column mapping', async () => {
    const handle = randomUUID()
    const rows = Array.from({ length: 9_000 }, (_, i) => `Ana,Row${i},${i}.${handle}@import.example`)
    const { id } = await check(await upload(['First Name,Last Name,Email', ...rows].join('\n')))
    await client.imports.run({ id, onMatch: 'skip' })
    await until(async () => (await client.imports.get({ id })).progress > 0)
    await client.imports.cancel({ id })
    const stopped = await untilSettled(id)
    const { added } = stopped.result!
    expect(stopped).toMatchObject({ status: 'cancelled', canUndo: true })
    expect([added > 0, added < 9_000]).toEqual([true, true])
    const imported = async () =>
      (await server.rows<{ count: number }>('select count(*)::int from contacts where email like $1', [`%${handle}@import.example`]))[0]!
        .count
    expect(await imported()).toBe(added)
    expect((await undo(stopped)).undone).toBe(added)
    expect(await imported()).toBe(0)

    const again = await upload(['First Name,Last Name,Email', ...rows].join('\n'))
    await client.imports.check({ id: again.id, columns: again.columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    await client.imports.cancel({ id: again.id })
    expect((await untilSettled(again.id)).status).toBe('mapping')
  })

  it('refuses steps in the wrong order, and ignores a second click', async () => {
    const uploaded = await upload(`Name,Email\nAna Test,${unique()}\n`)
    expect((await refusal(client.imports.run({ id: uploaded.id, onMatch: 'skip' }))).code).toBe('WRONG_MOMENT')
    expect((await refusal(client.imports.undo({ id: uploaded.id }))).code).toBe('WRONG_MOMENT')
    const checked = await check(uploaded)
    const [first, second] = await Promise.allSettled([1, 2].map(() => client.imports.run({ id: checked.id, onMatch: 'skip' })))
    expect([first!.status, second!.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await untilSettled(checked.id)).result?.added).toBe(1)
    expect((await refusal(client.imports.discard({ id: checked.id }))).code).toBe('WRONG_MOMENT')
    const unwanted = await upload(`Name\nAna Test\n`)
    await client.imports.discard({ id: unwanted.id })
    expect((await refusal(client.imports.get({ id: unwanted.id }))).code).toBe('NOT_FOUND')
  })
})
