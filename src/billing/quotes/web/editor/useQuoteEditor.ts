import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Client, client, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import type { ChoicesData, QuoteData } from '../quote-data.ts'
import { useQuoteCache } from '../useQuotes.ts'
import { draftOf, problemsOf, type QuoteDraft, written } from './quote-draft.ts'

type Errors = InferClientErrors<Client>['quotes']

/** Maps the server's field names to the editor's, where lines use their keys. */
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

export type QuoteEditorState = ReturnType<typeof useQuoteEditor>

/** State of the quote editor. Errors show from the first save attempt; a refusal shows until the next edit. */
export function useQuoteEditor({ quote, contactId, initial, codes, choices }: Editing) {
  const clock = useClock()
  const cache = useQueryClient()
  const keep = useQuoteCache()
  const [version, setVersion] = useState(quote?.version ?? 1)
  const saved = useRef<QuoteData>(null)
  const latest = () => (quote && quote.version >= (saved.current?.version ?? 0) ? quote : saved.current)
  const form = useActionForm<QuoteDraft, QuoteData, QuoteData>({
    initial,
    check: (draft) => problemsOf(draft, codes, today(clock)),
    send(draft, idempotencyKey) {
      const sent = written(draft, codes)
      // A saved new quote is updated from now on, even before its own URL opens.
      const known = latest()
      if (known) return client.quotes.change({ ...sent, id: known.id, version: Math.max(version, saved.current?.version ?? 0) })
      return client.quotes.create({ ...sent, contactId, idempotencyKey })
    },
    onDone(after, draft) {
      keep(after)
      setVersion(after.version)
      saved.current = after
      // Edits made in the meantime stay unsaved.
      form.rebase(draft, Object.keys(draft) as (keyof QuoteDraft)[])
    },
    theirs(thrown) {
      const error = thrown as Errors['change']
      return isDefinedError(error) && error.code === 'CONFLICT' ? error.data.current : null
    },
    onRefused(thrown, problems, draft) {
      const error = thrown as Errors['create'] | Errors['change']
      if (isDefinedError(error) && error.code === 'INVALID_REFERENCE') return fieldsOf(error.data.fields, draft)
      if (isDefinedError(error) && error.code === 'TOTALS_DIFFER') {
        void cache.invalidateQueries({ queryKey: orpc.pos.taxCodes.key() })
        return { form: 'The tax codes have changed. Please check the new totals and save again.' }
      }
      if (statusOf(thrown) !== 0) return problems
      return { form: 'The connection was lost. What you typed is still here, and it is safe to try again: it is saved once.' }
    },
  })
  const { values: draft, problems, isDirty, isBusy, tries, conflict } = form

  /** Saves the draft. Null: it was not saved, and the page shows why. */
  const save = async (): Promise<QuoteData | null> => (!isBusy && !conflict && (await form.submit()) ? saved.current : null)

  /** Resolves a conflict: keeps the user's edits or takes the other version. */
  function resolveConflict(keep: 'mine' | 'theirs') {
    if (!conflict) return
    setVersion(conflict.version)
    form.rebase(draftOf(conflict, choices), keep === 'mine' ? (Object.keys(draft) as (keyof QuoteDraft)[]) : [])
  }

  /** The stored quote if there are no unsaved edits. Null: it must be saved first. */
  const stored = (): QuoteData | null => (isDirty ? null : latest())

  return { draft, change: form.set, problems, isDirty, isBusy, tries, showWhole: form.showWhole, save, stored, conflict, resolveConflict }
}
