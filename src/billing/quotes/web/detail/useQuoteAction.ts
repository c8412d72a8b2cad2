import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../../ui/client/form-errors.ts'
import type { Problems } from '../../../../ui/ActionDialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import type { QuoteData } from '../quote-data.ts'
import { useQuoteCache } from '../useQuotes.ts'

type Errors = InferClientErrors<Client>['quotes']

function problemsOf(thrown: unknown): Problems {
  const error = thrown as Errors[keyof Errors]
  if (isDefinedError(error)) return error.code === 'INVALID_REFERENCE' ? error.data.fields : { form: error.message }
  const named = fieldErrorsOf(thrown)
  if (Object.keys(named).length > 0) return named
  if (statusOf(thrown) === 0) return { form: 'The connection was lost. It is safe to try again: it is done once, never twice.' }
  return { form: messageOf(thrown) }
}

/** Does one thing with a quote, under a key that stays while what is sent stays. */
export function useQuoteAction(onDone: (after: QuoteData) => void) {
  const cache = useQueryClient()
  const keep = useQuoteCache()
  const [refused, setRefused] = useState<Problems>({})
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [key, setKey] = useState(() => crypto.randomUUID())

  async function send(wrong: Problems, call: (idempotencyKey: string) => Promise<QuoteData>, done: string) {
    if (isBusy) return
    setRefused({})
    setTries(tries + 1)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const after = await call(key)
      keep(after)
      void cache.invalidateQueries({ queryKey: orpc.collections.key() })
      toast.success(done)
      onDone(after)
    } catch (error) {
      setBusy(false)
      setRefused(problemsOf(error))
      setTries(tries + 2)
      void cache.invalidateQueries({ queryKey: orpc.quotes.key() })
    }
  }

  return {
    isBusy,
    tries,
    send,
    edited() {
      setRefused({})
      setKey(crypto.randomUUID())
    },
    problems: (wrong: Problems): Problems => (tries === 0 ? refused : { ...wrong, ...refused }),
  }
}
