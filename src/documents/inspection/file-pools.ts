import { createWorkerPool, WorkerError } from '../../kernel/workers/worker-pool.ts'
import type { FileRefusalCode } from '../contract.ts'
import type { Examined } from './examine.ts'
import type { FileTask, FileWork } from './file-worker.ts'
import type { MailPicture } from '../render-mail-picture.ts'
import type { PreparedPhoto } from './prepare-photo.ts'
import type { PhotoChanges } from './render-photo.ts'

/** Separate pools, so that staff never wait behind patients and inbound email, and the author of an email waits behind neither. */
export type SentBy = 'staff' | 'outside' | 'author'

const file = new URL('./file-worker.ts', import.meta.url)
/** A file takes about 100 ms, the largest images one or two seconds. Each pool reads one file at a time. */
const examining = { name: 'reading files', timeoutMs: 30_000, maxMemoryMb: 400 }
/** The HEIC decoder keeps several copies of an image: 48 million pixels take up to 1 GB. */
const rendering = { name: 'rendering images', timeoutMs: 25_000, maxMemoryMb: 1200 }

/**
 * Someone waits for each of these, so they do not stand behind photos that are uploaded. A worker has about 200 MB after one, and starting another
 * takes several times as long as drawing.
 */
const watermarking = createWorkerPool<FileWork>(file, {
  name: 'marking photos',
  timeoutMs: 15_000,
  maxMemoryMb: 600,
  reuseBelowMb: 400,
  maxWaiting: 60,
  isUrgent: true,
})

/** Examines and draws the pictures of emails that are being written, in one worker, since another one would have to start too. */
const authoring = createWorkerPool<FileWork>(file, {
  ...rendering,
  name: 'adding pictures',
  reuseBelowMb: 300,
  maxWaiting: 50,
  isUrgent: true,
})

const pools = {
  author: { examining: authoring, rendering: authoring },
  staff: {
    examining: createWorkerPool<FileWork>(file, { ...examining, maxWaiting: 100 }),
    rendering: createWorkerPool<FileWork>(file, { ...rendering, maxWaiting: 50 }),
  },
  outside: {
    examining: createWorkerPool<FileWork>(file, { ...examining, maxWaiting: 10 }),
    rendering: createWorkerPool<FileWork>(file, { ...rendering, maxWaiting: 10 }),
  },
}

/** Runs `examineFile` in a worker. Too much time or memory is FILE_TOO_COMPLEX; a full queue is BUSY. */
export const examine = (by: SentBy, input: { file: string; name: string }): Promise<Examined> =>
  orRefusal(async () => (await pools[by].examining({ examine: input })) as Examined)

/** Runs `preparePhoto` in a worker, with the same refusals. */
export const preparePhoto = (input: { file: string; name: string }): Promise<PreparedPhoto | Refused> =>
  orRefusal(async () => (await pools.staff.rendering({ photo: input })) as PreparedPhoto | Refused)

type Refused = { refusal: FileRefusalCode }

async function orRefusal<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WorkerError) || error.reason === 'failed') throw error
    return { refusal: error.reason === 'busy' ? 'BUSY' : 'FILE_TOO_COMPLEX' }
  }
}

const render = async (by: SentBy, task: FileTask): Promise<Uint8Array<ArrayBuffer> | null> => {
  const image = (await pools[by].rendering(task).catch(() => null)) as Uint8Array | null
  return image && new Uint8Array(image)
}

/** Makes a JPEG of a photo's copy with its changes; null if that fails. */
export const renderPhoto = (copy: Uint8Array, changes: PhotoChanges) => render('staff', { copy, changes })

/** Draws a text over a JPEG of a photo, again and again; null if that fails. */
export async function watermarkPhoto(copy: Uint8Array, text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const image = (await watermarking({ shown: copy, text }).catch(() => null)) as Uint8Array | null
  return image && new Uint8Array(image)
}

/** Converts a HEIC to a JPEG that every browser can show; null if that fails. */
export const heicToJpeg = (by: SentBy, path: string) => render(by, { preview: path })

/** Runs `renderMailPicture` in a worker, with the same refusals. */
export const renderMailPicture = (input: { file: string; isHeic: boolean }): Promise<MailPicture | Refused | null> =>
  orRefusal(async () => (await authoring({ mailPicture: input })) as MailPicture | null)

/** Converts a logo to the stored PNG; null if it cannot be read. */
export const renderLogo = (bytes: Uint8Array) => render('staff', { logo: bytes })

/** Converts a picture to the stored portrait; null if it cannot be read. */
export const renderPortrait = (bytes: Uint8Array) => render('staff', { portrait: bytes })
