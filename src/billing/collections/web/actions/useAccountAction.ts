import { type InferClientErrors, isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { type Client, messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import type { Problems } from '../../../../ui/ActionDialog.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { useAction } from '../../../../ui/useAction.ts'
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
      case 'ADDRESS_BLOCKED':
        return error.data.fields
      case 'NOT_FOUND':
      case 'NOTHING_OWED':
      case 'NO_EMAIL':
      case 'MARKETING_TEMPLATE':
      case 'KEY_REUSED':
        return { form: error.message }
    }
  }
  if (statusOf(thrown) === 0) return { form: 'The connection was lost. It is safe to try again: it is saved once, never twice.' }
  return { form: messageOf(thrown) }
}

/** Sends one change of a patient's account, as `useAction` does, and shows the account as it is then. */
export function useAccountAction(contactId: string, onDone: () => void) {
  const cache = useQueryClient()
  const action = useAction({ onDone, problemsOf })
  async function changed(call: Promise<AccountData>): Promise<void> {
    try {
      cache.setQueryData(orpc.collections.account.queryKey({ input: { contactId } }), await call)
      void cache.invalidateQueries({ queryKey: orpc.collections.owing.key() })
    } catch (error) {
      void cache.invalidateQueries({ queryKey: orpc.collections.key() })
      throw error
    }
  }
  return {
    ...action,
    send: (wrong: Problems, call: (idempotencyKey: string) => Promise<AccountData>, done: string) =>
      action.send({ wrong, call: (idempotencyKey) => changed(call(idempotencyKey)), done: () => done }),
  }
}
