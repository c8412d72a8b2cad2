import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { downloadZip } from 'client-zip'
import { describe, expect, it } from 'vitest'
import { pdf, portalOf } from '../../test/portal.ts'
import { useServer } from '../../test/server.ts'

const server = useServer({ TRUST_PROXY: 'true', UPLOAD_STALL_SECONDS: '1' })
const { signIn, upload, listOf } = portalOf(server)

const archive = Buffer.from(await downloadZip([{ name: 'tool.exe', input: 'hello' }]).arrayBuffer())

describe('uploads', () => {
  it.each([
    ['page.pdf', Buffer.from('<html><script>alert(1)</script></html>'), 'application/pdf'],
    ['drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'image/svg+xml'],
    ['tool.exe', Buffer.from('MZ\x90\x00\x03'), 'application/pdf'],
    ['tool.pdf', Buffer.from('MZ\x90\x00\x03'), 'application/pdf'],
    ['photo.jpg', pdf(), 'image/jpeg'],
    ['page-behind.pdf', Buffer.from('%PDF-1.4\n<html><script>alert(1)</script></html>\n%%EOF'), 'application/pdf'],
    ['page-before.pdf', Buffer.concat([Buffer.from('<!doctype html><script>alert(1)</script>'), pdf()]), 'application/pdf'],
    ['tool-before.pdf', Buffer.concat([Buffer.from('MZ\x90\x00'), pdf()]), 'application/pdf'],
    ['archive.pdf', Buffer.concat([pdf().subarray(0, -6), archive]), 'application/pdf'],
    ['archive.docx', archive, 'application/msword'],
    ['drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'image/png'],
    ['script.jpg', Buffer.from('\xff\xd8\xff\xe0<?php system($_GET[0]); ?>', 'latin1'), 'image/jpeg'],
    ['page.html', pdf(), 'text/html'],
    ['page.pdf.html', pdf(), 'application/pdf'],
    ['empty.pdf', Buffer.alloc(0), 'application/pdf'],
    ['cut.pdf', Buffer.from('%PDF-1.4 and nothing else'), 'application/pdf'],
  ])('refuses %s with a reason and stores nothing', async (name, bytes, type) => {
    const patient = await signIn()
    const answer = await upload(patient, { name, bytes, type })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: expect.stringMatching(/^FILE_/), details: expect.any(String), error: expect.any(String) })
    expect(await listOf(patient)).toEqual([])
  })

  it('accepts 10 MB, answers 413 for one byte more, and stores nothing of a refused file', async () => {
    const patient = await signIn()
    const full = (size: number) => Buffer.concat([pdf().subarray(0, 9), Buffer.alloc(size - 9 - 6, 0x20), Buffer.from('%%EOF\n')])
    expect(await upload(patient, { name: 'big.pdf', bytes: full(10 * 1024 * 1024 + 1) })).toMatchObject({
      status: 413,
      body: { code: 'FILE_TOO_LARGE' },
    })
    expect(await upload(patient, { name: 'full.pdf', bytes: full(10 * 1024 * 1024) })).toMatchObject({ status: 201 })
    const stored: string[] = []
    for await (const { key } of server.running.runtime.files.list()) stored.push(key)
    const rows = await server.rows<{ storage_key: string }>('select storage_key from documents')
    expect(stored.toSorted()).toEqual(rows.map((row) => row.storage_key).toSorted())
  })

  it('stores a file once when it is sent again after a lost response', async () => {
    const patient = await signIn()
    const first = await upload(patient, { name: 'scan.pdf', bytes: pdf('scan') })
    const again = await upload(patient, { name: 'scan.pdf', bytes: pdf('scan') })
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect(await listOf(patient)).toHaveLength(1)
    await upload(patient, { name: 'other.pdf', bytes: pdf('scan') })
    await upload(await signIn(), { name: 'scan.pdf', bytes: pdf('scan') })
    expect(await listOf(patient)).toHaveLength(2)
  })

  it('sanitizes file names: folders, hidden characters, device names and length', async () => {
    const patient = await signIn()
    for (const name of ['../../etc/passwd.pdf', `${'a'.repeat(300)}.pdf`, 'con.pdf', 'in‮voice.pdf']) {
      expect(await upload(patient, { name, bytes: pdf(name.slice(0, 20)) })).toMatchObject({ status: 201 })
    }
    const names = (await listOf(patient)).map(({ name }) => String(name))
    expect(names.toSorted()).toEqual([`${'a'.repeat(146)}.pdf`, 'con_.pdf', 'in voice.pdf', 'passwd.pdf'].toSorted())
  })

  it('aborts a stalled upload with 408 and stores nothing', async () => {
    const patient = await signIn()
    const body = async function* () {
      yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 half')
      await new Promise(() => {})
    }
    const answer = await server.request('/api/functions/patient-document-upload', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', authorization: 'Bearer public' },
      body: Readable.toWeb(Readable.from(body())) as BodyInit,
      duplex: 'half',
    } as RequestInit)
    expect([answer.status, await answer.json()]).toMatchObject([408, { code: 'UPLOAD_STALLED' }])
    expect(await listOf(patient)).toEqual([])
    expect(await fs.readdir(path.join(server.running.runtime.env.DATA_DIR, 'incoming'))).toEqual([])
  })

  it('refuses two files in one form', async () => {
    const patient = await signIn()
    const form = new FormData()
    for (const name of ['a.pdf', 'b.pdf']) form.append('file', new File([new Uint8Array(pdf())], name, { type: 'application/pdf' }))
    form.append('contactId', patient.id)
    form.append('sessionToken', patient.token)
    const answer = await server.request('/api/functions/patient-document-upload', {
      method: 'POST',
      headers: { 'x-portal-session': patient.token },
      body: form,
    })
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'INVALID_INPUT', error: 'Send one file at a time' }])
    expect(await listOf(patient)).toEqual([])
  })

  it('stores nothing without an active session or when the upload is cut off', async () => {
    const patient = await signIn()
    expect(await upload({ ...patient, token: 'made-up' }, { name: 'a.pdf', bytes: pdf() })).toMatchObject({
      status: 401,
      body: { code: 'SESSION_OVER' },
    })
    const half = await server.request('/api/functions/patient-document-upload', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', authorization: 'Bearer public' },
      body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 half',
    })
    expect(half.status).toBe(422)
    for (const type of ['application/json', 'multipart/form-data', 'text/plain']) {
      const answer = await server.request('/api/functions/patient-document-upload', {
        method: 'POST',
        headers: { 'content-type': type },
        body: 'x',
      })
      expect([type, answer.status]).toEqual([type, 415])
    }
    expect(await listOf(patient)).toEqual([])
  })

  /** An upload whose file never ends: a response shows that the server did not wait for the file. */
  const endless = async (headers: Record<string, string>, fields: Record<string, string> = {}) => {
    let sent = 0
    const part = (name: string, more = '') => `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
    const body = async function* () {
      for (const [name, value] of Object.entries(fields)) yield Buffer.from(`${part(name)}${value}\r\n`)
      yield Buffer.from(`${part('file', '; filename="a.pdf"')}%PDF-1.4`)
      for (; sent < 100; sent++) yield Buffer.alloc(50_000, ' ')
      await new Promise(() => {})
    }
    const answer = await server.request('/api/functions/patient-document-upload', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-forwarded-for': `10.67.0.${++address}`, ...headers },
      body: Readable.toWeb(Readable.from(body())) as BodyInit,
      duplex: 'half',
    } as RequestInit)
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  let address = 0

  it('refuses a sender without a valid session before reading the file, whether named in a header or a field', async () => {
    const patient = await signIn()
    const over = [401, 'SESSION_OVER']
    expect(await endless({})).toEqual(over)
    expect(await endless({ 'x-portal-session': 'made-up' })).toEqual(over)
    expect(await endless({ authorization: 'Bearer public' }, { contactId: patient.id, sessionToken: 'made-up' })).toEqual(over)
    // With an active session, the server waits until the file stalls.
    expect(await endless({ 'x-portal-session': patient.token })).toEqual([408, 'UPLOAD_STALLED'])
  })

  it('refuses a form with too many parts at the first excess part', async () => {
    const patient = await signIn()
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field${n}`, '']))
    expect(await endless({ 'x-portal-session': patient.token }, fields)).toEqual([422, 'INVALID_INPUT'])
  })

  it('inspects a file only after verifying the session, wherever the form names it', async () => {
    const patient = await signIn()
    // If it were inspected, it would be refused for its type.
    const file = { name: 'photo.jpg', bytes: Buffer.from('<html>no picture</html>') }
    const other = await signIn()
    const answers = [
      await upload({ ...patient, token: 'made-up' }, file),
      await upload({ ...patient, id: other.id }, file),
      await upload(patient, file),
      await upload({ ...patient, token: '' }, file, {}, { 'x-portal-session': patient.token }),
    ]
    expect(answers.map(({ body }) => body.code)).toEqual(['SESSION_OVER', 'NOT_FOUND', 'FILE_TYPE', 'FILE_TYPE'])
    expect(await fs.readdir(path.join(server.running.runtime.env.DATA_DIR, 'incoming'))).toEqual([])
  })

  it('receives at most four unverified uploads at once and answers 503 to the next', async () => {
    const unproven = Array.from({ length: 5 }, () => endless({ authorization: 'Bearer public' }))
    const answers = await Promise.all(unproven)
    expect(answers.filter(([status]) => status === 503)).toEqual([[503, 'BUSY']])
    expect(answers.filter(([status]) => status === 408)).toHaveLength(4)
  })

  it('allows 120 uploads in 15 minutes per network address, then answers 429 with a retry time', async () => {
    const sent = async () => {
      const headers = { 'content-type': 'text/plain', 'x-forwarded-for': '10.66.0.1' }
      return server.request('/api/functions/patient-document-upload', { method: 'POST', headers, body: 'x' })
    }
    const answers = await Promise.all(Array.from({ length: 122 }, sent))
    expect(Map.groupBy(answers, ({ status }) => status).get(415)).toHaveLength(120)
    const refused = answers.find(({ status }) => status === 429)!
    expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', error: expect.any(String) })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(15 * 60)
  })
})
