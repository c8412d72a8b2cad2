import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Account, type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import type { MatchChoice } from '../contract.ts'
import type { ImportKind } from '../kind-rules.ts'

type Import = Awaited<ReturnType<Client['imports']['get']>>

const server = useServer({ LOG_LEVEL: 'error' })
let client: Client
let me: Account
beforeAll(async () => {
  me = await server.account({ role: 'sales_rep' })
  client = server.client(me.cookie)
})

const upload = async (kind: ImportKind, text: string): Promise<Import> => {
  const response = await server.request(`/api/imports?name=${kind}.csv&kind=${kind}`, {
    method: 'POST',
    body: text,
    headers: { cookie: me.cookie, 'content-type': 'text/csv' },
  })
  const body = (await response.json()) as { id: string }
  expect([response.status, body]).toEqual([201, { id: expect.any(String) as string }])
  return client.imports.get(body)
}
const untilSettled = (id: string): Promise<Import> =>
  until(async () => {
    const now = await client.imports.get({ id })
    return !['checking', 'running', 'undoing'].includes(now.status) && now
  })
const check = async ({ id, columns }: Import) => {
  await client.imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
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
const importAll = async (kind: ImportKind, text: string, onMatch: MatchChoice = 'skip') =>
  run(await check(await upload(kind, text)), onMatch)
const listProblems = async ({ id }: Import) =>
  (await client.imports.findings({ id, kind: 'error' })).data.map(({ row, problems }) => [
    row,
    problems.map(({ column, reason }) => `${column}: ${reason}`).join('; '),
  ])
const unique = (name = 'p') => `${name}-${randomUUID()}@import.example`
const listAuditActions = (contactId: string, kind: string) =>
  server.rows<{ action: string }>(
    "select action from audit_log where contact_ids[1] = $1 and kind = $2 and action <> 'viewed' order by id",
    [contactId, kind],
  )

describe('import of tasks', () => {
  it('adds tasks with timeline and audit entries, without sending emails or reminders for overdue ones', async () => {
    const email = unique()
    const contactId = await insertContact(server, { email })
    const colleague = await server.account({ role: 'front_desk' })
    const mails = server.outbox.messages.length
    const uploaded = await upload(
      'tasks',
      `Title,Patient email,Type,Priority,Status,Due date,Due time,Assigned to,Completed,Notes
Call back,${email.toUpperCase()},Phone call,Urgent,Not started,2199-01-31,2:30 PM,${me.email}; ${colleague.email.toUpperCase()},,Ask about the consult
Order gloves,,,,,2020-03-02,,${me.email},,
Send the quote,${email},e-mail,low,done,2024-05-06 16:00,,${me.email},2024-05-07,
`,
    )
    expect(uploaded.columns.map(({ field }) => field).join(' ')).toBe(
      'title patientEmail type priority status dueDate dueTime assignees completedDate description',
    )
    const checked = await check(uploaded)
    expect(checked).toMatchObject({ kind: 'tasks', status: 'checked', checked: { fresh: 3, matches: 0, duplicates: 0, errors: 0 } })
    expect(await client.tasks.ofContact({ contactId })).toEqual([])

    expect(await run(checked)).toMatchObject({ status: 'done', result: { added: 3, filled: 0, skipped: 0, errors: 0 }, canUndo: true })
    expect(await client.tasks.ofContact({ contactId })).toMatchObject([
      {
        title: 'Send the quote',
        type: 'Email',
        priority: 'low',
        status: 'completed',
        dueTimeConstraint: '16:00',
        completedAt: '2024-05-07T13:00:00.000Z',
      },
      {
        title: 'Call back',
        type: 'Call',
        priority: 'high',
        status: 'pending',
        dueDate: '2199-01-31',
        dueTimeConstraint: '14:30',
        description: 'Ask about the consult',
        version: 1,
        createdBy: me.id,
        assignees: [{ id: me.id }, { id: colleague.id }],
      },
    ])
    const { data } = await client.tasks.list({ show: 'mine', due: 'overdue' })
    expect(data).toMatchObject([{ title: 'Order gloves', contactId: null, type: 'Other', priority: 'medium', notificationSent: true }])
    const lines = await client.interactions.list({ contactId })
    expect(lines.data.map(({ type, description }) => [type, description]).toSorted()).toEqual([
      ['task', 'Task created: Call back'],
      ['task', 'Task created: Send the quote'],
    ])
    expect(await listAuditActions(contactId, 'task')).toEqual([{ action: 'created' }, { action: 'created' }])
    expect(server.outbox.messages.length).toBe(mails)
  })

  it('reports column and reason of each error, never guesses the patient, and imports the other rows', async () => {
    const [email, shared] = [unique('one'), unique('shared')]
    const phone = '(416) 555-0188'
    const contactId = await insertContact(server, { email, phone, firstName: 'Ana', lastName: 'Silva' })
    const other = await insertContact(server, { email: shared, phone, firstName: 'Ben', lastName: 'Silva' })
    await insertContact(server, { email: shared, firstName: 'Cy', lastName: 'Lee' })
    const provider = await server.account({ role: 'provider', email: `${randomUUID()}@elsewhere.example` })
    const rows = [
      `,${email},,,,2199-01-31,${me.email},,,`,
      `No patient,nobody@import.example,,,,2199-01-31,${me.email},,,`,
      `No phone,,905 555 0000,,,2199-01-31,${me.email},,,`,
      `No id,,,${randomUUID()},,2199-01-31,${me.email},,,`,
      `Not an id,,,7,,2199-01-31,${me.email},,,`,
      `A name alone,,,,Ana Silva,2199-01-31,${me.email},,,`,
      `Two with this phone,,${phone},,,2199-01-31,${me.email},,,`,
      `Two with this email,${shared},,,,2199-01-31,${me.email},,,`,
      `Mismatch,${email},,${other},,2199-01-31,${me.email},,,`,
      `Words,${email},,,,soon,nobody@clinic.example,urgentest,sometime,later`,
      `Not ours,${email},,,,2199-01-31,${provider.email},,,`,
      `Done?,${email},,,,2199-01-31,,,,`,
      `By name,,${phone},,"Silva, Ana",2199-01-31,${me.email},,,`,
      `By both,${email},${phone},,,2199-01-31,${me.email},,,`,
      `Of two,${shared},,,cy LEE,2199-01-31,${me.email},,,`,
      `Married,${email},,,Ana Novak,2199-01-31,${me.email},,,`,
    ]
    const head = 'Title,Email,Phone,Patient ID,Patient name,Due,Assignees,Priority,Status,Type'
    const checked = await check(await upload('tasks', `${head}\n${rows.join('\n')}\n`))
    expect(await listProblems(checked)).toEqual([
      [2, 'Title: Title is required'],
      [3, 'Email: No patient has this email'],
      [4, 'Phone: No patient has this phone number'],
      [5, 'Patient ID: No patient has this ID'],
      [6, 'Patient ID: This is not a patient ID'],
      [7, 'Patient name: A name alone does not identify a patient. Add their email, phone number or ID.'],
      [8, 'Phone: 2 patients have this phone number'],
      [9, 'Email: 2 patients have this email'],
      [10, 'Patient ID: The ID and the email belong to different patients'],
      [
        11,
        'Due: This is not a date; Assignees: No assignable staff member has the email nobody@clinic.example; Priority: Enter low, medium, or high; Status: Enter pending, in progress, completed, or cancelled; Type: Enter Call, Email, Meeting, Follow-up, or Other',
      ],
      [12, `Assignees: No assignable staff member has the email ${provider.email}`],
      [13, 'Assignees: At least one assignee is required'],
    ])
    expect((await run(checked)).result).toEqual({ added: 4, filled: 0, skipped: 0, errors: 12 })
    expect((await client.tasks.ofContact({ contactId })).map(({ title }) => title).toSorted()).toEqual(['By both', 'By name', 'Married'])

    const file = await server.request(`/api/imports/${checked.id}/errors.csv`, { headers: { cookie: me.cookie } })
    expect(file.headers.get('content-disposition')).toContain('tasks%20-%20not%20imported.csv')
    expect((await file.text()).split('\r\n')[1]).toContain('Title: Title is required')
  })

  it('adds nothing when the same file is imported again, even after tasks changed, unless duplicates are requested', async () => {
    const email = unique()
    const contactId = await insertContact(server, { email })
    const text = `Title,Email,Due,Assignee\nOne,${email},2199-01-31,${me.email}\nTwo,${email},2199-01-31,${me.email}\nTwo,${email},2199-01-31,${me.email}\n`
    const first = await check(await upload('tasks', text))
    expect(first.checked).toEqual({ fresh: 2, matches: 0, duplicates: 1, errors: 0 })
    expect((await client.imports.findings({ id: first.id, kind: 'duplicate' })).data).toMatchObject([
      { row: 4, note: 'Same as row 3', contact: { id: contactId } },
    ])
    expect((await run(first)).result).toEqual({ added: 2, filled: 0, skipped: 1, errors: 0 })
    const [task] = await client.tasks.ofContact({ contactId })
    await client.tasks.update({ id: task!.id, version: 1, title: 'Another name', dueDate: '2199-02-01' })

    const second = await check(await upload('tasks', text))
    expect(second.checked).toEqual({ fresh: 0, matches: 3, duplicates: 0, errors: 0 })
    expect((await run(second)).result).toEqual({ added: 0, filled: 0, skipped: 3, errors: 0 })
    expect(await client.tasks.ofContact({ contactId })).toHaveLength(2)
    expect((await importAll('tasks', text, 'add')).result).toEqual({ added: 3, filled: 0, skipped: 0, errors: 0 })
    expect(await client.tasks.ofContact({ contactId })).toHaveLength(5)
  })

  it('adds each task once when two imports of the same file run simultaneously', async () => {
    const email = unique()
    const contactId = await insertContact(server, { email })
    const text = `Title,Email,Due,Assignee\n${Array.from({ length: 50 }, (_, i) => `Task ${i},${email},2199-01-31,${me.email}`).join('\n')}\n`
    const both = [await check(await upload('tasks', text)), await check(await upload('tasks', text))]
    await Promise.all(both.map(({ id }) => client.imports.run({ id, onMatch: 'skip' })))
    const results = await Promise.all(both.map(async ({ id }) => (await untilSettled(id)).result!))
    expect(results.map(({ added, skipped }) => added + skipped)).toEqual([50, 50])
    expect(await client.tasks.ofContact({ contactId })).toHaveLength(50)
  })

  it('keeps and reports changed tasks on undo, removes the others with their timeline entries, and can be imported again', async () => {
    const email = unique()
    const contactId = await insertContact(server, { email })
    const text = `Title,Email,Due,Assignee\nKept,${email},2199-01-31,${me.email}\nGone,${email},2199-01-31,${me.email}\nDeleted,${email},2199-01-31,${me.email}\n`
    const done = await importAll('tasks', text)
    const byTitle = new Map((await client.tasks.ofContact({ contactId })).map(({ title, id }) => [title, id]))
    await client.tasks.complete({ id: byTitle.get('Kept')! })
    await client.tasks.delete({ id: byTitle.get('Deleted')! })
    expect(await undo(done)).toMatchObject({ status: 'undone', undone: 1, kept: 2, canUndo: false })
    expect((await client.imports.findings({ id: done.id, kind: 'kept' })).data.map(({ row, name, note }) => [row, name, note])).toEqual([
      [2, 'Kept', 'Someone has changed this task since'],
      [4, '', 'This task has been deleted since'],
    ])
    expect((await client.tasks.ofContact({ contactId })).map(({ title }) => title)).toEqual(['Kept'])
    const { data } = await client.interactions.list({ contactId, kind: 'tasks' })
    expect(data.map(({ description }) => description)).not.toContain('Task created: Gone')
    expect((await importAll('tasks', text)).result).toMatchObject({ added: 2, skipped: 1 })
  })

  it('stops after a batch when cancelled, and can be undone', async () => {
    const email = unique()
    const contactId = await insertContact(server, { email })
    const rows = Array.from({ length: 9_000 }, (_, i) => `Task ${i},${email},2199-01-31,${me.email}`)
    const { id } = await check(await upload('tasks', ['Title,Email,Due,Assignee', ...rows].join('\n')))
    await client.imports.run({ id, onMatch: 'skip' })
    await until(async () => (await client.imports.get({ id })).progress > 0)
    await client.imports.cancel({ id })
    const stopped = await untilSettled(id)
    const { added } = stopped.result!
    expect([stopped.status, added > 0, added < 9_000]).toEqual(['cancelled', true, true])
    expect((await undo(stopped)).undone).toBe(added)
    expect(await client.tasks.ofContact({ contactId })).toEqual([])
  })

  it('refuses missing columns, columns of another kind, and choices only for patients', async () => {
    const uploaded = await upload('tasks', 'Email,Something\na@b.example,x\n')
    const chosen = uploaded.columns.map(({ field, dateOrder }) => ({ field, dateOrder }))
    expect((await refusal(client.imports.check({ id: uploaded.id, columns: chosen }))).data.fields).toEqual({
      columns: 'Choose the columns for the title, the due date, and the assignees',
    })
    chosen[1]!.field = 'zipCode'
    expect((await refusal(client.imports.check({ id: uploaded.id, columns: chosen }))).data.fields).toMatchObject({
      'columns.1.field': 'Unknown field',
    })
    const checked = await check(await upload('tasks', `Title,Due,Assignee\nOne,2199-01-31,${me.email}\n`))
    expect((await refusal(client.imports.run({ id: checked.id, onMatch: 'fill' }))).code).toBe('INVALID_CHOICE')
    const unknown = await server.request('/api/imports?name=a.csv&kind=receipts', {
      method: 'POST',
      body: 'a',
      headers: { cookie: me.cookie },
    })
    expect(unknown.status).toBe(422)
  })

  it('remembers the column mapping for the next file of the same kind only', async () => {
    const header = `Title,Due,Assignee,${randomUUID()}`
    const first = await upload('tasks', `${header}\nOne,2199-01-31,${me.email},Call\n`)
    const columns = first.columns.map(({ field, dateOrder }) => ({ field, dateOrder }))
    columns[3]!.field = 'type'
    await client.imports.check({ id: first.id, columns })
    await untilSettled(first.id)
    expect((await upload('tasks', `${header}\nTwo,2199-01-31,${me.email},Call\n`)).columns[3]!.field).toBe('type')
    expect((await upload('patients', `${header}\nTwo,2199-01-31,${me.email},Call\n`)).columns[3]!.field).toBeNull()
  })
})

describe('import of interactions', () => {
  it('keeps dates and authors, including former staff, updates the last contact except for notes, and reverts it on undo', async () => {
    const email = unique()
    const contactId = await insertContact(server, { email })
    const former = await server.account({ role: 'sales_rep', status: 'disabled' })
    const text = `Email,Type,Date,Time,Note,Outcome,Created by
${email},Phone call,2024-05-06,2:15 PM,Left a message,Left voicemail,${former.email}
${email},Note,2024-06-01 10:00,,Prefers texts,,
${email},e-mail,2024-05-07T12:30:00Z,,Sent the quote,,${me.email}
${email},Meeting,2024-05-01,,"Came in, saw the rooms",,
`
    const checked = await check(await upload('interactions', text))
    expect(checked.checked).toEqual({ fresh: 4, matches: 0, duplicates: 0, errors: 0 })
    const done = await run(checked)
    expect(done.result).toEqual({ added: 4, filled: 0, skipped: 0, errors: 0 })
    const { data } = await client.interactions.list({ contactId })
    expect(data.map(({ type, date, description, outcome, createdBy }) => [type, date, description, outcome, createdBy])).toEqual([
      ['note', '2024-06-01T14:00:00.000Z', 'Prefers texts', null, me.id],
      ['email', '2024-05-07T12:30:00.000Z', 'Sent the quote', null, me.id],
      ['call', '2024-05-06T18:15:00.000Z', 'Left a message', 'voicemail', former.id],
      ['meeting', '2024-05-01T13:00:00.000Z', 'Came in, saw the rooms', null, me.id],
    ])
    expect((await client.contacts.get({ id: contactId })).lastContactDate).toBe('2024-05-07T12:30:00.000Z')
    expect(await listAuditActions(contactId, 'interaction')).toMatchObject([1, 2, 3, 4].map(() => ({ action: 'created' })))

    const again = await check(await upload('interactions', text))
    expect(again.checked).toEqual({ fresh: 0, matches: 4, duplicates: 0, errors: 0 })
    await client.interactions.pin({ contactId, id: data[0]!.id })
    expect(await undo(done)).toMatchObject({ undone: 3, kept: 1 })
    expect((await client.imports.findings({ id: done.id, kind: 'kept' })).data).toMatchObject([
      { row: 3, name: 'Prefers texts', note: 'This has been pinned since the import' },
    ])
    expect((await client.interactions.list({ contactId })).data).toHaveLength(1)
    expect((await client.contacts.get({ id: contactId })).lastContactDate).toBeNull()
  })

  it('reports the problems of each row', async () => {
    const email = unique()
    await insertContact(server, { email })
    const checked = await check(
      await upload(
        'interactions',
        `Email,Type,Date,Text,Outcome,Author
,call,2024-05-06,Called,,
${email},fax,2024-02-30,Faxed,engaged,nobody@clinic.example
${email},,,,,
${email},note,2024-05-06,Wrote,reached,
nobody@import.example,note,2024-05-06,Wrote,,
`,
      ),
    )
    expect(await listProblems(checked)).toEqual([
      [2, ': No patient is given. Add their email, phone number or ID.'],
      [
        3,
        'Type: Enter call, note, email, or meeting; Date: This is not a date; Outcome: Enter reached, voicemail, or no answer; Author: No staff member has this email',
      ],
      [4, 'Type: Enter call, note, email or meeting; Date: Enter the date; Text: Enter what happened'],
      [5, 'Outcome: Only a call has an outcome'],
      [6, 'Email: No patient has this email'],
    ])
  })

  it('recognizes records of a patient who was merged since', async () => {
    const [kept, merged] = [unique('kept'), unique('merged')]
    const targetId = await insertContact(server, { email: kept })
    const sourceId = await insertContact(server, { email: merged })
    const text = `Email,Type,Date,Text\n${merged},note,2024-05-06,Allergic to latex\n`
    await importAll('interactions', text)
    await client.contacts.merge({ id: targetId, version: 1, sourceId, sourceVersion: 1 })
    const again = await check(await upload('interactions', text))
    expect(again.checked).toMatchObject({ fresh: 0, matches: 1 })
  })

  it('imports 4,000 rows for 400 patients exactly once', async () => {
    const handle = randomUUID()
    await server.rows(
      `insert into contacts (first_name, last_name, email, funnel_stage)
       select 'Ana', 'Row' || i, i || $1, id from generate_series(0, 399) as i, funnel_stages where value = 'lead'`,
      [`.${handle}@import.example`],
    )
    const rows = Array.from({ length: 4_000 }, (_, i) => `${i % 400}.${handle}@import.example,call,2024-05-06,Call number ${i}`)
    const done = await importAll('interactions', ['Email,Type,Date,Text', ...rows].join('\n'))
    expect(done.result).toEqual({ added: 4_000, filled: 0, skipped: 0, errors: 0 })
    const [stored] = await server.rows<{ total: number; patients: number }>(
      `select count(*)::int as total, count(distinct contact_id)::int as patients from interactions where description like 'Call number %'`,
    )
    expect(stored).toEqual({ total: 4_000, patients: 400 })
  })
})

describe('templates and permissions', () => {
  it('provides templates whose headers are recognized', async () => {
    for (const [kind, needed] of [
      ['patients', 'lastName'],
      ['tasks', 'assignees'],
      ['interactions', 'outcome'],
      ['documents', 'documentType'],
    ] as const) {
      const response = await server.request(`/api/import-templates/${kind}.csv`, { headers: { cookie: me.cookie } })
      expect(response.headers.get('content-disposition')).toContain(`${kind}%20to%20import.csv`)
      const text = await response.text()
      const { columns } = await upload(kind, `${text}${'x,'.repeat(commasIn(text))}\n`)
      expect(columns.map(({ field }) => field)).not.toContain(null)
      expect(columns.map(({ field }) => field)).toContain(needed)
    }
    expect((await server.request('/api/import-templates/receipts.csv', { headers: { cookie: me.cookie } })).status).toBe(404)
  })

  it('answers 403 to other roles', async () => {
    const frontDesk = await server.account({ role: 'front_desk' })
    for (const kind of ['tasks', 'interactions', 'documents']) {
      const response = await server.request(`/api/imports?name=a.csv&kind=${kind}`, {
        method: 'POST',
        body: 'Title\nOne\n',
        headers: { cookie: frontDesk.cookie },
      })
      expect([kind, response.status]).toEqual([kind, 403])
    }
  })
})

const commasIn = (text: string) => text.split(',').length - 1
