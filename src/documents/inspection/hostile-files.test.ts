import fs from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { hostileFiles } from '../../../test/documents/hostile-files.ts'
import { picture } from '../../../test/documents/test-images.ts'
import { insertContact } from '../../../test/factories.ts'
import { pdf, portalOf } from '../../../test/portal.ts'
import { useServer } from '../../../test/server.ts'
import { useTemporaryFiles } from '../../../test/documents/temporary-files.ts'
import { createBudget, FileTooComplex } from './budget.ts'
import { examineFile } from './examine.ts'
import { examine } from './file-pools.ts'
import { measureDecodedSize } from './jpeg.ts'
import { stripLocation } from './strip-location.ts'

const write = useTemporaryFiles()

const made = new Map<string, Buffer>()
/** The bytes of a hostile file, made once for all tests. */
async function bytesOf(name: string): Promise<Buffer> {
  const bytes = made.get(name) ?? (await hostileFiles.find((file) => file.name === name)!.bytes())
  made.set(name, bytes)
  return bytes
}

/** These are harmless as long as no byte is read twice and nothing is unpacked without need. */
const accepted = ['slow.jpg', 'xmp-repeated.jpg', 'xmp-extension-repeated.jpg', 'object-streams.pdf', 'nested.pdf']
const refusals: Record<string, string> = {
  'loop.tif': 'FILE_TYPE',
  'chunks.webp': 'FILE_TYPE',
  'lines.ics': 'FILE_TYPE',
  'parts.eml': 'FILE_TYPE',
  'packed.jpg': 'FILE_TYPE',
  'sectors.doc': 'FILE_BROKEN',
  'boxes.heic': 'FILE_BROKEN',
}

describe('files made to exhaust a parser', () => {
  test.each(hostileFiles)('refuses or accepts $name within the worker’s limits: $note', async ({ name }) => {
    const result = await examine('outside', { file: write(await bytesOf(name)), name })
    if (accepted.includes(name)) expect(result).toMatchObject({ size: expect.any(Number) })
    else expect(result).toEqual({ refusal: refusals[name] ?? 'FILE_TOO_COMPLEX' })
  })
})

describe('budget of a file', () => {
  const measureCost = async (bytes: Buffer) => {
    const budget = createBudget()
    await stripLocation(write(bytes), 'image/jpeg', budget)
    return budget.spent
  }

  test('grows at most linearly with the size of an image', async () => {
    const [plain, placed] = [await picture('jpeg', { withPlace: false }), await picture('jpeg')]
    const repeat = (count: number) => Buffer.concat([plain, ...Array.from({ length: count }, () => placed)])
    const [one, ten] = [await measureCost(repeat(1)), await measureCost(repeat(10))]
    for (const kind of ['parts', 'blocks', 'entries', 'metadata'] as const) {
      expect([kind, ten[kind] <= 10 * one[kind], one[kind] > 0]).toEqual([kind, true, true])
    }
  })

  test.each(['xmp-repeated.jpg', 'xmp-extension-repeated.jpg'])('reads no byte of %s twice although its segments overlap', async (name) => {
    const bytes = await bytesOf(name)
    expect((await measureCost(bytes)).metadata).toBeLessThanOrEqual(bytes.length)
  })

  test('throws FileTooComplex when exceeded', () => {
    const budget = createBudget()
    for (let n = 0; n < 500; n++) budget.spend('blocks')
    expect(() => budget.spend('blocks')).toThrow(FileTooComplex)
  })

  test('counts the memory of a progressive image by its chroma subsampling', async () => {
    const encode = (progressive: boolean, chromaSubsampling: string) =>
      sharp({ create: { width: 64, height: 32, channels: 3, background: 'red' } })
        .jpeg({ progressive, chromaSubsampling })
        .toBuffer()
    expect(measureDecodedSize(await encode(false, '4:4:4'), createBudget())).toBe(0)
    expect(measureDecodedSize(await encode(true, '4:4:4'), createBudget())).toBe(64 * 32 * 3 * 2)
    expect(measureDecodedSize(await encode(true, '4:2:0'), createBudget())).toBe(64 * 32 * 1.5 * 2)
  })

  test('accepts an ordinary phone photo', async () => {
    const file = write(await picture('jpeg'))
    expect(await examineFile({ file, name: 'a.jpg' })).toMatchObject({ kind: 'image/jpeg', size: fs.statSync(file).size })
  })
})

describe('while files are processed', () => {
  const server = useServer({ TRUST_PROXY: 'true' })
  const { signIn, upload } = portalOf(server)
  let hostile: Buffer
  beforeAll(async () => {
    hostile = await bytesOf('ztxt-bombs.png')
  })
  const send = async (patient: Awaited<ReturnType<typeof signIn>>) =>
    upload(patient, { name: 'scan.png', bytes: hostile, type: 'image/png' })

  test('keeps the server responsive and tells the patient what is wrong with the file', async () => {
    const patient = await signIn()
    const order: string[] = []
    const response = send(patient).finally(() => order.push('the file'))
    for (let n = 0; n < 5; n++) await server.request('/health/live').then(() => order.push('live'))
    expect(await response).toMatchObject({ status: 422, body: { code: 'FILE_TOO_COMPLEX', error: expect.any(String) } })
    expect(order.indexOf('live')).toBeLessThan(order.indexOf('the file'))
  })

  test('does not make staff wait behind patients', async () => {
    const [patient, contactId] = [await signIn(), await insertContact(server)]
    const cookie = await server.signIn('admin')
    const uploadAsStaff = async () => {
      const body = new Uint8Array(pdf())
      return server.request(`/api/contacts/${contactId}/documents?name=a.pdf`, { method: 'POST', headers: { cookie }, body })
    }
    expect((await uploadAsStaff()).status).toBe(201)
    const slow = await bytesOf('slow.jpg')
    const order: string[] = []
    const patientUploads = Array.from({ length: 2 }, async (_, n) => {
      const { status } = await upload(patient, { name: `${n}.jpg`, bytes: slow, type: 'image/jpeg' })
      order.push(`patient ${status}`)
    })
    await Promise.race(patientUploads)
    expect((await uploadAsStaff()).status).toBe(201)
    order.push('staff')
    await Promise.all(patientUploads)
    expect(order.at(-1)).toBe('patient 201')
  })
})
