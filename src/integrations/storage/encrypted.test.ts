import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encryptedStore, type EncryptedStore } from './encrypted.ts'
import { headerBytes } from './envelope.ts'
import { openLocalStore } from './local.ts'
import { DamagedFileError, type FileStore, KeyTakenError } from './store.ts'

const pieceBytes = 256 * 1024
const keyOf = (id: string) => ({ id, bytes: randomBytes(32) })
const [first, second, third] = [keyOf('11111111'), keyOf('22222222'), keyOf('33333333')]

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'refyne-encrypted-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

let next = 0
/** An empty store of the disk, for each test. */
const emptyDisk = (): FileStore => openLocalStore(path.join(folder, String(next++), 'files'))

async function* bytes(content: Uint8Array) {
  yield content
}
const textOf = async (store: FileStore, key: string) => (await read(store, key))?.toString()
async function read(store: FileStore, key: string, range?: readonly [number, number]): Promise<Buffer | null> {
  const found = await store.get(key, range)
  return found && Buffer.concat(await Array.fromAsync(found.bytes))
}
const put = (store: FileStore, key: string, text: string) => store.put(key, bytes(Buffer.from(text)))
const placesOf = async (disk: FileStore) => (await Array.fromAsync(disk.list())).map(({ key }) => key).toSorted()
async function reencryptAll(store: EncryptedStore) {
  for (const key of await Array.fromAsync(store.outdated())) await store.reencrypt(key)
}

