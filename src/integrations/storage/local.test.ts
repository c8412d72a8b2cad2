import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { openLocalStore } from './local.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-files-'))
  folders.push(folder)
  return path.join(folder, 'files')
}
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})
async function* bytes(text: string) {
  yield Buffer.from(text)
}

test('no other user can read the files or list the folders', async () => {
  const folder = newFolder()
  await openLocalStore(folder).put('contact/file', bytes('x'))
  const modes = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => [entry.isFile(), fs.statSync(path.join(entry.parentPath, entry.name)).mode & 0o777])
  expect(modes.filter(([isFile]) => isFile)).toEqual([[true, 0o600]])
  expect(new Set(modes.filter(([isFile]) => !isFile).map(([, mode]) => mode))).toEqual(new Set([0o700]))
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
})

test('a missing folder is empty', async () => {
  const store = openLocalStore(newFolder())
  expect(await Array.fromAsync(store.list())).toEqual([])
  expect(await store.get('a')).toBeNull()
  await store.delete('a')
})

test('an unread response keeps no file open', async () => {
  const folder = newFolder()
  const store = openLocalStore(folder)
  await store.put('a', bytes('x'))
  await (await store.get('a'))!.bytes.cancel()
  const isOpen = () =>
    fs.readdirSync('/proc/self/fd').some((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
      } catch {
        return false
      }
    })
  const isClosed = process.platform !== 'linux' || (await until(() => !isOpen()))
  expect(isClosed).toBe(true)
})

test('kill -9 leaves complete files, and unfinished ones that are removed after a day', async () => {
  const folder = newFolder()
  const store = openLocalStore(folder)
  const kept = new Set<string>()
  const unfinished = path.join(folder, 'unfinished')
  // Each one is killed somewhere else in its work, and at least one must leave something unfinished.
  for (let n = 0; n < 20 && (n < 3 || fs.readdirSync(unfinished).length === 0); n++) {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../../test/durability/upload-loop.ts', import.meta.url)), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    let printed = ''
    child.stdout.on('data', (part: Buffer) => (printed += part.toString()))
    await until(() => printed.split('\n').length > 5 + n)
    child.kill('SIGKILL')
    await ended
    for (const key of printed.split('\n').slice(0, -1)) kept.add(key)
  }

  const found = await Array.fromAsync(store.list())
  expect(new Set(found.map(({ key }) => key)).isSupersetOf(kept)).toBe(true)
  for (const { key, size } of found) {
    const stored = await store.get(key)
    const content = Buffer.concat(await Array.fromAsync(stored!.bytes))
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([size, key])
  }

  const [old, ...young] = fs.readdirSync(unfinished)
  expect(old).toBeDefined()
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  fs.utimesSync(path.join(unfinished, old!), yesterday, yesterday)
  expect((await Array.fromAsync(store.list())).length).toBe(found.length)
  expect(fs.readdirSync(unfinished).toSorted()).toEqual(young.toSorted())
})
