import { useRef, useState } from 'react'
import { linkLimit } from '../../rules.ts'
import { acceptQuote, declineQuote, fetchFile, fetchQuotes, type PatientSession, type ShownQuote } from '../calls.ts'

/** Milliseconds before its end at which a link is no longer tried. */
const margin = 5_000

export type Heard = <Result>(call: () => Promise<Result>) => Promise<Result>

/** The patient's quotes, and what they say to them. */
export function useQuotes(session: PatientSession, heard: Heard) {
  const [quotes, setQuotes] = useState(session.quotes)
  const [since] = useState(() => Date.now())
  const known = useRef({ quotes: session.quotes ?? [], since })

  async function keep(asking: () => Promise<ShownQuote[]>): Promise<ShownQuote[]> {
    const after = await heard(asking)
    known.current = { quotes: after, since: Date.now() }
    setQuotes(after)
    return after
  }
  const refetch = () => keep(() => fetchQuotes(session))

  /** The PDF of a quote. A link works for a minute, so an old one is replaced first. */
  async function fileOf(id: string): Promise<Blob> {
    if (Date.now() - known.current.since > linkLimit - margin) await refetch()
    const quote = known.current.quotes.find((one) => one.id === id)
    const bytes = quote && (await heard(() => fetchFile(quote.fileUrl)))
    if (!bytes) throw new Error('The quote is no longer there')
    return bytes
  }

  return {
    quotes,
    refetch,
    fileOf,
    accept: (quote: ShownQuote, name: string) => keep(() => acceptQuote(session, quote, name)),
    decline: (quote: ShownQuote, reason: string) => keep(() => declineQuote(session, quote, reason)),
  }
}
