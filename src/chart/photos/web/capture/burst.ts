import { grab } from '../../../../ui/hooks/useCamera.ts'
import type { PhotoView } from '../../rules.ts'
import { measureSharpness } from './sharpness.ts'

/** One of several pictures of a view that were taken at once. */
export interface BurstPicture {
  picture: Blob
  /** An address of the picture while it is chosen from. */
  url: string
}
export interface Burst {
  view: PhotoView
  /** When the shutter was pressed. */
  takenAt: string
  pictures: readonly BurstPicture[]
  /** The place of the sharpest, which is proposed. */
  sharpest: number
}

export const burstLength = 5
/** In milliseconds, between two pictures: long enough for the patient's eyes to open again. */
const interval = 200

/** Takes several pictures of what the camera shows. Nothing of them is stored. Null: it shows nothing. */
export async function takeBurst(video: HTMLVideoElement, view: PhotoView): Promise<Burst | null> {
  const takenAt = new Date().toISOString()
  const taken: Blob[] = []
  while (taken.length < burstLength) {
    if (taken.length > 0) await new Promise((resolve) => setTimeout(resolve, interval))
    const picture = await grab(video)
    if (!picture) return null
    taken.push(picture)
  }
  const measured = await Promise.all(taken.map(measureSharpness))
  return {
    view,
    takenAt,
    pictures: taken.map((picture) => ({ picture, url: URL.createObjectURL(picture) })),
    sharpest: measured.indexOf(Math.max(...measured)),
  }
}

export function endBurst({ pictures }: Burst): void {
  for (const { url } of pictures) URL.revokeObjectURL(url)
}
