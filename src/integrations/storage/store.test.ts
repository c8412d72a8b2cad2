import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Simulator, startS3Simulator } from '../../../simulators/s3/server.ts'
import { until } from '../../../test/until.ts'
import { openFileStore } from './open.ts'
import { type FileStore, KeyTakenError, type StoredFile, webStream } from './store.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const megabyte = 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** In pieces that fit no boundary. */
async function* pieces(content: Uint8Array, size = 100_003) {
  for (let from = 0; from < content.byteLength; from += size) yield content.subarray(from, from + size)
}

async function whole(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream))
}

const listed = async (store: FileStore): Promise<StoredFile[]> => Array.fromAsync(store.list())
const keysOf = async (store: FileStore) => (await listed(store)).map(({ key }) => key).toSorted()

const keys = [{ id: '0123abcd', bytes: randomBytes(32) }] as const
let folder = ''
let server: S3Simulator
const kinds: Record<'local' | 's3', () => FileStore> = {
  local: () => openFileStore({ ...settings(), FILES: 'local' }, { keys }),
  s3: () => openFileStore({ ...settings(), FILES: 's3' }, { keys }),
}
const settings = () => ({
  DATA_DIR: folder,
  S3_BUCKET: server.bucket,
  S3_ENDPOINT: server.url,
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: server.accessKeyId,
  S3_SECRET_ACCESS_KEY: server.secretAccessKey,
})
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-files-'))
  server = await startS3Simulator()
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

