import fs from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { hostileFiles } from '../../../test/hostile-files.ts'
import { picture } from '../../../test/pictures.ts'
import { insertContact } from '../../../test/factories.ts'
import { pdf, portalOf } from '../../../test/portal.ts'
import { useServer } from '../../../test/server.ts'
import { useTemporaryFiles } from '../../../test/temporary-files.ts'
import { createBudget, FileTooComplex } from './budget.ts'
import { examineFile } from './examine.ts'
import { examine } from './file-pools.ts'
import { decodedSizeOf } from './jpeg.ts'
import { stripLocation } from './strip-location.ts'

const write = useTemporaryFiles()

/** Nothing is wrong with these once each byte is read once at most, and nothing is unpacked that no one here looks into. */
const taken = ['slow.jpg', 'xmp-repeated.jpg', 'xmp-extension-repeated.jpg', 'object-streams.pdf', 'nested.pdf']
const refusals: Record<string, string> = {
  'loop.tif': 'FILE_TYPE',
  'chunks.webp': 'FILE_TYPE',
  'lines.ics': 'FILE_TYPE',
  'parts.eml': 'FILE_TYPE',
  'packed.jpg': 'FILE_TYPE',
  'sectors.doc': 'FILE_BROKEN',
  'boxes.heic': 'FILE_BROKEN',
}

describe('files that are made to stop anyone who opens them', () => {
  test.each(hostileFiles)('$name is refused or taken by a worker that stays within its bounds: $note', async ({ name, bytes }) => {
    const answer = await examine('outside', { file: write(await bytes()), name })
    if (taken.includes(name)) expect(answer).toMatchObject({ size: expect.any(Number) })
    else expect(answer).toEqual({ refusal: refusals[name] ?? 'FILE_TOO_COMPLEX' })
  })
})

describe('the budget of a file', () => {
  const spentOn = async (bytes: Buffer) => {
    const budget = createBudget()
    await stripLocation(write(bytes), 'image/jpeg', budget)
    return budget.spent
  }

  test('what reading a picture costs grows with its size, and no faster', async () => {
    const [plain, placed] = [await picture('jpeg', { withPlace: false }), await picture('jpeg')]
    const times = (count: number) => Buffer.concat([plain, ...Array.from({ length: count }, () => placed)])
    const [one, ten] = [await spentOn(times(1)), await spentOn(times(10))]
    for (const kind of ['parts', 'blocks', 'entries', 'metadata'] as const) {
      expect([kind, ten[kind] <= 10 * one[kind], one[kind] > 0]).toEqual([kind, true, true])
    }
  })

  test.each(['xmp-repeated.jpg', 'xmp-extension-repeated.jpg'])(
    'of %s, whose segments lie on one another, no byte is read twice',
    async (name) => {
      const bytes = await hostileFiles.find((file) => file.name === name)!.bytes()
      expect((await spentOn(bytes)).metadata).toBeLessThanOrEqual(bytes.length)
    },
  )

  test('is spent once: what is more is FILE_TOO_COMPLEX', () => {
    const budget = createBudget()
    for (let n = 0; n < 500; n++) budget.spend('blocks')
    expect(() => budget.spend('blocks')).toThrow(FileTooComplex)
  })

  test('a picture that is drawn in several passes is held whole: so many bytes, by its sampling', async () => {
    const drawn = (progressive: boolean, chromaSubsampling: string) =>
      sharp({ create: { width: 64, height: 32, channels: 3, background: 'red' } })
        .jpeg({ progressive, chromaSubsampling })
        .toBuffer()
    expect(decodedSizeOf(await drawn(false, '4:4:4'), createBudget())).toBe(0)
    expect(decodedSizeOf(await drawn(true, '4:4:4'), createBudget())).toBe(64 * 32 * 3 * 2)
    expect(decodedSizeOf(await drawn(true, '4:2:0'), createBudget())).toBe(64 * 32 * 1.5 * 2)
  })

  test('an honest picture of a phone spends next to nothing of it', async () => {
    const file = write(await picture('jpeg'))
    expect(await examineFile({ file, name: 'a.jpg' })).toMatchObject({ kind: 'image/jpeg', size: fs.statSync(file).size })
  })
})

describe('while files are read', () => {
  const server = useServer({ TRUST_PROXY: 'true' })
  const { signIn, upload } = portalOf(server)
  let hostile: Buffer
  beforeAll(async () => {
    hostile = await hostileFiles.find(({ name }) => name === 'ztxt-bombs.png')!.bytes()
  })
  const send = async (patient: Awaited<ReturnType<typeof signIn>>) =>
    upload(patient, { name: 'scan.png', bytes: hostile, type: 'image/png' })

  test('the server goes on answering, and tells the patient what is wrong with their file', async () => {
    const patient = await signIn()
    const order: string[] = []
    const answer = send(patient).finally(() => order.push('the file'))
    for (let n = 0; n < 5; n++) await server.request('/health/live').then(() => order.push('live'))
    expect(await answer).toMatchObject({ status: 422, body: { code: 'FILE_TOO_COMPLEX', error: expect.any(String) } })
    expect(order.indexOf('live')).toBeLessThan(order.indexOf('the file'))
  })

  test('staff do not wait behind patients', async () => {
    const [patient, contactId] = [await signIn(), await insertContact(server)]
    const cookie = await server.signIn('admin')
    const ofStaff = async () => {
      const body = new Uint8Array(pdf())
      return server.request(`/api/contacts/${contactId}/documents?name=a.pdf`, { method: 'POST', headers: { cookie }, body })
    }
    expect((await ofStaff()).status).toBe(201)
    const slow = await hostileFiles.find(({ name }) => name === 'slow.jpg')!.bytes()
    const order: string[] = []
    const ofPatients = Array.from({ length: 3 }, async (_, n) => {
      const { status } = await upload(patient, { name: `${n}.jpg`, bytes: slow, type: 'image/jpeg' })
      order.push(`patient ${status}`)
    })
    await Promise.race(ofPatients)
    expect((await ofStaff()).status).toBe(201)
    order.push('staff')
    await Promise.all(ofPatients)
    expect(order.at(-1)).toBe('patient 201')
  })
})
