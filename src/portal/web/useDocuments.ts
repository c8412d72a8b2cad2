import { useRef, useState } from 'react'
import { linkLimit } from '../rules.ts'
import { fetchDocuments, fetchFile, isSessionOver, type PatientSession, type ShownDocument } from './calls.ts'

/** Milliseconds before its end at which a link is no longer tried. */
const margin = 5_000

const ageOf = (since: number) => Date.now() - since

export type Link = 'signedUrl' | 'previewUrl'

/** The patient's documents and the bytes behind them. `onOver` is told when the server says that the session is over. */
export function useDocuments(session: PatientSession, onOver: (message: string) => void) {
  const [documents, setDocuments] = useState(session.documents)
  const [now] = useState(() => Date.now())
  // What is known now, for whatever goes on while the page is drawn again.
  const known = useRef({ documents: session.documents, since: now })
  const lastCall = useRef(now)
  const asked = useRef<Promise<void> | null>(null)

  async function heard<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call()
      lastCall.current = Date.now()
      return result
    } catch (error) {
      if (isSessionOver(error)) onOver(error.message)
      throw error
    }
  }

  /** Asks for the list again, which makes new links and keeps the session awake. Several calls at once are one. */
  function refetch(): Promise<void> {
    asked.current ??= heard(() => fetchDocuments(session))
      .then((documents) => {
        known.current = { documents, since: Date.now() }
        setDocuments(documents)
      })
      .finally(() => {
        asked.current = null
      })
    return asked.current
  }

  /** A link works for a minute: an old one is not tried, and one that has just ended is replaced without a word. */
  async function fileOf({ id }: Pick<ShownDocument, 'id'>, link: Link = 'signedUrl'): Promise<Blob> {
    const isOld = ageOf(known.current.since) > linkLimit - margin
    if (isOld) await refetch()
    const bytes = (await tryLink(id, link)) ?? (isOld ? null : await refetch().then(() => tryLink(id, link)))
    if (!bytes) throw new Error('The document is no longer there')
    return bytes
  }

  async function tryLink(id: string, link: Link): Promise<Blob | null> {
    const url = known.current.documents.find((document) => document.id === id)?.[link]
    return url ? heard(() => fetchFile(url)) : null
  }

  return { documents, refetch, fileOf, heard, lastCall }
}
