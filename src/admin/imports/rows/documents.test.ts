import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { makePdf, makePng } from '../../../../demo/papers.ts'
import { insertContact } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

type Import = Awaited<ReturnType<Client['imports']['get']>>

// No one answers there: what is added waits for the scanner.
const server = useServer({ LOG_LEVEL: 'silent', CLAMD_URL: 'tcp://127.0.0.1:9' })
let client: Client
let cookie: string
beforeAll(async () => {
  cookie = await server.signIn('sales_rep')
  client = await server.as('sales_rep')
})

const pdf = (words = randomUUID()) => makePdf([['Consent', words]])
const photo = makePng(40, 30, (x, y) => [x, y, 120])
const upload = async (body: string): Promise<Import> => {
  const answer = await server.request('/api/imports?name=papers.csv&kind=documents', { method: 'POST', body, headers: { cookie } })
  return client.imports.get((await answer.json()) as { id: string })
}
const sendFile = async (id: string, path: string, bytes: Buffer, by = cookie): Promise<[status: number, code?: string]> => {
  const answer = await server.request(`/api/imports/${id}/files?${new URLSearchParams({ path }).toString()}`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { cookie: by },
  })
  const { code } = (await answer.json()) as { code?: string }
  return code === undefined ? [answer.status] : [answer.status, code]
}
const settled = (id: string): Promise<Import> =>
  until(async () => {
    const now = await client.imports.get({ id })
    return !['checking', 'running', 'undoing'].includes(now.status) && now
  }, 60_000)
const check = async ({ id, columns }: Import) => {
  await client.imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
  return settled(id)
}
const run = async ({ id }: Import) => {
  await client.imports.run({ id, onMatch: 'skip' })
  return settled(id)
}
const problemsOf = async ({ id }: Import) =>
  (await client.imports.findings({ id, kind: 'error' })).data.map(({ row, problems }) => [
    row,
    problems.map(({ reason }) => reason).join('; '),
  ])
const newPatient = async () => {
  const email = `${randomUUID()}@import.example`
  return { email, id: await insertContact(server, { email }) }
}
const zipOf = (files: Record<string, Buffer>): Promise<Buffer> => {
  const zip = new yazl.ZipFile()
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name)
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Buffer>)
}

