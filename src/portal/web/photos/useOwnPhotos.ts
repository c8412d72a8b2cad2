import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OwnPhotos } from '../../photos-contract.ts'
import { linkLimit } from '../../rules.ts'
import { type Credentials, fetchFile, isSessionOver, post } from '../calls.ts'
import type { TrackedCall } from '../quotes/useQuotes.ts'
import type { SeriesData } from './pairs.ts'

/** A link is replaced this many milliseconds before it expires. */
const margin = 5_000

const ageOf = (since: number) => Date.now() - since

/** For a grid, or as it is downloaded. */
type Size = 'small' | 'full'

/** The released photos of the patient and their files, each of which is loaded once. */
export function useOwnPhotos({ contactId, token }: Credentials, callTracked: TrackedCall) {
  const [series, setSeries] = useState<readonly SeriesData[] | 'failed' | null>(null)
  const latest = useRef({ links: new Map<string, string>(), since: 0 })
  const pending = useRef<Promise<void> | null>(null)
  const files = useRef(new Map<string, Promise<Blob>>())

  /** Simultaneous calls share one request. */
  function refetch(): Promise<void> {
    pending.current ??= callTracked(async () => {
      const response = await post('patient-photos-fetch', { contactId, sessionToken: token })
      return ((await response.json()) as OwnPhotos).series
    })
      .then((found) => {
        const links = new Map(found.flatMap(({ photos }) => photos.map(({ id, fileUrl }) => [id, fileUrl])))
        latest.current = { links, since: Date.now() }
        setSeries(found)
      })
      .finally(() => {
        pending.current = null
      })
    return pending.current
  }
  async function load() {
    setSeries(null)
    try {
      await refetch()
    } catch (error) {
      if (!isSessionOver(error)) setSeries('failed')
    }
  }
  const loadFirst = useEffectEvent(() => void load())
  useEffect(() => loadFirst(), [])

  async function request(id: string, size: Size): Promise<Blob> {
    const isOld = ageOf(latest.current.since) > linkLimit - margin
    if (isOld) await refetch()
    const bytes = (await open(id, size)) ?? (isOld ? null : await refetch().then(() => open(id, size)))
    if (!bytes) throw new Error('The photo is not released any more')
    return bytes
  }
  async function open(id: string, size: Size): Promise<Blob | null> {
    const link = latest.current.links.get(id)
    return link ? callTracked(() => fetchFile(size === 'small' ? `${link}&size=small` : link)) : null
  }
  /** Links work for one minute: an old one is replaced first, and one that has just expired is retried silently. */
  function fileOf(id: string, size: Size = 'full'): Promise<Blob> {
    const key = `${id} ${size}`
    const known = files.current.get(key)
    if (known) return known
    const file = request(id, size)
    files.current.set(key, file)
    file.catch(() => files.current.delete(key))
    return file
  }

  return { series, load, fileOf }
}
export type FileOf = ReturnType<typeof useOwnPhotos>['fileOf']
