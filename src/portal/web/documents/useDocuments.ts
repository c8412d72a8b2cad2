import { useRef, useState } from 'react'
import { linkLimit } from '../../rules.ts'
import { fetchDocuments, fetchFile, isSessionOver, type PatientSession, type DocumentData } from '../calls.ts'

/** A link is replaced this many milliseconds before it expires. */
const margin = 5_000

const ageOf = (since: number) => Date.now() - since

export type PatientDocuments = ReturnType<typeof useDocuments>
export type Link = 'signedUrl' | 'previewUrl'

/** The patient's documents and their files. `onOver` is called when the session has ended. */
export function useDocuments(session: PatientSession, onOver: () => void) {
  const [documents, setDocuments] = useState(session.documents)
  const [now] = useState(() => Date.now())
  // The latest list, for async work that outlives a render.
  const latest = useRef({ documents: session.documents, since: now })
  const lastCall = useRef(now)
  const pendingRefetch = useRef<Promise<void> | null>(null)

  function recordCall() {
    lastCall.current = Date.now()
  }

  async function callTracked<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call()
      recordCall()
      return result
    } catch (error) {
      if (isSessionOver(error)) onOver()
      throw error
    }
  }

  /** Reloads the list, which creates new links and extends the session. Simultaneous calls share one request. */
  function refetch(): Promise<void> {
    pendingRefetch.current ??= callTracked(() => fetchDocuments(session))
      .then((documents) => {
        latest.current = { documents, since: Date.now() }
        setDocuments(documents)
      })
      .finally(() => {
        pendingRefetch.current = null
      })
    return pendingRefetch.current
  }

  /** The file of a document. Links work for one minute: an old one is replaced first, and one that has just expired is retried silently. */
  async function fileOf({ id }: Pick<DocumentData, 'id'>, link: Link = 'signedUrl'): Promise<Blob> {
    const isOld = ageOf(latest.current.since) > linkLimit - margin
    if (isOld) await refetch()
    const bytes = (await tryLink(id, link)) ?? (isOld ? null : await refetch().then(() => tryLink(id, link)))
    if (!bytes) throw new Error('The document no longer exists')
    return bytes
  }

  async function tryLink(id: string, link: Link): Promise<Blob | null> {
    const url = latest.current.documents.find((document) => document.id === id)?.[link]
    return url ? callTracked(() => fetchFile(url)) : null
  }

  return { documents, refetch, fileOf, callTracked, recordCall, lastCall }
}
