/** Stores random files in the local store until killed. Prints each key, the file's hash, once the store has acknowledged it. */
import { createHash, randomBytes } from 'node:crypto'
import { openLocalStore } from '../../src/integrations/storage/local.ts'

const [folder = ''] = process.argv.slice(2)
const store = openLocalStore(folder)

async function putForever(): Promise<never> {
  for (;;) {
    const content = randomBytes(400_000)
    const key = createHash('sha256').update(content).digest('hex')
    await store.put(key, inChunks(content))
    process.stdout.write(`${key}\n`)
  }
}

async function* inChunks(content: Buffer) {
  for (let from = 0; from < content.length; from += 10_000) yield content.subarray(from, from + 10_000)
}

await Promise.all([putForever(), putForever(), putForever()])
