import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, messageOf, orpc, statusOf } from '../../../../web/api.ts'
import type { Problems } from '../../../../web/ui/DeedDialog.tsx'
import { formatMoney } from '../../../../web/ui/format.ts'
import { toast } from '../../../../web/ui/toast.ts'
import type { AccountData } from '../account-data.ts'

type Errors = InferClientErrors<Client>['collections']

/** A refusal at the field that it is about. */
function problemsOf(thrown: unknown): Problems {
  const error = thrown as Errors[keyof Errors]
  if (isDefinedError(error)) {
    switch (error.code) {
      case 'TOO_MUCH':
        return {
          amount: error.data.openCents > 0 ? `At most ${formatMoney(error.data.openCents)} is open` : 'Nothing of it is open any more',
        }
      case 'PAST':
        return { dueOn: error.message }
      case 'PLAN':
        return { plan: error.message }
      case 'NO_RECEIPT':
        return { receipt: error.message }
      case 'CREDITED':
        return { reason: error.message }
      case 'INVALID_REFERENCE':
        return error.data.fields
      case 'NOT_FOUND':
      case 'NOTHING_OWED':
      case 'KEY_REUSED':
        return { form: error.message }
    }
  }
  if (statusOf(thrown) === 0) return { form: 'The connection was lost. It is safe to try again: it is saved once, never twice.' }
  return { form: messageOf(thrown) }
}

/**
 * Sends one change of a patient's account. What is wrong shows from the first try on; a refusal until something is typed. What is sent again as
 * it was goes under the same key, so that an answer that was lost does no harm.
 */
export function useDeed(contactId: string, onDone: () => void) {
  const cache = useQueryClient()
  const [refused, setRefused] = useState<Problems>({})
  const [tries, setTries] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [key, setKey] = useState(() => crypto.randomUUID())

  function edited() {
    setRefused({})
    setKey(crypto.randomUUID())
  }
  async function send(wrong: Problems, call: (idempotencyKey: string) => Promise<AccountData>, done: string) {
    if (isBusy) return
    setRefused({})
    setTries(tries + 1)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const account = await call(key)
      cache.setQueryData(orpc.collections.account.queryKey({ input: { contactId } }), account)
      void cache.invalidateQueries({ queryKey: orpc.collections.owing.key() })
      toast.success(done)
      onDone()
    } catch (error) {
      setBusy(false)
      setRefused(problemsOf(error))
      setTries(tries + 2)
      void cache.invalidateQueries({ queryKey: orpc.collections.key() })
    }
  }

  return {
    isBusy,
    /** Changes with each try, for the focus. */
    tries,
    send,
    edited,
    /** A field's setter: what is sent next is another thing. */
    typed:
      <Value>(set: (value: Value) => void) =>
      (value: Value) => {
        edited()
        set(value)
      },
    problems: (wrong: Problems): Problems => (tries === 0 ? refused : { ...wrong, ...refused }),
  }
}
