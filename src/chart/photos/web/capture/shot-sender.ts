import { useSyncExternalStore } from 'react'
import { orpc, queryClient } from '../../../../ui/client/api.ts'
import { pageHold } from '../../../../ui/uploads/hold-page.ts'
import { sendBytes, UploadError } from '../../../../ui/uploads/send-bytes.ts'
import type { PhotoView } from '../../rules.ts'
import { uploadPath } from '../uploads.ts'
import { purgeShot, keepShot, keptShots, type Shot } from './waiting-shots.ts'

/** A photo of this visit to the page. */
export interface TakenShot extends Omit<Shot, 'picture'> {
  state: 'waiting' | 'sent' | 'refused'
  /** Why the server refused it. */
  reason: string | null
  /** An address of the picture, for its place in the strip. */
  url: string
}

/** In milliseconds, between attempts without a network. */
const [firstRetry, maxRetry] = [1_000, 30_000]

const pictures = new Map<string, Blob>()
let shots: readonly TakenShot[] = []
const hold = pageHold()
const watchers = new Set<() => void>()
let isRunning = false
let wake: (() => void) | null = null

function set(next: readonly TakenShot[]): void {
  shots = next
  hold(firstWaiting() !== undefined)
  for (const watch of watchers) watch()
}
const change = (id: string, to: Partial<TakenShot>) => set(shots.map((shot) => (shot.id === id ? { ...shot, ...to } : shot)))

function add({ picture, ...facts }: Shot): void {
  pictures.set(facts.id, picture)
  set([...shots, { ...facts, state: 'waiting', reason: null, url: URL.createObjectURL(picture) }])
}

/** Keeps a photo and sends it. False: the browser keeps nothing, so the photo is lost if the page is closed before it is sent. */
export async function takeShot(given: Omit<Shot, 'id'>): Promise<boolean> {
  const shot = { ...given, id: crypto.randomUUID() }
  const isKept = await keepShot(shot).then(
    () => true,
    () => false,
  )
  add(shot)
  void run()
  return isKept
}

/** Takes up what an earlier visit to the page has left. */
export async function resumeShots(takenBy: string): Promise<void> {
  const left = await keptShots(takenBy)
  for (const shot of left) if (!shots.some(({ id }) => id === shot.id)) add(shot)
  void run()
}

/** Forgets a photo that was not sent. */
export async function dropShot(id: string): Promise<void> {
  await purgeShot(id).catch(() => {})
  forget(id)
}
function forget(id: string): void {
  const shot = shots.find((one) => one.id === id)
  if (shot) URL.revokeObjectURL(shot.url)
  pictures.delete(id)
  set(shots.filter((one) => one.id !== id))
}

addEventListener('online', () => wake?.())

/** Sends one photo after the other, as often as it takes. */
async function run(): Promise<void> {
  wake?.()
  if (isRunning) return
  isRunning = true
  let pause = firstRetry
  try {
    for (let next = firstWaiting(); next; next = firstWaiting()) {
      try {
        await send(next)
        pause = firstRetry
      } catch (error) {
        if (error instanceof UploadError && error.isDecided) change(next.id, { state: 'refused', reason: error.message })
        else {
          await untilWoken(pause)
          pause = Math.min(pause * 2, maxRetry)
        }
      }
    }
  } finally {
    isRunning = false
  }
}

const firstWaiting = () => shots.find(({ state }) => state === 'waiting')

async function send(shot: TakenShot): Promise<void> {
  const picture = pictures.get(shot.id)
  if (!picture) return forget(shot.id)
  const name = 'photo.jpg'
  const file = new File([picture], name, { type: 'image/jpeg' })
  await sendBytes(uploadPath(name, shot), file, () => {}, new AbortController().signal)
  await purgeShot(shot.id).catch(() => {})
  pictures.delete(shot.id)
  change(shot.id, { state: 'sent' })
  await queryClient.invalidateQueries({ queryKey: orpc.photos.key() })
}

const untilWoken = (ms: number): Promise<void> =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  }).then(() => {
    wake = null
  })

/** The photos of a series that were taken since the page was opened or wait from before, oldest first. */
export function useShots(seriesId: string): { shots: readonly TakenShot[]; waiting: number } {
  const all = useSyncExternalStore(subscribe, () => shots)
  const own = all.filter((shot) => shot.seriesId === seriesId)
  return { shots: own, waiting: own.filter(({ state }) => state === 'waiting').length }
}
const subscribe = (watch: () => void) => {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

/** The photos of a view that this visit has taken and that were not refused. */
export const ofView = (taken: readonly TakenShot[], view: PhotoView) =>
  taken.filter((shot) => shot.view === view && shot.state !== 'refused')
