import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { makePdf, makePng } from '../../../../demo/documents/pdf.ts'
import { insertContact } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

type Import = Awaited<ReturnType<Client['imports']['get']>>

// Nothing listens on this port, so documents stay pending.
const server = useServer({ LOG_LEVEL: 'silent', CLAMD_URL: 'tcp://127.0.0.1:9' })
let client: Client
let cookie: string
beforeAll(async () => {
  cookie = await server.signIn('sales_rep')
  client = await server.as('sales_rep')
})

const pdf = (text = randomUUID()) => makePdf([['Consent', text]])
const photo = makePng(40, 30, (x, y) => [x, y, 120])
const upload = async (body: string): Promise<Import> => {
  const response = await server.request('/api/imports?name=papers.csv&kind=documents', { method: 'POST', body, headers: { cookie } })
  return client.imports.get((await response.json()) as { id: string })
}
const sendFile = async (id: string, path: string, bytes: Buffer, by = cookie): Promise<[status: number, code?: string]> => {
  const response = await server.request(`/api/imports/${id}/files?${new URLSearchParams({ path }).toString()}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { cookie: by },
  })
  const { code } = (await response.json()) as { code?: string }
  return code === undefined ? [response.status] : [response.status, code]
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
const run = async ({ id }: Import) => {
  await client.imports.run({ id, onMatch: 'skip' })
  return untilSettled(id)
}
const listProblems = async ({ id }: Import) =>
  (await client.imports.findings({ id, kind: 'error' })).data.map(({ row, problems }) => [
    row,
    problems.map(({ reason }) => reason).join('; '),
  ])
const newPatient = async () => {
  const email = `${randomUUID()}@import.example`
  return { email, id: await insertContact(server, { email }) }
}
const makeZip = (files: Record<string, Buffer>): Promise<Buffer> => {
  const zip = new yazl.ZipFile()
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name)
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Buffer>)
}

describe('import of documents with files', () => {
  it('adds each row’s file to its patient like an upload, with name, category and sharing, blocked until scanned', async () => {
    const patient = await newPatient()
    const uploaded = await upload(
      `File,Email,Kind,Name,Notes,Shared\nsilva/consent.pdf,${patient.email},Consent form,Consent 2024,Signed in Oakville,yes\nBEFORE.PNG,${patient.email},photos,,,\n`,
    )
    expect(uploaded.columns.map(({ field }) => field)).toEqual(['file', 'patientEmail', 'documentType', 'name', 'description', 'isShared'])
    expect(await sendFile(uploaded.id, 'Papers/silva/consent.pdf', pdf())).toEqual([201])
    expect(await sendFile(uploaded.id, 'Papers/silva/before.png', photo)).toEqual([201])
    expect(await sendFile(uploaded.id, 'Papers/silva/before.png', photo)).toEqual([201]) // again, as after a lost response
    expect(await client.imports.files({ id: uploaded.id })).toMatchObject({ count: 2, refused: 0, refusals: [] })

    const checked = await check(uploaded)
    expect(checked.checked).toEqual({ fresh: 2, matches: 0, duplicates: 0, errors: 0, unnamed: 0 })
    expect(await client.documents.list({ contactId: patient.id })).toEqual([])
    expect(await run(checked)).toMatchObject({ status: 'done', progress: 2, result: { added: 2, filled: 0, skipped: 0, errors: 0 } })
    const documents = await client.documents.list({ contactId: patient.id })
    expect(documents.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: 'before.png', documentType: 'photo', mimeType: 'image/png', isShared: false, scanState: 'pending', uploadSource: 'clinic' },
      {
        name: 'Consent 2024.pdf',
        documentType: 'consent',
        description: 'Signed in Oakville',
        isShared: true,
        scanState: 'pending',
        version: 1,
      },
    ])
    const file = await server.request(`/api/documents/${documents[0]!.id}/file`, { headers: { cookie } })
    expect(file.status).not.toBe(200)
    const audit = await server.rows("select 1 from audit_log where contact_ids[1] = $1 and kind = 'document' and action = 'created'", [
      patient.id,
    ])
    expect(audit).toHaveLength(2)
    expect(await client.imports.files({ id: uploaded.id })).toMatchObject({ count: 0 })
  })

  it('reports rows with missing, rejected, repeated or ambiguous files, and files without a row', async () => {
    const patient = await newPatient()
    const uploaded = await upload(
      [
        'File,Email',
        `missing.pdf,${patient.email}`,
        `damaged.pdf,${patient.email}`,
        `two.pdf,${patient.email}`,
        `one.pdf,nobody@import.example`,
        `one.pdf,${patient.email}`,
        `b/two.pdf,${patient.email}`,
        `,${patient.email}`,
        '',
      ].join('\n'),
    )
    for (const at of ['x/one.pdf', 'x/a/two.pdf', 'x/b/two.pdf', 'x/three.pdf'])
      expect(await sendFile(uploaded.id, at, pdf())).toEqual([201])
    expect(await sendFile(uploaded.id, 'x/damaged.pdf', Buffer.from('no PDF at all'))).toEqual([422, 'FILE_TYPE'])
    expect(await sendFile(uploaded.id, 'x/empty.pdf', Buffer.alloc(0))).toEqual([422, 'FILE_EMPTY'])
    expect(await client.imports.files({ id: uploaded.id })).toMatchObject({
      count: 4,
      refused: 2,
      refusals: [{ path: 'x/damaged.pdf' }, { path: 'x/empty.pdf', reason: 'This file is empty' }],
    })
    const checked = await check(uploaded)
    expect(checked.checked).toEqual({ fresh: 1, matches: 0, duplicates: 0, errors: 6, unnamed: 3 })
    expect(await listProblems(checked)).toEqual([
      [2, 'No file with this name was uploaded'],
      [3, 'This file type is not supported. Send a PDF, a Word document or an image (JPEG, PNG, HEIC).'],
      [4, 'Several files have this name. Include the folder: x/a/two.pdf, x/b/two.pdf'],
      [5, 'No patient has this email'],
      [6, 'Row 5 already uses this file'],
      [8, 'Enter the file name'],
    ])
    const unnamed = async () => (await client.imports.findings({ id: checked.id, kind: 'unnamed' })).data.map(({ name }) => name)
    expect(await unnamed()).toEqual(['x/a/two.pdf', 'x/empty.pdf', 'x/three.pdf'])
    expect((await run(checked)).result).toEqual({ added: 1, filled: 0, skipped: 0, errors: 6 })
    expect(await unnamed()).toHaveLength(3)
    expect(await client.documents.list({ contactId: patient.id })).toMatchObject([{ name: 'two.pdf', documentType: 'other' }])
  })

  it('adds nothing when imported again, and deletes only unchanged documents on undo', async () => {
    const patient = await newPatient()
    const [one, two] = [pdf(), pdf()]
    const importFiles = async () => {
      const { id, ...rest } = await upload(`File,Email\none.pdf,${patient.email}\ntwo.pdf,${patient.email}\ncopy.pdf,${patient.email}\n`)
      for (const [name, bytes] of [
        ['one.pdf', one],
        ['two.pdf', two],
        ['copy.pdf', two],
      ] as const)
        await sendFile(id, name, bytes)
      return run(await check({ id, ...rest }))
    }
    const first = await importFiles()
    expect(first.result).toEqual({ added: 2, filled: 0, skipped: 1, errors: 0 })
    expect((await importFiles()).result).toEqual({ added: 0, filled: 0, skipped: 3, errors: 0 })
    const documents = await client.documents.list({ contactId: patient.id })
    const changed = documents.find(({ name }) => name === 'one.pdf')!
    await client.documents.update({ id: changed.id, version: 1, name: 'Mine' })

    await client.imports.undo({ id: first.id })
    expect(await untilSettled(first.id)).toMatchObject({ status: 'undone', undone: 1, kept: 1 })
    expect((await client.documents.list({ contactId: patient.id })).map(({ name }) => name)).toEqual(['Mine.pdf'])
    expect((await importFiles()).result).toEqual({ added: 1, filled: 0, skipped: 2, errors: 0 })
  })

  it('accepts the files in an archive without junk, records rejected ones, and refuses a broken archive', async () => {
    const patient = await newPatient()
    const uploaded = await upload(`File,Email\nconsent.pdf,${patient.email}\nnotes.pdf,${patient.email}\n`)
    const zip = await makeZip({
      'papers/consent.pdf': pdf(),
      'papers/notes.pdf': Buffer.from('words'),
      '__MACOSX/papers/._consent.pdf': Buffer.from('x'),
      'papers/.DS_Store': Buffer.from('x'),
    })
    expect(await sendFile(uploaded.id, 'papers.zip', zip)).toEqual([201])
    expect(await sendFile(uploaded.id, 'broken.zip', zip.subarray(0, 200))).toEqual([422, 'FILE_BROKEN'])
    expect(await client.imports.files({ id: uploaded.id })).toMatchObject({
      count: 1,
      refused: 1,
      refusals: [{ path: 'papers/notes.pdf' }],
    })
    const checked = await check(uploaded)
    expect(checked.checked).toEqual({ fresh: 1, matches: 0, duplicates: 0, errors: 1, unnamed: 0 })
    expect((await run(checked)).result).toMatchObject({ added: 1 })
  })

  it('returns to column mapping when a file arrives after the check, and refuses files after the run', async () => {
    const patient = await newPatient()
    const checked = await check(await upload(`File,Email\nlate.pdf,${patient.email}\n`))
    expect(checked.checked).toMatchObject({ fresh: 0, errors: 1 })
    expect(await sendFile(checked.id, 'late.pdf', pdf())).toEqual([201])
    const reopened = await client.imports.get({ id: checked.id })
    expect(reopened).toMatchObject({ status: 'mapping', checked: null })
    const importFiles = await check(reopened)
    expect(importFiles.checked).toMatchObject({ fresh: 1, errors: 0 })
    await run(importFiles)
    expect(await sendFile(checked.id, 'later.pdf', pdf())).toEqual([409, 'WRONG_MOMENT'])
  })

  it('accepts files only for the user’s own imports of documents', async () => {
    const { id } = await upload('File,Email\na.pdf,a@b.example\n')
    const other = await server.account({ role: 'sales_rep' })
    const frontDesk = await server.account({ role: 'front_desk' })
    expect(await sendFile(id, 'a.pdf', pdf(), other.cookie)).toEqual([404, 'NOT_FOUND'])
    expect(await sendFile(id, 'a.pdf', pdf(), frontDesk.cookie)).toEqual([403, 'FORBIDDEN'])
    expect(await sendFile(id, '', pdf())).toEqual([422, 'INVALID_INPUT'])
    const patients = await server.request('/api/imports?name=a.csv', { method: 'POST', body: 'Name\nAna Test\n', headers: { cookie } })
    expect(await sendFile(((await patients.json()) as { id: string }).id, 'a.pdf', pdf())).toEqual([404, 'NOT_FOUND'])
  })

  it('leaves only the bytes of documents in use after an import', async () => {
    const patient = await newPatient()
    const uploaded = await upload(`File,Email\nkept.pdf,${patient.email}\n`)
    await sendFile(uploaded.id, 'kept.pdf', pdf())
    await sendFile(uploaded.id, 'nobody.pdf', pdf())
    const keys = await server.rows<{ key: string; row: string }>(
      'select storage_key as key, path as row from import_files where import_id = $1',
      [uploaded.id],
    )
    await run(await check(uploaded))
    const used = await server.rows<{ key: string }>('select storage_key as key from documents where contact_id = $1', [patient.id])
    expect(used).toEqual([{ key: keys.find(({ row }) => row === 'kept.pdf')!.key }])
    expect(await server.rows('select 1 from import_files where import_id = $1', [uploaded.id])).toEqual([])
  })
})