describe.each(Object.entries(kinds))('the store of kind %s', (kind, open) => {
  /** Empty before and after each test, so that each test sees its own keys only. */
  const leftovers = () => (kind === 'local' ? fs.readdirSync(path.join(folder, 'files/unfinished')) : server.unfinishedUploads())

  test.each([0, 1, 8 * megabyte, 8 * megabyte + 1, 12_345_678])('returns %i bytes unchanged', async (size) => {
    const store = open()
    const content = randomBytes(size)
    await store.put('contact-1/file-1', pieces(content), { size })
    const found = await store.get('contact-1/file-1')
    expect(found?.size).toBe(size)
    expect(sha256(await whole(found!.bytes))).toBe(sha256(content))
    await store.delete('contact-1/file-1')
    expect(await keysOf(store)).toEqual([])
  })

  test('returns a byte range, truncated at the end of the file', async () => {
    const store = open()
    await store.put('ranged', pieces(Buffer.from('0123456789')))
    for (const [range, expected] of [
      [[0, 1], '01'],
      [[3, 5], '345'],
      [[8, 100], '89'],
    ] as const) {
      const found = await store.get('ranged', range)
      expect([found?.size, (await whole(found!.bytes)).toString()]).toEqual([10, expected])
    }
    await expect(store.get('ranged', [10, 11])).rejects.toThrow(RangeError)
    for (const range of [
      [-1, 2],
      [5, 3],
      [0.5, 2],
    ] as const)
      await expect(store.get('ranged', range)).rejects.toThrow(RangeError)
    expect(await store.get('none', [0, 1])).toBeNull()
    await store.delete('ranged')
  })

  test.each([50_000, 12 * megabyte])('stores nothing of a source that fails after %i bytes', async (size) => {
    const store = open()
    const source = async function* () {
      yield* pieces(randomBytes(size))
      throw new Error('the sender went away')
    }
    await expect(store.put('broken', source())).rejects.toThrow('the sender went away')
    expect(await store.get('broken')).toBeNull()
    expect([await keysOf(store), leftovers()]).toEqual([[], []])
  })

  test('stores nothing of a source that is shorter or longer than declared', async () => {
    const store = open()
    await expect(store.put('short', pieces(Buffer.from('abc')), { size: 4 })).rejects.toThrow('ended after 3 of 4')
    await expect(store.put('long', pieces(Buffer.from('abc')), { size: 2 })).rejects.toThrow('more than the declared 2')
    expect([await keysOf(store), leftovers()]).toEqual([[], []])
  })

  test.each([0, 9 * megabyte])('stops at once when aborted while waiting after %i bytes', async (size) => {
    const store = open()
    const abort = new AbortController()
    let isAsked = false
    const source = new Readable({ read: () => (isAsked = true) })
    source.push(randomBytes(size + 1))
    const put = store.put('aborted', source, { signal: abort.signal })
    // The bucket has the whole parts: an upload that is given up while it begins may stay until list() clears it.
    const parts = kind === 's3' && size > 8 * megabyte ? 1 : 0
    await until(() => isAsked && source.readableLength === 0 && server.storedParts() === parts)
    abort.abort(new Error('no one waits'))
    await expect(put).rejects.toThrow('no one waits')
    source.destroy()
    await expect(store.put('aborted', pieces(Buffer.from('x')), { signal: abort.signal })).rejects.toThrow(/./)
    expect([await keysOf(store), leftovers()]).toEqual([[], []])
  })

  test('refuses an existing key, and keeps its bytes', async () => {
    const store = open()
    await store.put('taken', pieces(Buffer.from('first')))
    await expect(store.put('taken', pieces(Buffer.from('second')))).rejects.toThrow(KeyTakenError)
    expect((await whole((await store.get('taken'))!.bytes)).toString()).toBe('first')
    await store.delete('taken')
  })

  test('finds nothing under an unknown key, and can delete it repeatedly', async () => {
    const store = open()
    expect(await store.get('unknown')).toBeNull()
    await store.put('once', pieces(Buffer.from('x')))
    for (let i = 0; i < 3; i++) await store.delete('once')
    expect(await store.get('once')).toBeNull()
  })

  test('lists every key with its size and age', async () => {
    const store = open()
    const before = Date.now() - 2000 // a second is the unit of some stores
    const keys = Array.from({ length: 12 }, (_, i) => `contact-${i % 3}/file-${i}`).toSorted()
    for (const [i, key] of keys.entries()) await store.put(key, pieces(Buffer.alloc(i)))
    const files = (await listed(store)).toSorted((a, b) => (a.key < b.key ? -1 : 1))
    expect(files).toEqual(keys.map((key, size) => ({ key, size, modifiedAt: expect.any(Date) })))
    for (const { modifiedAt } of files) expect(modifiedAt.getTime()).toBeGreaterThan(before)
    for (const key of keys) await store.delete(key)
    expect(await keysOf(store)).toEqual([])
  })

  test.each([
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    '..',
    'a/../b',
    '../../etc/passwd',
    'a.b',
    'A',
    'é',
    'a b',
    'a\0b',
    'a\nb',
    'a\\b',
    '%2e%2e',
    'x'.repeat(201),
  ])('refuses the key %j', async (key) => {
    const store = open()
    await expect(store.put(key, pieces(Buffer.from('x')))).rejects.toThrow('Invalid file key')
    await expect(store.get(key)).rejects.toThrow('Invalid file key')
    await expect(store.delete(key)).rejects.toThrow('Invalid file key')
  })

  test('streams 100 MB in a small amount of memory', async () => {
    const store = open()
    let [most, nextAt] = [0, 0]
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    // What is in use, without what is waiting to be collected. A second collection waits for what the first one frees in the background.
    const see = (position: number) => {
      if (position < nextAt) return
      nextAt += 25 * megabyte
      collectGarbage()
      collectGarbage()
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    const source = async function* () {
      for (let i = 0; i < 400; i++) {
        see((i * megabyte) / 4)
        yield Buffer.alloc(megabyte / 4, i)
      }
    }
    await store.put('large', source(), { signal: new AbortController().signal })
    const found = await store.get('large')
    let size = 0
    nextAt = 0
    for await (const chunk of found!.bytes) {
      size += chunk.byteLength
      see(size)
    }
    expect(size).toBe(100 * megabyte)
    expect(most / megabyte).toBeLessThan(40)
    await store.delete('large')
  })
})

test('closes its source when the reader cancels, even before the first chunk', async () => {
  const sources = [Readable.from(['a', 'b']), Readable.from(['a', 'b'])] as const
  await webStream(sources[0]).cancel()
  const reader = webStream(sources[1]).getReader()
  await reader.read()
  await reader.cancel()
  expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true])
})