describe('issue 9: documents are imported with a folder of files', () => {
  it('each row’s file becomes a document of its patient, as if it had been uploaded: name, kind, sharing, and shut away until it is scanned', async () => {
    const patient = await newPatient()
    const uploaded = await upload(
      `File,Email,Kind,Name,Notes,Shared\nsilva/consent.pdf,${patient.email},Consent form,Consent 2024,Signed in Oakville,yes\nBEFORE.PNG,${patient.email},photos,,,\n`,
    )
    expect(uploaded.columns.map(({ field }) => field)).toEqual(['file', 'patientEmail', 'documentType', 'name', 'description', 'isShared'])
    expect(await sendFile(uploaded.id, 'Papers/silva/consent.pdf', pdf())).toEqual([201])
    expect(await sendFile(uploaded.id, 'Papers/silva/before.png', photo)).toEqual([201])
    expect(await sendFile(uploaded.id, 'Papers/silva/before.png', photo)).toEqual([201]) // again, as after a lost answer
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

  it('names rows whose file is missing, was refused, is named twice or could be several; and files that no row names', async () => {
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
    expect(await problemsOf(checked)).toEqual([
      [2, 'No file of this name was sent'],
      [3, 'This type of file cannot be taken. Send a PDF, a Word document, or an image (JPEG, PNG, HEIC).'],
      [4, 'Several files have this name. Write the folder, too: x/a/two.pdf, x/b/two.pdf'],
      [5, 'No patient has this email'],
      [6, 'Row 5 names this file already'],
      [8, 'Say which file it is'],
    ])
    const unnamed = async () => (await client.imports.findings({ id: checked.id, kind: 'unnamed' })).data.map(({ name }) => name)
    expect(await unnamed()).toEqual(['x/a/two.pdf', 'x/empty.pdf', 'x/three.pdf'])
    expect((await run(checked)).result).toEqual({ added: 1, filled: 0, skipped: 0, errors: 6 })
    expect(await unnamed()).toHaveLength(3)
    expect(await client.documents.list({ contactId: patient.id })).toMatchObject([{ name: 'two.pdf', documentType: 'other' }])
  })

  it('the same files a second time add nothing; the undo deletes what no one has changed, and it can be imported again', async () => {
    const patient = await newPatient()
    const [one, two] = [pdf(), pdf()]
    const again = async () => {
      const { id, ...rest } = await upload(`File,Email\none.pdf,${patient.email}\ntwo.pdf,${patient.email}\ncopy.pdf,${patient.email}\n`)
      for (const [name, bytes] of [['one.pdf', one], ['two.pdf', two], ['copy.pdf', two]] as const) await sendFile(id, name, bytes) // biome-ignore format: a table
      return run(await check({ id, ...rest }))
    }
    const first = await again()
    expect(first.result).toEqual({ added: 2, filled: 0, skipped: 1, errors: 0 })
    expect((await again()).result).toEqual({ added: 0, filled: 0, skipped: 3, errors: 0 })
    const documents = await client.documents.list({ contactId: patient.id })
    const changed = documents.find(({ name }) => name === 'one.pdf')!
    await client.documents.update({ id: changed.id, version: 1, name: 'Mine' })

    await client.imports.undo({ id: first.id })
    expect(await settled(first.id)).toMatchObject({ status: 'undone', undone: 1, kept: 1 })
    expect((await client.documents.list({ contactId: patient.id })).map(({ name }) => name)).toEqual(['Mine.pdf'])
    expect((await again()).result).toEqual({ added: 1, filled: 0, skipped: 2, errors: 0 })
  })

  it('an archive stands for the files in it: junk is left out, what cannot be taken is remembered, what is no archive is refused', async () => {
    const patient = await newPatient()
    const uploaded = await upload(`File,Email\nconsent.pdf,${patient.email}\nnotes.pdf,${patient.email}\n`)
    const zip = await zipOf({
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

  it('a file that comes after the check takes the import back to its columns; one that comes after the run is refused', async () => {
    const patient = await newPatient()
    const checked = await check(await upload(`File,Email\nlate.pdf,${patient.email}\n`))
    expect(checked.checked).toMatchObject({ fresh: 0, errors: 1 })
    expect(await sendFile(checked.id, 'late.pdf', pdf())).toEqual([201])
    const back = await client.imports.get({ id: checked.id })
    expect(back).toMatchObject({ status: 'mapping', checked: null })
    const again = await check(back)
    expect(again.checked).toMatchObject({ fresh: 1, errors: 0 })
    await run(again)
    expect(await sendFile(checked.id, 'later.pdf', pdf())).toEqual([409, 'WRONG_MOMENT'])
  })

  it('files go to one’s own imports of documents alone', async () => {
    const { id } = await upload('File,Email\na.pdf,a@b.example\n')
    const other = await server.account({ role: 'sales_rep' })
    const frontDesk = await server.account({ role: 'front_desk' })
    expect(await sendFile(id, 'a.pdf', pdf(), other.cookie)).toEqual([404, 'NOT_FOUND'])
    expect(await sendFile(id, 'a.pdf', pdf(), frontDesk.cookie)).toEqual([403, 'FORBIDDEN'])
    expect(await sendFile(id, '', pdf())).toEqual([422, 'INVALID_INPUT'])
    const patients = await server.request('/api/imports?name=a.csv', { method: 'POST', body: 'Name\nAna Test\n', headers: { cookie } })
    expect(await sendFile(((await patients.json()) as { id: string }).id, 'a.pdf', pdf())).toEqual([404, 'NOT_FOUND'])
  })

  it('bytes of files that became no document are swept in the end, those of documents never', async () => {
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
