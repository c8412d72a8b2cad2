/** Puts random files into the local store until it is killed; the key of each, its hash, is printed once the store has said that it is kept. */
import { createHash, randomBytes } from 'node:crypto'
import { openLocalStore } from '../src/integrations/storage/local.ts'

const [folder = ''] = process.argv.slice(2)
const store = openLocalStore(folder)

async function putForEver(): Promise<never> {
  for (;;) {
    const content = randomBytes(400_000)
    const key = createHash('sha256').update(content).digest('hex')
    await store.put(key, inPieces(content))
    process.stdout.write(`${key}\n`)
  }
}

async function* inPieces(content: Buffer) {
  for (let from = 0; from < content.length; from += 10_000) yield content.subarray(from, from + 10_000)
}

await Promise.all([putForEver(), putForEver(), putForEver()])