test('gives back any content and any range of it, of any size', async () => {
  const store = encryptedStore(emptyDisk(), { keys: [first] })
  const size = fc.oneof(
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: -2, max: 2 }).map((more) => pieceBytes + more),
    fc.integer({ min: -2, max: 2 }).map((more) => 2 * pieceBytes + more),
  )
  await fc.assert(
    fc.asyncProperty(size, fc.nat(), fc.nat(), async (size, start, length) => {
      const key = `file-${next++}`
      const content = randomBytes(size)
      await store.put(key, bytes(content), { size })
      expect((await read(store, key))?.equals(content)).toBe(true)
      if (size === 0) return
      const from = start % size
      const to = from + (length % (size + 10))
      expect((await read(store, key, [from, to]))?.equals(content.subarray(from, to + 1))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('the disk has nothing of the content, and its size in the clear only', async () => {
  const disk = emptyDisk()
  const store = encryptedStore(disk, { keys: [first] })
  const marker = 'the patient’s photo'
  await put(store, 'photos/one', marker.repeat(100))
  const [stored] = await Array.fromAsync(disk.list())
  const raw = await read(disk, stored!.key)
  expect(raw!.includes(Buffer.from('patient'))).toBe(false)
  expect(await Array.fromAsync(store.list())).toMatchObject([{ key: 'photos/one', size: Buffer.byteLength(marker) * 100 }])
})

/** Replaces what lies on the disk at the place of a file. */
async function tamper(disk: FileStore, place: string, change: (stored: Buffer) => Buffer): Promise<void> {
  const changed = change((await read(disk, place))!)
  await disk.delete(place)
  await disk.put(place, bytes(changed))
}

test('refuses a file with any byte altered, naming it, and gives out nothing of the altered piece', async () => {
  const disk = emptyDisk()
  const damaged: string[] = []
  const store = encryptedStore(disk, { keys: [first], onDamaged: (key, problem) => damaged.push(`${key} ${problem}`) })
  const content = randomBytes(pieceBytes + 1000)
  await store.put('photos/one', bytes(content))
  const [place] = await placesOf(disk)
  const size = (await read(disk, place!))!.length
  const samples = [0, 7, 8, 20, headerBytes - 1, headerBytes, headerBytes + pieceBytes, headerBytes + pieceBytes + 16, size - 1]
  for (const at of [...samples, ...Array.from({ length: 30 }, () => Math.floor(Math.random() * size))]) {
    const flip = (stored: Buffer) => {
      stored[at]! ^= 1
      return stored
    }
    await tamper(disk, place!, flip)
    damaged.length = 0
    const given: Buffer[] = []
    const reading = async () => {
      for await (const part of (await store.get('photos/one'))!.bytes) given.push(Buffer.from(part))
    }
    await expect(reading(), `byte ${at}`).rejects.toThrow(DamagedFileError)
    expect(damaged).toEqual([expect.stringMatching(/^photos\/one /)])
    expect(content.subarray(0, pieceBytes).equals(Buffer.concat(given)) || given.length === 0).toBe(true)
    await tamper(disk, place!, flip)
  }
  expect((await read(store, 'photos/one'))!.equals(content)).toBe(true)
})

test('refuses a file that was cut, also between two pieces, or that lies in the place of another', async () => {
  const disk = emptyDisk()
  const store = encryptedStore(disk, { keys: [first] })
  await store.put('one', bytes(randomBytes(3 * pieceBytes)))
  await put(store, 'other', 'of another patient')
  const place = (await placesOf(disk)).find((place) => place.endsWith('/one'))!
  const whole = (await read(disk, place))!
  const oneLess = headerBytes + 2 * (pieceBytes + 16)
  for (const length of [0, 5, headerBytes, headerBytes + 10, oneLess, whole.length - 1]) {
    await tamper(disk, place, () => whole.subarray(0, length))
    await expect(read(store, 'one'), `cut to ${length} bytes`).rejects.toThrow(DamagedFileError)
  }
  await tamper(disk, place, () => Buffer.alloc(0))
  const other = (await read(disk, place.replace('/one', '/other')))!
  await tamper(disk, place, () => other)
  await expect(read(store, 'one')).rejects.toThrow('The file one is altered')
})

test('reads files of old keys and in plain text, and encrypts them with the current key', async () => {
  const disk = emptyDisk()
  await put(disk, 'documents/plain', 'stored before files were encrypted')
  await put(encryptedStore(disk, { keys: [first] }), 'documents/oldest', 'oldest')
  await put(encryptedStore(disk, { keys: [second, first] }), 'documents/old', 'old')
  const store = encryptedStore(disk, { keys: [third, second, first] })
  await put(store, 'documents/new', 'new')
  const texts = async () => Promise.all(['plain', 'oldest', 'old', 'new'].map((name) => textOf(store, `documents/${name}`)))
  const expected = ['stored before files were encrypted', 'oldest', 'old', 'new']
  expect(await texts()).toEqual(expected)
  await expect(put(store, 'documents/plain', 'again')).rejects.toThrow(KeyTakenError)
  expect((await Array.fromAsync(store.outdated())).toSorted()).toEqual(['documents/old', 'documents/oldest', 'documents/plain'])

  await reencryptAll(store)
  expect(await texts()).toEqual(expected)
  expect(await placesOf(disk)).toEqual(['new', 'old', 'oldest', 'plain'].map((name) => `encrypted/${third.id}/documents/${name}`))
  expect(await Array.fromAsync(store.outdated())).toEqual([])
  expect(await textOf(encryptedStore(disk, { keys: [third] }), 'documents/oldest')).toBe('oldest')
  expect(await encryptedStore(disk, { keys: [second] }).get('documents/oldest')).toBeNull()
})

test('goes on where re-encryption was killed, wherever that was', async () => {
  const disk = emptyDisk()
  await put(disk, 'half', 'in both places')
  // Killed after the copy was complete, before the old one was deleted.
  await put(encryptedStore(disk, { keys: [second] }), 'other', 'y')
  const copy = emptyDisk()
  const copied = encryptedStore(copy, { keys: [first] })
  await put(copied, 'half', 'in both places')
  const place = (await placesOf(copy))[0]!
  await disk.put(place, bytes((await read(copy, place))!))

  const store = encryptedStore(disk, { keys: [first, second] })
  expect((await Array.fromAsync(store.list())).map(({ key }) => key).toSorted()).toEqual(['half', 'other'])
  await reencryptAll(store)
  expect(await textOf(store, 'half')).toBe('in both places')
  expect(await placesOf(disk)).toEqual([`encrypted/${first.id}/half`, `encrypted/${first.id}/other`])
})

test('a file can be read all the time while it is encrypted again', async () => {
  const disk = emptyDisk()
  await put(encryptedStore(disk, { keys: [first] }), 'moving', 'still there')
  const keys = [second, first, third] as const
  const over = new AbortController()
  const reading = (async () => {
    const store = encryptedStore(disk, { keys })
    let times = 0
    for (; !over.signal.aborted || times < 20; times++) expect(await textOf(store, 'moving')).toBe('still there')
    return times
  })()
  for (let turn = 0; turn < 10; turn++) await reencryptAll(encryptedStore(disk, { keys: turn % 2 ? [first, second] : [second, first] }))
  over.abort()
  expect(await reading).toBeGreaterThan(19)
})

test('deletes a file wherever it lies', async () => {
  const disk = emptyDisk()
  await put(disk, 'gone', 'plain')
  const store = encryptedStore(disk, { keys: [second, first] })
  await store.delete('gone')
  await put(encryptedStore(disk, { keys: [first] }), 'gone', 'old key')
  await store.delete('gone')
  expect([await store.get('gone'), await store.has('gone'), await placesOf(disk)]).toEqual([null, false, []])
})

test('reports a damaged file to those who ask for it, and not each time that it could not be encrypted again', async () => {
  const disk = emptyDisk()
  await put(encryptedStore(disk, { keys: [first] }), 'broken', 'of an old key')
  await tamper(disk, `encrypted/${first.id}/broken`, (stored) => {
    stored[stored.length - 1]! ^= 1
    return stored
  })
  const damaged: string[] = []
  const store = encryptedStore(disk, { keys: [second, first], onDamaged: (key) => damaged.push(key) })
  await expect(store.reencrypt('broken')).rejects.toThrow('The file broken is altered')
  expect([damaged, await placesOf(disk)]).toEqual([[], [`encrypted/${first.id}/broken`]])
  await expect(store.get('broken')).rejects.toThrow(DamagedFileError)
  expect(damaged).toEqual(['broken'])
})
