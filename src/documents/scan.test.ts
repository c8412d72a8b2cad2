import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { eicar, startClamdSimulator } from '../../simulators/clamd/server.ts'
import { insertContact } from '../../test/factories.ts'
import { pdf, portalOf } from '../../test/portal.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import type { Scope } from '../kernel/scope.ts'
import { documentMessages } from './contract.ts'
import { scanDocument, rescanPending } from './scan.ts'

const infected = Buffer.concat([pdf().subarray(0, 9), eicar, pdf().subarray(9)])

describe('with a virus scanner', () => {
  let scanner: Awaited<ReturnType<typeof startClamdSimulator>>
  let server: TestServer
  let portal: ReturnType<typeof portalOf>
  let now = new Date('2026-11-21T15:00:00Z')
  beforeAll(async () => {
    scanner = await startClamdSimulator()
    server = await startTestServer(inject('postgres'), { TRUST_PROXY: 'true', CLAMD_URL: scanner.url }, { now: () => now })
    portal = portalOf(server)
  })
  afterAll(async () => {
    await scanner.stop() // first, or the server would wait for a scanner that does not respond
    await server.stop()
  })
  beforeEach(() => scanner.setUnresponsive(false))

  const scope = () => ({ ...server.running.runtime, actor: null }) as unknown as Scope
  const stateOf = async (id: unknown) =>
    (await server.rows<{ scan_state: string }>('select scan_state from documents where id = $1', [id]))[0]!.scan_state
  const isScanned = (id: unknown) => until(async () => (await stateOf(id)) !== 'pending')
  const fetchAsStaff = async (id: string, resource = 'file') =>
    server.request(`/api/documents/${id}/${resource}`, { headers: { cookie: await server.signIn('provider') } })
  async function add(contactId: string, bytes: Buffer, share = false) {
    const response = await server.request(`/api/contacts/${contactId}/documents?name=scan.pdf&share=${share}`, {
      method: 'POST',
      headers: { cookie: await server.signIn('provider') },
      body: new Uint8Array(bytes),
    })
    expect(response.status).toBe(201)
    return ((await response.json()) as { id: string }).id
  }

  it('blocks a file until it has been scanned, and then opens a clean one', async () => {
    scanner.setUnresponsive(true)
    const patient = await portal.signIn()
    const { body } = await portal.upload(patient, { name: 'a.pdf', bytes: pdf() })
    expect(await portal.listOf(patient)).toMatchObject([{ id: body.id, signedUrl: null, previewUrl: null, review_state: 'pending' }])
    const refused = await fetchAsStaff(String(body.id))
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'NOT_SCANNED' }])

    // The job waiting for the silent scanner would retry only later, so run it now.
    scanner.setUnresponsive(false)
    await scanDocument.run(scope(), { id: String(body.id) }, { last: false })
    expect(await stateOf(body.id)).toBe('clean')
    const [document] = await portal.listOf(patient)
    expect((await server.request(String(document!.signedUrl))).status).toBe(200)
    expect((await fetchAsStaff(String(body.id))).status).toBe(200)
  })

  it('rejects an infected patient upload, notifies the patient, and never serves it', async () => {
    const patient = await portal.signIn()
    const { status, body } = await portal.upload(patient, { name: 'Letter.pdf', bytes: infected })
    expect(status).toBe(201)
    await isScanned(body.id)
    expect(await stateOf(body.id)).toBe('infected')
    expect(await portal.listOf(patient)).toMatchObject([
      { signedUrl: null, review_state: 'rejected', reject_reason: documentMessages.infected },
    ])
    await until(() => portal.emailsTo(patient.email).some(({ Subject }) => Subject?.includes('could not use your document')))
    const staff = await server.as('provider')
    expect((await staff.documents.waiting({})).data.map(({ id }) => id)).not.toContain(body.id)
    expect((await staff.interactions.list({ contactId: patient.id })).data[0]).toMatchObject({
      type: 'document',
      description: 'The virus scanner found Eicar-Test-Signature in Letter.pdf',
    })
    // Even if staff accept it afterwards.
    const [document] = await staff.documents.list({ contactId: patient.id })
    await staff.documents.review({ id: document!.id, version: document!.version, decision: 'accepted' })
    for (const resource of ['file', 'preview']) expect((await fetchAsStaff(document!.id, resource)).status).not.toBe(200)
    expect((await fetchAsStaff(document!.id)).status).toBe(409)
    expect(await portal.listOf(patient)).toMatchObject([{ signedUrl: null }])
  })

  it('never serves an infected staff upload, and hides it from a patient it is shared with', async () => {
    const patient = await portal.signIn()
    const [infectedId, cleanId] = [await add(patient.id, infected, true), await add(patient.id, pdf(), true)]
    await isScanned(infectedId)
    await isScanned(cleanId)
    expect([await stateOf(infectedId), await stateOf(cleanId)]).toEqual(['infected', 'clean'])
    expect(((await portal.listOf(patient)) ?? []).map(({ id }) => id)).toEqual([cleanId])
    expect((await fetchAsStaff(infectedId)).status).toBe(409)
  })

  it('scans a document once even if the job runs twice, and rescans unscanned documents after an hour', async () => {
    const id = await add(await insertContact(server), pdf())
    await isScanned(id)
    const scans = scanner.scans()
    await scanDocument.run(scope(), { id }, { last: false })
    expect(scanner.scans()).toBe(scans)

    await server.rows(`update documents set scan_state = 'pending' where id = $1`, [id])
    await rescanPending.run(scope(), {}, { last: false })
    expect(scanner.scans()).toBe(scans)
    now = new Date(now.getTime() + 61 * 60_000)
    await rescanPending.run(scope(), {}, { last: false })
    await isScanned(id)
    expect([await stateOf(id), scanner.scans()]).toEqual(['clean', scans + 1])
  })

  it('opens waiting documents once the scanner is no longer configured', async () => {
    scanner.setUnresponsive(true)
    const id = await add(await insertContact(server), pdf())
    const without = scope()
    await scanDocument.run({ ...without, env: { ...without.env, CLAMD_URL: undefined } }, { id }, { last: false })
    expect(await stateOf(id)).toBe('off')
    expect((await fetchAsStaff(id)).status).toBe(200)
  })
})
