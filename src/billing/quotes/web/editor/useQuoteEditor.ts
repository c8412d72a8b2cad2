import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import type { ChoicesData, QuoteData } from '../quote-data.ts'
import { useQuoteCache } from '../useQuotes.ts'
import { draftOf, problemsOf, type QuoteDraft, written } from './quote-draft.ts'

type Errors = InferClientErrors<Client>['quotes']

/** The server's fields as the editor's: of a line they are named by its key. */
function fieldsOf(fields: Readonly<Record<string, string>>, { lines }: QuoteDraft): Record<string, string> {
  const names: Record<string, string> = {
    surgeryId: 'surgery',
    instalments: 'plan',
    depositCents: 'deposit',
    discountCents: 'discount',
    discountPercent: 'discount',
  }
  return Object.fromEntries(
    Object.entries(fields).map(([path, words]) => {
      const [, index, field] = /^lines\.(\d+)\.(\w+)$/.exec(path) ?? []
      const line = index === undefined ? undefined : lines[Number(index)]
      if (line) return [`${field === 'exemptReason' ? 'reason' : field === 'taxCodeId' ? 'taxCode' : field} ${line.key}`, words]
      return [names[path] ?? path, words]
    }),
  )
}

interface Editing {
  /** Null: a new one. */
  quote: QuoteData | null
  contactId: string
  initial: QuoteDraft
  codes: readonly PosTaxCode[]
  choices: ChoicesData
}

/** A quote that is being written. What is wrong shows from the first try on; a refusal until something is typed. */
export function useQuoteEditor({ quote, contactId, initial, codes, choices }: Editing) {
  const clock = useClock()
  const cache = useQueryClient()
  const keep = useQuoteCache()
  const [draft, setDraft] = useState(initial)
  const [version, setVersion] = useState(quote?.version ?? 1)
  const [isDirty, setDirty] = useState(false)
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  const [conflict, setConflict] = useState<QuoteData | null>(null)
  // What is sent again as it was is written once, also when an answer was lost.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const wrong = problemsOf(draft, codes, today(clock))

  function change(next: QuoteDraft) {
    setDraft(next)
    setDirty(true)
    setRefused({})
    setKey(crypto.randomUUID())
  }

  function refuse(thrown: unknown) {
    const error = thrown as Errors['create'] | Errors['change']
    setTries((before) => before + 1)
    if (isDefinedError(error)) {
      if (error.code === 'CONFLICT') return setConflict(error.data.current)
      if (error.code === 'INVALID_REFERENCE') return setRefused(fieldsOf(error.data.fields, draft))
      if (error.code === 'TOTALS_DIFFER') {
        void cache.invalidateQueries({ queryKey: orpc.pos.taxCodes.key() })
        return setRefused({ form: 'The tax codes have changed. Please check the new totals and save again.' })
      }
      return setRefused({ form: error.message })
    }
    setRefused({
      form:
        statusOf(thrown) === 0
          ? 'The connection was lost. What you typed is still here, and it is safe to try again: it is saved once.'
          : messageOf(thrown),
    })
  }

  /** Saves what was typed. Null: it is not saved, and the page says why. */
  async function save(): Promise<QuoteData | null> {
    if (isBusy || conflict) return null
    setRefused({})
    setTries(tries + 1)
    if (Object.keys(wrong).length > 0) return null
    setBusy(true)
    try {
      const sent = written(draft, codes)
      const after = quote
        ? await client.quotes.change({ ...sent, id: quote.id, version })
        : await client.quotes.create({ ...sent, contactId, idempotencyKey: key })
      keep(after)
      setVersion(after.version)
      setDirty(false)
      setTries(0)
      return after
    } catch (error) {
      refuse(error)
      return null
    } finally {
      setBusy(false)
    }
  }

  /** Someone else has changed it: what was typed is written over it, or theirs is shown. */
  function settle(whose: 'mine' | 'theirs') {
    if (!conflict) return
    setVersion(conflict.version)
    if (whose === 'theirs') {
      setDraft(draftOf(conflict, choices))
      setDirty(false)
    }
    setConflict(null)
  }

  const problems: Readonly<Record<string, string>> = tries === 0 ? refused : { ...wrong, ...refused }
  return { draft, change, problems, isDirty, isBusy, tries, save, conflict, settle }
}
