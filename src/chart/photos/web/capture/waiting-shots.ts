/**
 * Photos that were taken and have not reached the server, in the browser's database: encrypted with a key that this tab has until it is closed,
 * so that a lost device gives nothing away, and reloading the page loses nothing.
 */
import type { PhotoView } from '../../rules.ts'

export interface Shot {
  /** Of the photo: one that is sent again is stored once. */
  id: string
  /** Who took it: someone else who signs in to this tab does not send it. */
  takenBy: string
  contactId: string
  seriesId: string
  view: PhotoView
  takenAt: string
  picture: Blob
}
interface Kept {
  id: string
  /** Names the tab whose key it is. */
  tab: string
  keptAt: number
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
}

const [databaseName, storeName] = ['refyne-photos', 'waiting']
const keyName = 'refyne.photo-key'
/** In milliseconds. After this no tab has the key of a photo that was not sent. */
const keptFor = 24 * 3_600_000

export async function keepShot({ picture, ...facts }: Shot): Promise<void> {
  const { tab, key } = await keyOfTab()
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const head = new TextEncoder().encode(JSON.stringify(facts))
  const bytes = new Uint8Array(4 + head.length + picture.size)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, 4)
  bytes.set(new Uint8Array(await picture.arrayBuffer()), 4 + head.length)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, bytes)
  await inStore('readwrite', (store) => store.put({ id: facts.id, tab, keptAt: Date.now(), iv, sealed } satisfies Kept))
}

export const purgeShot = (id: string): Promise<unknown> => inStore('readwrite', (store) => store.delete(id))

/** The photos that a person took in this tab, oldest first. Those whose key is lost are wiped. */
export async function keptShots(takenBy: string): Promise<Shot[]> {
  const all = (await inStore('readonly', (store) => store.getAll())) as Kept[]
  const { tab, key } = await keyOfTab()
  const shots: Shot[] = []
  for (const kept of all) {
    if (kept.tab === tab) shots.push(await openShot(key, kept))
    else if (kept.keptAt < Date.now() - keptFor) await purgeShot(kept.id)
  }
  return shots.filter((shot) => shot.takenBy === takenBy).toSorted((a, b) => a.takenAt.localeCompare(b.takenAt))
}

async function openShot(key: CryptoKey, { iv, sealed }: Kept): Promise<Shot> {
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed)
  const length = new DataView(bytes).getUint32(0)
  const facts = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as Omit<Shot, 'picture'>
  return { ...facts, picture: new Blob([bytes.slice(4 + length)], { type: 'image/jpeg' }) }
}

async function keyOfTab(): Promise<{ tab: string; key: CryptoKey }> {
  const stored = sessionStorage.getItem(keyName)
  const { tab, raw } = stored ? (JSON.parse(stored) as { tab: string; raw: number[] }) : newKey()
  return { tab, key: await crypto.subtle.importKey('raw', new Uint8Array(raw), 'AES-GCM', false, ['encrypt', 'decrypt']) }
}

function newKey(): { tab: string; raw: number[] } {
  const made = { tab: crypto.randomUUID(), raw: [...crypto.getRandomValues(new Uint8Array(32))] }
  sessionStorage.setItem(keyName, JSON.stringify(made))
  return made
}

async function inStore<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const opening = indexedDB.open(databaseName, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName, { keyPath: 'id' }))
  const database = await settled(opening)
  try {
    const transaction = database.transaction(storeName, mode)
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The browser could not keep the photo')))
    })
    const result = await settled(work(transaction.objectStore(storeName)))
    await done
    return result
  } finally {
    database.close()
  }
}

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser could not keep the photo')))
  })
