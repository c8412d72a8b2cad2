import { useRef, useState } from 'react'
import { useLanguage } from '../../../ui/patient/language.ts'
import { linkLimit } from '../../rules.ts'
import { acceptQuote, declineQuote, fetchFile, fetchQuotes, type PatientSession, type QuoteData } from '../calls.ts'

/** A link is replaced this many milliseconds before it expires. */
const margin = 5_000

export type PatientQuotes = ReturnType<typeof useQuotes>
export type TrackedCall = <Result>(call: () => Promise<Result>) => Promise<Result>

/** The patient's quotes, and calls to accept or decline them. */
export function useQuotes(session: PatientSession, callTracked: TrackedCall) {
  const language = useLanguage()
  const [quotes, setQuotes] = useState(session.quotes)
  const [since] = useState(() => Date.now())
  const latest = useRef({ quotes: session.quotes ?? [], since })

  async function update(asking: () => Promise<QuoteData[]>): Promise<QuoteData[]> {
    const after = await callTracked(asking)
    latest.current = { quotes: after, since: Date.now() }
    setQuotes(after)
    return after
  }
  const refetch = () => update(() => fetchQuotes(session))

  /** The PDF of a quote. Links work for one minute, so an old one is replaced first. */
  async function fileOf(id: string): Promise<Blob> {
    if (Date.now() - latest.current.since > linkLimit - margin) await refetch()
    const quote = latest.current.quotes.find((one) => one.id === id)
    const bytes = quote && (await callTracked(() => fetchFile(`${quote.fileUrl}&language=${language}`)))
    if (!bytes) throw new Error('The quote no longer exists')
    return bytes
  }

  return {
    quotes,
    refetch,
    fileOf,
    accept: (quote: QuoteData, name: string) => update(() => acceptQuote(session, quote, name)),
    decline: (quote: QuoteData, reason: string) => update(() => declineQuote(session, quote, reason)),
  }
}
